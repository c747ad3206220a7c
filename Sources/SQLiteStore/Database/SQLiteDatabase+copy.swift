import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase: CopyableStore {
    package func snapshot() async throws(StoreError) -> any StoreSnapshot {
        SQLiteSnapshot(try translating { try pool.makeSnapshot() })
    }

    package func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID {
        try await write { db in
            let present = try Int64.fetchOne(
                db, sql: "SELECT id FROM environments WHERE name = ?", arguments: [name])
            let id = try present ?? insertEnvironment(name, head.instance, db).number
            try replaceVersions(with: head.versions, in: id, db)
            try db.execute(
                sql: """
                    UPDATE environments SET version = ?, instance = ?, sequence = ?,
                        last_stamp = ?, horizon = ?, cursor_key = ?, last_notification = ?,
                        last_claimed = ?, name_key = ?, epoch = ?
                    WHERE id = ?
                    """,
                arguments: [
                    db.lastInsertedRowID, head.instance, head.sequence,
                    head.lastStamp.milliseconds, head.purgeHorizon,
                    head.cursorKey.map { Data($0) }, head.lastNotification,
                    head.lastClaimedNotification, head.nameKey.map { Data($0) }, head.epoch, id,
                ])
            return EnvironmentID(number: id)
        }
    }

    package func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { db in
            let present = try fetchRows(of: table, in: environment, range, rows.count + 1, db)
            guard present != rows else { return false }
            if !present.isEmpty { try deleteRows(of: table, in: environment, range, db) }
            try insert(rows, into: table, in: environment, db)
            return true
        }
    }

    package func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in try insert(rows, into: table, in: environment, db) }
    }

    package func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await write { db in
            try db.execute(
                sql: """
                    UPDATE environments SET name = ?
                    WHERE id = ? AND NOT EXISTS (SELECT 1 FROM environments WHERE name = ?)
                    """,
                arguments: [name, environment.number, name])
            return db.changesCount == 1
        }
    }
}

/// The last version inserted becomes the current one.
private func replaceVersions(
    with versions: [EnvironmentVersion], in environment: Int64, _ db: Database
) throws {
    try db.execute(
        sql: "DELETE FROM versions WHERE environment = ?", arguments: [environment])
    for version in versions { try insert(version, in: environment, db) }
}

private func insert(
    _ rows: [EnvironmentRow], into table: EnvironmentTable, in environment: EnvironmentID,
    _ db: Database
) throws {
    let statement = try db.cachedStatement(sql: table.insertion)
    for row in rows {
        var origin: [DatabaseValue] = []
        let values = try zip(table.columns, row).map { column, cell in
            guard column.isPlace(of: table), let sequence = cell.integer else {
                return try column.value(of: cell)
            }
            origin = [RowKey.of(sequence: sequence, in: environment).databaseValue]
            return origin[0]
        }
        if table.isKeyedByOrigin { origin = [environment.number.databaseValue, values[0]] }
        try statement.execute(
            arguments: StatementArguments([environment.number.databaseValue] + values + origin))
    }
}

/// Deletes rows. Rows that are keyed by the origins of deleted records go too, since the records
/// get new origins when they return.
private func deleteRows(
    of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, _ db: Database
) throws {
    let (condition, bounds) = try condition(for: range, of: table)
    let arguments = StatementArguments([environment.number.databaseValue] + bounds)
    if table == .records {
        for other in EnvironmentTable.allCases where other.isKeyedByOrigin {
            try db.execute(
                sql: """
                    DELETE FROM \(other.rawValue)
                    WHERE origin IN (SELECT origin FROM records WHERE \(condition))
                    """, arguments: arguments)
        }
    }
    let key = table == .history ? "id" : "origin, target"
    let isAmong = "(\(key)) IN (SELECT \(key) FROM \(table.source) WHERE \(condition))"
    try db.execute(
        sql: "DELETE FROM \(table.rawValue) WHERE \(table.isKeyedByOrigin ? isAmong : condition)",
        arguments: arguments)
}

func fetchRows(
    of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, _ limit: Int,
    _ db: Database
) throws -> [EnvironmentRow] {
    let columns = table.columns.map { column in
        column.isPlace(of: table)
            ? "place & \(RowKey.sequence(of: .max))" : column.bytes(of: table)
    }
    let order = table.keyInSource + (table.hasSequels ? ["id"] : [])
    let (condition, arguments) = try condition(for: range, of: table)
    let statement = try db.cachedStatement(
        sql: """
            SELECT \(columns.joined(separator: ", ")) FROM \(table.source)
            WHERE \(condition)
            ORDER BY \(order.joined(separator: ", ")) LIMIT \(limit)
            """)
    let rows = try Row.fetchCursor(
        statement,
        arguments: StatementArguments([environment.number.databaseValue] + arguments))
    return try Array(
        rows.map { row in
            try zip(table.columns, row.databaseValues).map { try $0.cell(of: $1) }
        })
}

/// Returns a condition and its arguments, without the environment, which is the first argument.
private func condition(
    for range: KeyRange, of table: EnvironmentTable
) throws -> (sql: String, arguments: [DatabaseValue]) {
    let names = table.keyInSource
    let marks = table.key.map(\.mark)
    var sql = table.isKeyedByOrigin ? "records.environment = ?" : "environment = ?"
    var arguments: [DatabaseValue] = []
    for (bound, sign) in [(range.after, ">"), (range.upTo, "<=")] {
        guard let bound else { continue }
        let values = try zip(table.key, bound).map { try $0.value(of: $1) }
        sql += " AND (\(names.joined(separator: ", "))) \(sign) (\(marks.joined(separator: ", ")))"
        arguments += values
        // SQLite uses an index for a key over two tables only by a condition on one of them.
        guard table.isKeyedByOrigin, names.count > 1 else { continue }
        sql += " AND \(names[0]) \(sign.prefix(1))= \(marks[0])"
        arguments.append(values[0])
    }
    return (sql, arguments)
}

// MARK: - Tables

extension EnvironmentTable {
    /// Whether the table stores the record's origin in place of its guid, the first column.
    fileprivate var isKeyedByOrigin: Bool { self == .history || self == .links }

    /// The text after `FROM`, which yields rows in the order of keys.
    fileprivate var source: String {
        isKeyedByOrigin
            ? "records INDEXED BY records_by_guid CROSS JOIN \(rawValue) USING (origin)" : rawValue
    }

    fileprivate var keyInSource: [String] {
        let names = key.map { "\(rawValue).\($0.name)" }
        return isKeyedByOrigin ? ["records.guid"] + names.dropFirst() : names
    }

    private static let originOfBytes =
        "(SELECT origin FROM records WHERE environment = ? AND guid = CAST(? AS TEXT))"

    /// An `INSERT` statement. Its arguments are the environment, the row, and the origin: for a
    /// record its row number; for a row that is keyed by origin, the environment and guid of its
    /// record.
    fileprivate var insertion: String {
        let origin = self == .records ? "?" : isKeyedByOrigin ? Self.originOfBytes : nil
        let names = columns.map { $0.isPlace(of: self) ? "place" : $0.name }
        let values = columns.map(\.mark) + [origin].compactMap(\.self)
        let all = ["environment"] + names + (origin == nil ? [] : ["origin"])
        return """
            INSERT INTO \(rawValue) (\(all.joined(separator: ", ")))
            VALUES (?, \(values.joined(separator: ", ")))
            """
    }
}

// MARK: - Values

extension EnvironmentColumn {
    /// A record's sequence is stored in its row number.
    fileprivate func isPlace(of table: EnvironmentTable) -> Bool {
        table == .records && name == "sequence"
    }

    /// Texts are read and written as bytes, so that any content survives: see `UniqueValue.bytes`.
    fileprivate func bytes(of table: EnvironmentTable) -> String {
        let name = "\(table.rawValue).\(name)"
        return kind == .text ? "CAST(\(name) AS BLOB)" : name
    }

    fileprivate var mark: String { kind == .text ? "CAST(? AS TEXT)" : "?" }

    fileprivate func value(of cell: Cell) throws -> DatabaseValue {
        switch kind {
        case .integer, .flag: try integer(of: cell)?.databaseValue ?? .null
        case .text, .bytes: try bytes(of: cell).map { Data($0).databaseValue } ?? .null
        case .texts: try texts(of: cell).map { try json($0).databaseValue } ?? .null
        }
    }

    fileprivate func cell(of value: DatabaseValue) throws -> Cell {
        guard !value.isNull else { return .null }
        let cell: Cell? =
            switch kind {
            case .integer, .flag: Int64.fromDatabaseValue(value).map(Cell.integer)
            case .text, .bytes: Data.fromDatabaseValue(value).map { .bytes(Array($0)) }
            case .texts:
                try String.fromDatabaseValue(value).map {
                    .texts(try JSONDecoder().decode([String].self, from: Data($0.utf8)))
                }
            }
        guard let cell else {
            throw StoreError.unreadable(
                "column '\(name)' of a row is of another type", remedy: .backup)
        }
        return cell
    }
}
