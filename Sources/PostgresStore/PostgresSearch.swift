import AccessPolicy
import DefinitionModel
package import SyncEngine

extension PostgresDatabase {
    package func search<Result: Sendable>(
        in environment: EnvironmentID, readingNames: Bool,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Result
    ) async throws(StoreError) -> Result {
        try await read { transaction in
            try body(
                PostgresSearch(
                    environment: environment, transaction: transaction,
                    columns: readingNames ? Columns.foundWithName : Columns.found))
        }
    }
}

/// A read transaction. Each read takes one round trip.
struct PostgresSearch: SearchTransaction {
    let environment: EnvironmentID
    let transaction: PGTransaction
    /// The columns of found records.
    let columns: String

    var key: Parameter { .integer(environment.number) }

    func currentState() throws -> CurrentState {
        try CurrentState(transaction.rows(of: [PostgresStore.currentState(of: environment)])[0])
    }

    func records(_ guids: [String], maxBytes: Int) throws -> [FoundRecord?] {
        guard guids.count == 1 || maxBytes == .max else {
            return try measuredRecords(guids, maxBytes: maxBytes)
        }
        let found = Dictionary(
            first: try found(
                "SELECT \(columns) FROM records WHERE environment = $1 AND guid = ANY ($2)",
                [key, .texts(guids)]
            ).map { ($0.record.guid, $0) })
        return guids.map { found[ByteKey($0)] }
    }

    private func measuredRecords(_ guids: [String], maxBytes: Int) throws -> [FoundRecord?] {
        var found = [FoundRecord?](repeating: nil, count: guids.count)
        var (last, bytes) = (0, 0)
        try transaction.rows(
            """
            SELECT number, \(Self.readColumns) FROM (
                SELECT *, sum(octet_length(fields)) OVER (ORDER BY number)
                    - octet_length(fields) AS before
                FROM (SELECT number, \(columns) AS name
                    FROM unnest((SELECT $2::text[])) WITH ORDINALITY
                        AS wanted (wanted_guid, number)
                    JOIN records ON environment = $1 AND guid = wanted_guid) AS next) AS measured
            WHERE before < $3 ORDER BY number
            """, [key, .texts(guids), .integer(Int64(maxBytes))]
        ).each { row in
            last = try row.int() - 1
            let record = try FoundRecord(row: &row)
            found[last] = record
            bytes += record.fieldBytes
        }
        return bytes < maxBytes ? found : Array(found[...last])
    }

    /// The columns of found records in a subquery that calls the last one `name`.
    private static let readColumns =
        "\(Columns.record), created, created_at, sequence, changed_at, name"

    func models(_ guids: [String]) throws -> [String?] {
        try texts(
            of: guids,
            by: "SELECT guid, model FROM records WHERE environment = $1 AND guid = ANY ($2)")
    }

    func names(_ guids: [String]) throws -> [String?] {
        try texts(
            of: guids,
            by: "SELECT guid, name FROM names WHERE environment = $1 AND guid = ANY ($2)")
    }

    private func texts(of guids: [String], by statement: String) throws -> [String?] {
        let rows = try transaction.rows(statement, [key, .texts(guids)])
        let texts = Dictionary(first: try rows.map { (try $0.text(), try $0.text()) })
        return guids.map { texts[ByteKey($0)] }
    }

    func openConflicts(of guids: [String]) throws -> [[StoredConflict]] {
        let statement = PostgresStore.openConflicts(of: guids, in: environment)
        let conflicts = try allByText(transaction.rows(of: [statement])[0]) {
            try StoredConflict(row: &$0)
        }
        return guids.map { conflicts[ByteKey($0)] ?? [] }
    }

    private func found(_ text: String, _ parameters: [Parameter]) throws -> [FoundRecord] {
        try transaction.rows(text, parameters).map { try FoundRecord(row: &$0) }
    }

    /// Reads the first records of a source, the text after `FROM`, in an order. The size of a text
    /// is known without reading it.
    func found(
        in source: String, by order: String, _ parameters: [Parameter], atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try rows(
            Self.readColumns, of: "\(columns) AS name", in: source, by: order, parameters,
            atMost: limit
        ).map { try FoundRecord(row: &$0) }
    }

    /// Reads columns of a subquery that selects `inner` ones, the fields among them.
    func rows(
        _ outer: String, of inner: String, in source: String, by order: String,
        _ parameters: [Parameter], atMost limit: ReadLimit
    ) throws -> Rows {
        let count = parameters.count
        return try transaction.rows(
            """
            SELECT \(outer) FROM (
                SELECT *, sum(octet_length(fields)) OVER (ORDER BY \(order))
                    - octet_length(fields) AS before
                FROM (SELECT \(inner) FROM \(source)
                    ORDER BY \(order) LIMIT $\(count + 1)) AS next) AS measured
            WHERE before < $\(count + 2) ORDER BY \(order)
            """,
            parameters + [.integer(Int64(limit.rows)), .integer(Int64(limit.bytes))])
    }
}

// MARK: - Lists

extension PostgresSearch {
    func holders(of values: [UniqueValue]) throws -> [String] {
        let statement = PostgresStore.holders(of: values, in: environment)
        return try transaction.rows(of: [statement])[0].map { row in
            _ = try row.int()
            return try row.text()
        }
    }

    /// In the order of their guids.
    func disputedTombstones(
        of model: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try found(
            in: """
                records WHERE environment = $1 AND model = $2 AND is_deleted AND is_conflicted
                    AND guid > $3
                """, by: "guid", [key, .text(model), .text(guid ?? "")], atMost: limit)
    }

    /// In the order of their guids.
    func records(
        naming target: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try found(
            in: """
                links JOIN records ON records.environment = $1 AND guid = source
                WHERE links.environment = $1 AND target = $2 AND source > $3
                """, by: "guid", [key, .text(target), .text(guid ?? "")], atMost: limit)
    }

    func linkCount(to target: String, upTo max: Int) throws -> Int {
        try transaction.rows(
            "SELECT 1 FROM links WHERE environment = $1 AND target = $2 LIMIT $3",
            [key, .text(target), .integer(Int64(max))]
        ).count
    }
}

// MARK: - Changes

extension PostgresSearch {
    func history(
        of guid: String, after place: HistoryPosition, atMost limit: ReadLimit
    ) throws -> [PlacedHistoryEntry] {
        try transaction.rows(
            """
            SELECT id, \(Columns.entry) FROM (
                SELECT *, sum(octet_length(fields)) OVER (ORDER BY revision, id)
                    - octet_length(fields) AS before
                FROM (SELECT id, \(Columns.entry) FROM history
                    WHERE environment = $1 AND guid = $2 AND (revision, id) > ($3, $4)
                    ORDER BY revision, id LIMIT $5) AS next) AS measured
            WHERE before < $6 ORDER BY revision, id
            """,
            [
                key, .text(guid), .integer(place.revision), .integer(place.number),
                .integer(Int64(limit.rows)), .integer(Int64(limit.bytes)),
            ]
        ).map { row in
            PlacedHistoryEntry(
                number: try row.number(as: .sequence), entry: try HistoryEntry(row: &row))
        }
    }

    func historyAmount(of guid: String) throws -> StoredAmount {
        try transaction.rows(
            """
            SELECT count(*), coalesce(sum(octet_length(fields)), 0)::bigint FROM history
            WHERE environment = $1 AND guid = $2
            """, [key, .text(guid)]
        ).map { StoredAmount(rows: try $0.int(), bytes: try $0.int()) }.first ?? .nothing
    }

    func firstChange(after sequence: Int64) throws -> ChangePoint? {
        try transaction.rows(
            """
            SELECT sequence, changed_at FROM records WHERE environment = $1 AND sequence > $2
            ORDER BY sequence LIMIT 1
            """, [key, .integer(sequence)]
        ).map { row in
            ChangePoint(
                sequence: try row.number(as: .sequence), stamp: try row.instant())
        }.first
    }

    func records(
        of model: String, changedAfter sequence: Int64, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try found(
            in: "records WHERE environment = $1 AND sequence > $2 AND model = $3", by: "sequence",
            [key, .integer(sequence), .text(model)], atMost: limit)
    }
}

// MARK: - Pulls by time

extension PostgresSearch {
    func purgedRecords(
        of model: String, deletedAfter sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [FoundRecord] {
        try found(
            """
            SELECT guid, model, owner, group_name, 1::bigint, true, false, '{}', created,
                created_at, sequence, changed_at, (SELECT name FROM names
                WHERE names.environment = swept.environment AND names.guid = swept.guid)
            FROM swept
            WHERE environment = $1 AND model = $2 AND sequence > $3 AND sequence <= $4
                AND sequence > 0
            ORDER BY sequence LIMIT $5
            """,
            [
                key, .text(model), .integer(sequence), .integer(last), .integer(Int64(count)),
            ])
    }

    func reassignments(
        of model: String, after sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [Reassignment] {
        let shared = ["created", "created_at"]
            .map { "coalesce(records.\($0), swept.\($0))" }.joined(separator: ", ")
        return try transaction.rows(
            """
            SELECT moves.guid, coalesce(records.model, swept.model),
                coalesce(records.owner, swept.owner),
                coalesce(records.group_name, swept.group_name), 1::bigint, true, false, '{}',
                \(shared), moves.sequence, moves.stamp, (SELECT name FROM names
                WHERE names.environment = moves.environment AND names.guid = moves.guid),
                moves.owner, moves.group_name
            FROM moves
                LEFT JOIN records ON records.environment = $1 AND records.guid = moves.guid
                LEFT JOIN swept ON swept.environment = $1 AND swept.guid = moves.guid
            WHERE moves.environment = $1 AND coalesce(records.model, swept.model) = $2
                AND moves.sequence > $3 AND moves.sequence <= $4 AND moves.stamp > 0
            ORDER BY moves.sequence LIMIT $5
            """,
            [
                key, .text(model), .integer(sequence), .integer(last), .integer(Int64(count)),
            ]
        ).map { row in
            let found = try FoundRecord(row: &row)
            return Reassignment(
                found: found, former: Ownership(owner: try row.text(), group: try row.text()))
        }
    }

    func firstReassignment(after sequence: Int64, through last: Int64) throws -> ChangePoint? {
        try transaction.rows(
            """
            SELECT sequence, stamp FROM moves
            WHERE environment = $1 AND sequence > $2 AND sequence <= $3 AND stamp > 0
            ORDER BY sequence LIMIT 1
            """, [key, .integer(sequence), .integer(last)]
        ).map { row in
            ChangePoint(sequence: try row.number(as: .sequence), stamp: try row.instant())
        }.first
    }

    func ownershipChanges(of guids: [String], after sequence: Int64) throws -> [[OwnershipChange]] {
        let statement = PostgresStore.ownershipChanges(
            of: guids, after: sequence, in: environment)
        let changes = try allByText(transaction.rows(of: [statement])[0]) {
            try OwnershipChange(row: &$0)
        }
        return guids.map { changes[ByteKey($0)] ?? [] }
    }

    func readPolicyChanges(of login: String) throws -> [ReadPolicyChange] {
        try transaction.rows(
            """
            SELECT stamp, sequence, login, former FROM sight_changes
            WHERE environment = $1 AND login IN ('', $2) ORDER BY stamp
            """, [key, .text(login)]
        ).map { row in
            ReadPolicyChange(
                stamp: try row.instant(), sequence: try row.number(as: .sequence),
                login: try row.text(), former: try row.text())
        }
    }
}
