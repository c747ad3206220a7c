package import SyncEngine

extension PostgresDatabase: CopyableStore {
    package func snapshot() async throws(StoreError) -> any StoreSnapshot {
        let snapshot = PostgresSnapshot()
        do {
            try await snapshot.open(self)
        } catch {
            await snapshot.close()
            throw StoreError(error)
        }
        return snapshot
    }

    package func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID {
        try await write { transaction in
            let id = try stagedEnvironment(named: name, transaction)
            _ = try transaction.rows(of: replacement(of: head, in: id))
            return id
        }
    }

    package func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            let reading = try selection(of: table, in: environment, range, limit: rows.count + 1)
            let present = try table.rows(try transaction.rows(of: [reading])[0])
            guard present != rows else { return false }
            let deletion = try present.isEmpty ? [] : [deletion(of: table, in: environment, range)]
            _ = try transaction.rows(
                of: deletion + insertions(of: rows, into: table, in: environment))
            return true
        }
    }

    package func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            _ = try transaction.rows(of: insertions(of: rows, into: table, in: environment))
        }
    }

    package func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await write { transaction in
            try transaction.rows(
                """
                UPDATE environments SET name = $2
                WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM environments WHERE name = $2)
                """, [.integer(environment.number), .text(name)]
            ).changedCount == 1
        }
    }
}

/// Inserts the environment if it does not exist, and locks it. The same transaction must set its
/// version. If two processes insert the same name, the second waits and gets the row of the first.
private func stagedEnvironment(
    named name: String, _ transaction: PGTransaction
) throws -> EnvironmentID {
    let rows = try transaction.rows(of: [
        Statement(
            """
            INSERT INTO environments (name, instance, version) VALUES ($1, '', 0)
            ON CONFLICT DO NOTHING
            """, [.text(name)]),
        Statement("SELECT id FROM environments WHERE name = $1 FOR NO KEY UPDATE", [.text(name)]),
    ])
    guard var row = rows[1].first else { throw StoreError.environmentGone }
    return EnvironmentID(number: try row.number(as: .environment))
}

private func replacement(of head: EnvironmentHead, in environment: EnvironmentID) -> [Statement] {
    let id = Parameter.integer(environment.number)
    let versions = head.versions.flatMap { insertion(of: $0, in: environment) }
    let update = Statement(
        """
        UPDATE environments SET instance = $2, sequence = $3, horizon = $4, cursor_key = $5,
            last_notification = $6, last_claimed = $7, last_stamp = $8, name_key = $9,
            epoch = $10,
            version = (SELECT max(id) FROM versions WHERE environment = $1)
        WHERE id = $1
        """,
        [
            id, .text(head.instance), .integer(head.sequence), .integer(head.purgeHorizon),
            .bytes(head.cursorKey), .integer(head.lastNotification),
            .integer(head.lastClaimedNotification), .integer(head.lastStamp.milliseconds),
            .bytes(head.nameKey), .integer(head.epoch),
        ])
    return [Statement("DELETE FROM versions WHERE environment = $1", [id])] + versions + [update]
}

// MARK: - Statements

func selection(
    of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, limit: Int
) throws -> Statement {
    let (condition, parameters) = try condition(for: range, of: table)
    let columns = table.columns.map(\.name).joined(separator: ", ")
    return Statement(
        """
        SELECT \(columns) FROM \(table.rawValue) WHERE environment = $1\(condition)
        ORDER BY \((table.order + (table.hasSequels ? ["id"] : [])).joined(separator: ", "))
        LIMIT \(limit)
        """, [.integer(environment.number)] + parameters)
}

private func deletion(
    of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange
) throws -> Statement {
    let (condition, parameters) = try condition(for: range, of: table)
    return Statement(
        "DELETE FROM \(table.rawValue) WHERE environment = $1\(condition)",
        [.integer(environment.number)] + parameters)
}

private func insertions(
    of rows: [EnvironmentRow], into table: EnvironmentTable, in environment: EnvironmentID
) throws -> [Statement] {
    let columns = table.columns.map(\.name).joined(separator: ", ")
    let marks = table.columns.indices.map { ", $\($0 + 2)" }.joined()
    return try rows.map { row in
        Statement(
            "INSERT INTO \(table.rawValue) (environment, \(columns)) VALUES ($1\(marks))",
            try [.integer(environment.number)]
                + zip(table.columns, row).map { try $0.parameter(of: $1, in: table) })
    }
}

private func condition(
    for range: KeyRange, of table: EnvironmentTable
) throws -> (text: String, parameters: [Parameter]) {
    var text = ""
    var parameters: [Parameter] = []
    for (bound, sign) in [(range.after, ">"), (range.upTo, "<=")] {
        guard let bound else { continue }
        let marks = zip(table.key, parameters.count + 2..<Int.max).map { column, number in
            column.isHashed(in: table) ? "sha256($\(number))" : "$\(number)"
        }
        let order = table.order.joined(separator: ", ")
        text += " AND (\(order)) \(sign) (\(marks.joined(separator: ", ")))"
        parameters += try zip(table.key, bound).map { try $0.parameter(of: $1, in: table) }
    }
    return (text, parameters)
}

extension EnvironmentTable {
    /// The columns in the order of an index.
    fileprivate var order: [String] {
        key.map { $0.isHashed(in: self) ? "sha256(\($0.name))" : $0.name }
    }

    func rows(_ rows: Rows) throws -> [EnvironmentRow] {
        try rows.map { row in try columns.map { try row.cell(of: $0, in: self) } }
    }
}

// MARK: - Values

extension EnvironmentColumn {
    /// Whether an index contains the hash of the column: the value of a unique field.
    fileprivate func isHashed(in table: EnvironmentTable) -> Bool {
        table == .uniqueValues && name == "value"
    }

    fileprivate func parameter(of cell: Cell, in table: EnvironmentTable) throws -> Parameter {
        switch kind {
        case .integer: .integer(try integer(of: cell))
        case .flag: try integer(of: cell).map { .flag($0 != 0) } ?? .integer(nil)
        case .text where isHashed(in: table): .bytes(try bytes(of: cell))
        case .text: .text(try bytes(of: cell).map { String(decoding: $0, as: UTF8.self) })
        case .bytes: .bytes(try bytes(of: cell))
        case .texts: try texts(of: cell).map(Parameter.texts) ?? .noTexts
        }
    }
}

extension Row {
    fileprivate mutating func cell(
        of column: EnvironmentColumn, in table: EnvironmentTable
    ) throws -> Cell {
        switch column.kind {
        case .integer: try optionalInt64().map(Cell.integer) ?? .null
        case .flag: .flag(try flag())
        case .text where column.isHashed(in: table): .bytes(try bytes())
        case .text: try optionalText().map(Cell.text) ?? .null
        case .bytes: try optionalBytes().map(Cell.bytes) ?? .null
        case .texts: try optionalTexts().map(Cell.texts) ?? .null
        }
    }
}
