package import SyncEngine

extension PostgresDatabase: Store {
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        try await read { transaction in
            var scan = Scan(of: request)
            let first = try transaction.rows(of: [
                currentState(of: request.environment), scan.next,
            ])
            let state = try CurrentState(first[0])
            try scan.take(first[1], transaction)
            while scan.hasMore == nil {
                try scan.take(try transaction.rows(of: [scan.next])[0], transaction)
            }
            let hasMore = scan.hasMore ?? false
            return Page(
                fingerprint: state.fingerprint, horizon: state.moment.horizon,
                content: scan.records,
                conflicts: scan.conflicts,
                lastSequence: hasMore
                    ? scan.lastSequence : max(request.afterSequence, state.moment.sequence),
                scanned: scan.scanned, bytes: scan.bytes, hasMore: hasMore)
        }
    }

    package func count(_ span: RecordSpan) async throws(StoreError) -> SpanCount {
        try await read { transaction in
            let rows = try transaction.rows(of: [
                currentState(of: span.environment),
                Statement(
                    """
                    SELECT count(*) FROM records
                    WHERE environment = $1 AND sequence > $2 AND sequence <= $3
                    """,
                    [
                        .integer(span.environment.number), .integer(span.after),
                        .integer(span.through),
                    ]),
            ])
            var count = rows[1].first
            return SpanCount(
                records: try count?.int() ?? 0, moment: try CurrentState(rows[0]).moment)
        }
    }
}

/// Walks the environment's records from where a request starts, some at a time, until the page is
/// full.
private struct Scan {
    private let request: PageRequest
    private(set) var records = PageRecords()
    private(set) var conflicts: [String: [StoredConflict]] = [:]
    private(set) var lastSequence: Int64
    private(set) var scanned = 0
    private(set) var bytes = 0
    /// Whether something comes after what was looked at; nil until that is known.
    private(set) var hasMore: Bool?

    init(of request: PageRequest) {
        self.request = request
        lastSequence = request.afterSequence
    }

    private var isFull: Bool {
        records.count >= request.limit || scanned >= request.maxScanned
            || bytes >= request.maxBytes
    }

    /// One more than is wanted shows whether there is one.
    private var count: Int {
        min(request.limit - records.count, request.maxScanned - scanned, 1000) + 1
    }

    /// Some records, as far as there is room for their text, and how many there were without that
    /// limit.
    var next: Statement {
        Statement(
            """
            SELECT sequence, created, moved, total, \(Columns.record) FROM (
                SELECT *, sum(size) OVER (ORDER BY sequence) - size AS before,
                    count(*) OVER () AS total
                FROM (SELECT *, CASE WHEN $5 AND is_deleted AND NOT is_conflicted
                        THEN 0 ELSE octet_length(fields) END AS size
                    FROM records WHERE environment = $1 AND sequence > $2
                    ORDER BY sequence LIMIT $3) AS next) AS measured
            WHERE before < $4 ORDER BY sequence
            """,
            [
                .integer(request.environment.number), .integer(lastSequence),
                .integer(Int64(count)), .integer(Int64(max(1, request.maxBytes - bytes))),
                .flag(request.skipsDeleted),
            ])
    }

    mutating func take(_ rows: Rows, _ transaction: Transaction) throws {
        let wanted = count
        let found = try rows.map { try Found(row: &$0) }
        let details = try Details(of: found, for: request, transaction)
        for one in found {
            guard !isFull else {
                hasMore = true
                return
            }
            take(one, details)
        }
        let total = found.first?.total ?? 0
        if total < wanted && found.count == total { hasMore = false }
    }

    private mutating func take(_ found: Found, _ details: Details) {
        let record = found.record
        lastSequence = found.sequence
        scanned += 1
        if request.skipsDeleted && record.isDeleted && !record.isConflicted { return }
        bytes += record.fieldsText.utf8.count
        if record.isConflicted {
            let open = details.conflicts[record.guid] ?? []
            conflicts[record.guid] = open
            bytes += open.reduce(0) { $0 + $1.text.utf8.count }
        }
        records.append(
            record,
            RecordPast(
                created: found.created, lastChanged: found.sequence,
                moves: details.moves[record.guid] ?? []))
    }
}

private struct Found {
    let sequence: Int64
    let created: Int64
    let moved: Int64
    let total: Int
    let record: StoredRecord

    init(row: inout Row) throws {
        sequence = try row.int64()
        created = try row.int64()
        moved = try row.int64()
        total = try row.int()
        record = try StoredRecord(row: &row)
    }
}

/// What is known of records beside themselves, by guid.
private struct Details {
    private(set) var conflicts = ByBytes<[StoredConflict]>([])
    private(set) var moves = ByBytes<[OwnershipMove]>([])

    init(of found: [Found], for request: PageRequest, _ transaction: Transaction) throws {
        let disputed = found.filter(\.record.isConflicted).map(\.record.guid)
        let moved = found.filter { $0.moved > request.knownSequence }.map(\.record.guid)
        guard !disputed.isEmpty || !moved.isEmpty else { return }
        let rows = try transaction.rows(of: [
            openConflicts(of: disputed, in: request.environment),
            PostgresStore.moves(
                of: moved, after: request.knownSequence, in: request.environment),
        ])
        conflicts = try allByText(rows[0]) { try StoredConflict(row: &$0) }
        moves = try allByText(rows[1]) { try OwnershipMove(row: &$0) }
    }
}

/// Each row begins with the guid.
func moves(
    of guids: [String], after sequence: Int64, in environment: EnvironmentID
) -> Statement {
    Statement(
        """
        SELECT guid, \(Columns.move) FROM moves
        WHERE environment = $1 AND guid = ANY ($2) AND sequence > $3 ORDER BY guid, sequence
        """, [.integer(environment.number), .texts(guids), .integer(sequence)])
}

/// Each row begins with the guid.
func openConflicts(of guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT guid, \(Columns.conflict) FROM conflicts
        WHERE environment = $1 AND guid = ANY ($2) AND is_open ORDER BY guid, revision
        """, [.integer(environment.number), .texts(guids)])
}
