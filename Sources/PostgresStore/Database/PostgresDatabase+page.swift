package import SyncEngine

extension PostgresDatabase: Store {
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        guard let observer = commits.observer else { return try await readPage(request) }
        let start = ContinuousClock.now
        defer { observer.readPage(in: start.duration(to: .now)) }
        return try await readPage(request)
    }

    private func readPage(_ request: PageRequest) async throws(StoreError) -> Page {
        if request.limit <= LittlePages.mostRecords, let page = try await littlePage(request) {
            return page
        }
        return try await read { transaction in
            var scan = RecordScan(of: request)
            let first = try transaction.rows(of: [
                currentState(of: request.environment), scan.next,
            ])
            let state = try CurrentState(first[0])
            try scan.take(first[1], transaction)
            while scan.hasMore == nil {
                try scan.take(try transaction.rows(of: [scan.next])[0], transaction)
            }
            return scan.page(at: state)
        }
    }

    private func littlePage(_ request: PageRequest) async throws(StoreError) -> Page? {
        let pages = LittlePages([request], in: request.environment, at: request.afterSequence)
        return try await ask { transaction in
            try pages.pages(in: transaction.rows(of: pages.statements)[0])[0]
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

/// Scans the environment's records in batches from the start of a request, until the page is full.
struct RecordScan {
    private let request: PageRequest
    private(set) var records = PageRecords()
    private(set) var conflicts: [String: [StoredConflict]] = [:]
    private(set) var lastSequence: Int64
    private(set) var scanned = 0
    private(set) var bytes = 0
    /// Whether more records follow; nil until that is known.
    private(set) var hasMore: Bool?

    init(of request: PageRequest) {
        self.request = request
        lastSequence = request.afterSequence
    }

    private var isFull: Bool { isFull(for: request) }

    /// Whether the scan would be full for another request from the same position.
    func isFull(for request: PageRequest) -> Bool {
        records.count >= request.limit || scanned >= request.maxScanned
            || bytes >= request.maxBytes
    }

    /// Number of rows to read next. One extra row shows whether more follow.
    var count: Int {
        min(request.limit - records.count, request.maxScanned - scanned, 1000) + 1
    }

    /// Selects records after a sequence until their text reaches the limit in bytes, with the
    /// number of records without that limit. The environment is the first parameter.
    static func selection(
        after: String, limit: String, bytes: String, skipsDeleted: String
    ) -> String {
        """
        SELECT sequence, created, moved, total, \(Columns.record) FROM (
            SELECT *, sum(size) OVER (ORDER BY sequence) - size AS before,
                count(*) OVER () AS total
            FROM (SELECT *, CASE WHEN \(skipsDeleted) AND is_deleted AND NOT is_conflicted
                    THEN 0 ELSE octet_length(fields) END AS size
                FROM records WHERE environment = $1 AND sequence > \(after)
                ORDER BY sequence LIMIT \(limit)) AS next) AS measured
        WHERE before < \(bytes)
        """
    }

    var next: Statement {
        Statement(
            Self.selection(after: "$2", limit: "$3", bytes: "$4", skipsDeleted: "$5")
                + " ORDER BY sequence",
            [
                .integer(request.environment.number), .integer(lastSequence),
                .integer(Int64(count)), .integer(Int64(max(1, request.maxBytes - bytes))),
                .flag(request.skipsDeleted),
            ])
    }

    mutating func take(_ rows: Rows, _ transaction: Transaction) throws {
        let found = try rows.map { try ScannedRecord(row: &$0) }
        take(found, try Details(of: found, for: request, transaction))
    }

    /// Adds records that were read by `next`.
    mutating func take(_ found: [ScannedRecord], _ details: Details) {
        let wanted = count
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

    private mutating func take(_ found: ScannedRecord, _ details: Details) {
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
                ownershipChanges: details.ownershipChanges[record.guid] ?? []))
    }

    /// Makes the page, once `hasMore` is known. All reads must come from one snapshot.
    func page(at state: CurrentState) -> Page {
        let hasMore = hasMore ?? false
        return Page(
            fingerprint: state.fingerprint, purgeHorizon: state.moment.purgeHorizon,
            content: records,
            conflicts: conflicts,
            lastSequence: hasMore
                ? lastSequence : max(request.afterSequence, state.moment.sequence),
            lastScanned: lastSequence, scanned: scanned, bytes: bytes, hasMore: hasMore)
    }
}

struct ScannedRecord {
    let sequence: Int64
    let created: Int64
    let moved: Int64
    /// Number of records without the limit in bytes.
    let total: Int
    let record: StoredRecord

    init(row: inout Row) throws { try self.init(sequence: row.int64(), rest: &row) }

    /// Returns nil if an outer join has found no record.
    init?(optional row: inout Row) throws {
        guard let sequence = try row.optionalInt64() else { return nil }
        try self.init(sequence: sequence, rest: &row)
    }

    private init(sequence: Int64, rest row: inout Row) throws {
        self.sequence = sequence
        created = try row.int64()
        moved = try row.int64()
        total = try row.int()
        record = try StoredRecord(row: &row)
    }
}

/// Open conflicts and ownership changes of records, by guid.
struct Details {
    static var none: Details { Details() }

    private(set) var conflicts = ByBytes<[StoredConflict]>([])
    private(set) var ownershipChanges = ByBytes<[OwnershipChange]>([])

    private init() {}

    init(of found: [ScannedRecord], for request: PageRequest, _ transaction: Transaction) throws {
        let disputed = found.filter(\.record.isConflicted).map(\.record.guid)
        let moved = found.filter { $0.moved > request.knownSequence }.map(\.record.guid)
        guard !disputed.isEmpty || !moved.isEmpty else { return }
        let rows = try transaction.rows(of: [
            openConflicts(of: disputed, in: request.environment),
            PostgresStore.ownershipChanges(
                of: moved, after: request.knownSequence, in: request.environment),
        ])
        conflicts = try allByText(rows[0]) { try StoredConflict(row: &$0) }
        ownershipChanges = try allByText(rows[1]) { try OwnershipChange(row: &$0) }
    }
}

/// The first column is the guid.
func ownershipChanges(
    of guids: [String], after sequence: Int64, in environment: EnvironmentID
) -> Statement {
    Statement(
        """
        SELECT guid, \(Columns.move) FROM moves
        WHERE environment = $1 AND guid = ANY ($2) AND sequence > $3 ORDER BY guid, sequence
        """, [.integer(environment.number), .texts(guids), .integer(sequence)])
}

/// The first column is the guid.
func openConflicts(of guids: [String], in environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT guid, \(Columns.conflict) FROM conflicts
        WHERE environment = $1 AND guid = ANY ($2) AND is_open ORDER BY guid, revision
        """, [.integer(environment.number), .texts(guids)])
}
