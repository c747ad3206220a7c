import AccessPolicy
import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func search<Result: Sendable>(
        in environment: EnvironmentID, readingNames: Bool,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Result
    ) async throws(StoreError) -> Result {
        try await read { db in
            try body(SQLiteSearch(in: environment, readingNames: readingNames, db))
        }
    }
}

/// A read transaction of a reader.
struct SQLiteSearch: SearchTransaction {
    let environment: EnvironmentID
    let reader: StatementCache
    /// The columns of found records.
    let columns: String

    init(in environment: EnvironmentID, readingNames: Bool, _ db: Database) {
        self.environment = environment
        columns = readingNames ? FoundRecord.columnsWithName : FoundRecord.columns
        reader = StatementCache(db)
    }

    func currentState() throws -> CurrentState {
        try SQLiteStore.currentState(of: environment, reader)
    }

    func records(_ guids: [String], maxBytes: Int) throws -> [FoundRecord?] {
        let statement = try reader.statement(
            "SELECT \(columns) FROM records WHERE environment = ? AND guid = ?")
        var (found, bytes) = ([FoundRecord?](), 0)
        for guid in guids where bytes < maxBytes {
            let record = try statement.first([.integer(environment.number), .text(guid)]) {
                try FoundRecord(row: $0)
            }
            found.append(record)
            bytes += record?.fieldBytes ?? 0
        }
        return found
    }

    func models(_ guids: [String]) throws -> [String?] {
        try texts(of: guids, by: "SELECT model FROM records WHERE environment = ? AND guid = ?")
    }

    func names(_ guids: [String]) throws -> [String?] {
        try texts(of: guids, by: "SELECT name FROM names WHERE environment = ? AND guid = ?")
    }

    /// - Parameter line: That of the caller, each of which asks for another text.
    private func texts(
        of guids: [String], by text: String, line: UInt = #line
    ) throws -> [String?] {
        let statement = try reader.statement(text, line: line)
        return try guids.map { guid in
            try statement.first([.integer(environment.number), .text(guid)]) { try $0.text(0) }
        }
    }

    func openConflicts(of guids: [String]) throws -> [[StoredConflict]] {
        try guids.map { try SQLiteStore.openConflicts(of: $0, in: environment, reader.db) }
    }
}

// MARK: - Lists

extension SQLiteSearch {
    func holders(of values: [UniqueValue]) throws -> [String] {
        try values.compactMap { try holder(of: $0, in: environment, reader.db) }
    }

    /// In the order of their last change.
    func disputedTombstones(
        of model: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        let statement = try reader.statement(
            """
            SELECT \(columns) FROM records INDEXED BY records_disputed
            WHERE environment = ?1 AND model = ?2 AND is_deleted AND is_conflicted
                AND place > ifnull((SELECT place FROM records
                    WHERE environment = ?1 AND guid = ?3), 0)
            ORDER BY place LIMIT ?4
            """)
        return try found(
            by: statement,
            [.integer(environment.number), .text(model), .text(guid ?? "")], atMost: limit)
    }

    /// In the order of their origins.
    func records(
        naming target: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        let statement = try reader.statement(
            """
            SELECT \(columns)
            FROM links INDEXED BY links_by_target CROSS JOIN records
                ON records.environment = links.environment AND records.guid = links.source
            WHERE links.environment = ?1 AND links.target = ?2
                AND links.origin > ifnull((SELECT origin FROM records
                    WHERE environment = ?1 AND guid = ?3), 0)
            ORDER BY links.origin LIMIT ?4
            """)
        return try found(
            by: statement,
            [.integer(environment.number), .text(target), .text(guid ?? "")], atMost: limit)
    }

    func linkCount(to target: String, upTo max: Int) throws -> Int {
        let statement = try reader.statement(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM links WHERE environment = ? AND target = ? LIMIT ?)
            """)
        return try count(
            by: statement,
            [.integer(environment.number), .text(target), .integer(Int64(max))])
    }
}

// MARK: - Changes

extension SQLiteSearch {
    func history(
        of guid: String, after place: HistoryPosition, atMost limit: ReadLimit
    ) throws -> [PlacedHistoryEntry] {
        let statement = try reader.statement(
            """
            SELECT \(HistoryEntry.columns), id FROM history
            WHERE origin = \(originOfRecord) AND (revision, id) > (?, ?)
            ORDER BY revision, id LIMIT ?
            """)
        var (found, bytes) = ([PlacedHistoryEntry](), 0)
        try statement.each([
            .integer(environment.number), .text(guid), .integer(place.revision),
            .integer(place.number), .integer(Int64(limit.rows)),
        ]) { row in
            let entry = try HistoryEntry(row: row)
            found.append(
                PlacedHistoryEntry(number: try row.number(10, as: .sequence), entry: entry))
            bytes += entry.fieldsText.utf8.count
            return bytes >= limit.bytes ? .stop : .goOn
        }
        return found
    }

    func historyAmount(of guid: String) throws -> StoredAmount {
        let statement = try reader.statement(
            "SELECT fields FROM history WHERE origin = \(originOfRecord)")
        var (rows, bytes) = (0, 0)
        try statement.each([.integer(environment.number), .text(guid)]) { row in
            (rows, bytes) = (rows + 1, bytes + (try row.bytes(0).count))
            return .goOn
        }
        return StoredAmount(rows: rows, bytes: bytes)
    }

    func firstChange(after sequence: Int64) throws -> ChangePoint? {
        let places = RowKey.after(sequence, in: environment)
        let statement = try reader.statement(
            """
            SELECT place, changed_at FROM records WHERE place >= ? AND place < ?
            ORDER BY place LIMIT 1
            """)
        return try statement.first([.integer(places.lowerBound), .integer(places.upperBound)]) {
            ChangePoint(
                sequence: RowKey.sequence(of: $0.number(0)),
                stamp: try $0.instant(1))
        }
    }

    func records(
        of model: String, changedAfter sequence: Int64, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        let places = RowKey.after(sequence, in: environment)
        let statement = try reader.statement(
            """
            SELECT \(columns) FROM records WHERE place >= ? AND place < ? AND model = ?
            ORDER BY place LIMIT ?
            """)
        return try found(
            by: statement,
            [.integer(places.lowerBound), .integer(places.upperBound), .text(model)],
            atMost: limit)
    }
}

// MARK: - Pulls by time

extension SQLiteSearch {
    /// Reads the name of a record on its own: few records have one.
    func stampedRecords(
        of model: String, changedAfter sequence: Int64, atMost count: Int, maxBytes: Int
    ) throws -> StampedRecords {
        let places = RowKey.after(sequence, in: environment)
        let statement = try reader.statement(
            """
            SELECT \(ReadRecord.columns), created_at, changed_at FROM records
            WHERE place >= ? AND place < ? AND model = ? ORDER BY place LIMIT ?
            """)
        var records = StampedRecords()
        try statement.each([
            .integer(places.lowerBound), .integer(places.upperBound), .text(model),
            .integer(Int64(count)),
        ]) { row in
            let record = try ReadRecord(row)
            records.append(
                record,
                StampedRecords.Stamps(
                    createdAt: try row.instant(11), changedAt: try row.instant(12)),
                name: try name(of: record.guid))
            records.hasMore = records.count == count || records.textBytes >= maxBytes
            return records.hasMore ? .stop : .goOn
        }
        return records
    }

    private func name(of guid: UnsafeBufferPointer<UInt8>) throws -> String? {
        guard RecordNaming.mayStandForName(guid) else { return nil }
        return try names([String(decoding: guid, as: UTF8.self)])[0]
    }

    func purgedRecords(
        of model: String, deletedAfter sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [FoundRecord] {
        let statement = try reader.statement(
            """
            SELECT guid, model, owner, group_name, created, created_at, sequence, changed_at,
                (SELECT name FROM names
                WHERE names.environment = swept.environment AND names.guid = swept.guid)
            FROM swept INDEXED BY swept_by_deletion
            WHERE environment = ?1 AND model = ?2 AND sequence > ?3 AND sequence <= ?4
                AND sequence > 0
            ORDER BY sequence LIMIT ?5
            """)
        return try found(by: statement, after: sequence, last, count, of: model) { row in
            try FoundRecord(withoutFields: row)
        }
    }

    func reassignments(
        of model: String, after sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [Reassignment] {
        let shared = ["model", "owner", "group_name", "created", "created_at"]
            .map { "coalesce(records.\($0), swept.\($0))" }.joined(separator: ", ")
        let statement = try reader.statement(
            """
            SELECT moves.guid, \(shared), moves.sequence, moves.stamp,
                (SELECT name FROM names
                WHERE names.environment = moves.environment AND names.guid = moves.guid),
                moves.owner, moves.group_name
            FROM moves INDEXED BY moves_by_sequence
                LEFT JOIN records ON records.environment = moves.environment
                    AND records.guid = moves.guid
                LEFT JOIN swept ON swept.environment = moves.environment
                    AND swept.guid = moves.guid
            WHERE moves.environment = ?1 AND coalesce(records.model, swept.model) = ?2
                AND moves.sequence > ?3 AND moves.sequence <= ?4 AND moves.stamp > 0
            ORDER BY moves.sequence LIMIT ?5
            """)
        return try found(by: statement, after: sequence, last, count, of: model) { row in
            Reassignment(
                found: try FoundRecord(withoutFields: row),
                former: Ownership(owner: try row.text(9), group: try row.text(10)))
        }
    }

    func firstReassignment(after sequence: Int64, through last: Int64) throws -> ChangePoint? {
        let statement = try reader.statement(
            """
            SELECT sequence, stamp FROM moves INDEXED BY moves_by_sequence
            WHERE environment = ? AND sequence > ? AND sequence <= ? AND stamp > 0
            ORDER BY sequence LIMIT 1
            """)
        return try statement.first([
            .integer(environment.number), .integer(sequence), .integer(last),
        ]) {
            ChangePoint(sequence: try $0.number(0, as: .sequence), stamp: try $0.instant(1))
        }
    }

    /// The environment, the model, two sequences and the number are the parameters.
    private func found<Found>(
        by statement: RepeatedStatement, after sequence: Int64, _ last: Int64, _ count: Int,
        of model: String, _ read: (StatementRow) throws -> Found
    ) throws -> [Found] {
        var found: [Found] = []
        try statement.each([
            .integer(environment.number), .text(model), .integer(sequence), .integer(last),
            .integer(Int64(count)),
        ]) { row in
            found.append(try read(row))
            return .goOn
        }
        return found
    }

    func ownershipChanges(of guids: [String], after sequence: Int64) throws -> [[OwnershipChange]] {
        try guids.map {
            try SQLiteStore.ownershipChanges(
                of: $0, after: sequence, in: environment, reader.db)
        }
    }

    func readPolicyChanges(of login: String) throws -> [ReadPolicyChange] {
        let statement = try reader.statement(
            """
            SELECT stamp, sequence, login, former FROM sight_changes
            WHERE environment = ? AND login IN ('', ?) ORDER BY stamp
            """)
        var changes: [ReadPolicyChange] = []
        try statement.each([.integer(environment.number), .text(login)]) { row in
            changes.append(
                ReadPolicyChange(
                    stamp: try row.instant(0), sequence: try row.number(1, as: .sequence),
                    login: try row.text(2), former: try row.text(3)))
            return .goOn
        }
        return changes
    }
}

// MARK: - Rows

extension SQLiteSearch {
    /// The number of rows is the last parameter.
    func found(
        by statement: RepeatedStatement, _ values: [RepeatedStatement.Value],
        atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        var (found, bytes) = ([FoundRecord](), 0)
        try statement.each(values + [.integer(Int64(limit.rows))]) { row in
            let record = try FoundRecord(row: row)
            found.append(record)
            bytes += record.fieldBytes
            return bytes >= limit.bytes ? .stop : .goOn
        }
        return found
    }

    func count(
        by statement: RepeatedStatement, _ values: [RepeatedStatement.Value]
    ) throws -> Int {
        try statement.first(values) { Int($0.number(0)) } ?? 0
    }
}
