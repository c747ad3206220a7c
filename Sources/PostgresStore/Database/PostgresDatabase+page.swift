import DefinitionModel
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
        return try await ask(plans: .generic) { transaction in
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

    var next: Statement {
        let parameters: [Parameter] = [
            .integer(request.environment.number), .integer(lastSequence), .integer(Int64(count)),
            .integer(Int64(max(1, request.maxBytes - bytes))), .flag(request.skipsDeleted),
        ]
        guard let readable = request.readable else {
            return Statement(Self.everyRecord, parameters)
        }
        return Statement(Self.readableRecords, parameters + readable.parameters)
    }

    private static let everyRecord = text(from: "records")
    /// Fields of other records are not read.
    private static let readableRecords = text(
        from: """
            (SELECT environment, sequence, created, moved, guid, model, owner, group_name, revision,
                is_deleted, is_conflicted,
                CASE WHEN \(ReadableRecords.condition) THEN fields ELSE '{}' END AS fields
                FROM records) AS records
            """)

    /// Selects records after a sequence until their text reaches the limit in bytes, each with the
    /// number of records without that limit.
    private static func text(from records: String) -> String {
        """
        SELECT total, sequence, created, moved, \(Columns.record) FROM (
            SELECT *, sum(size) OVER (ORDER BY sequence) - size AS before,
                count(*) OVER () AS total
            FROM (SELECT *, CASE WHEN $5 AND is_deleted AND NOT is_conflicted
                    THEN 0 ELSE octet_length(fields) END AS size
                FROM \(records) WHERE environment = $1 AND sequence > $2
                ORDER BY sequence LIMIT $3) AS next) AS measured
        WHERE before < $4 ORDER BY sequence
        """
    }

    mutating func take(_ rows: Rows, _ transaction: PGTransaction) throws {
        let maxBytes = max(1, request.maxBytes - bytes)
        var total = 0
        let found = try rows.map { row in
            total = try row.int()
            return try ScannedRecord(row: &row)
        }
        let details = try Details(of: found, for: request, maxBytes: maxBytes, transaction)
        take(found, of: total, details)
    }

    /// Adds records that were read, as far as `total` of them reach the limit in bytes.
    mutating func take(_ found: [ScannedRecord], of total: Int, _ details: Details) {
        let wanted = count
        for one in found {
            guard !isFull else {
                hasMore = true
                return
            }
            take(one, details)
        }
        if found.count < total {
            // The limit in bytes has left some.
            if isFull { hasMore = true }
        } else if total < wanted {
            hasMore = false
        }
    }

    private mutating func take(_ found: ScannedRecord, _ details: Details) {
        var record = found.record
        lastSequence = found.sequence
        scanned += 1
        if request.skips(record) { return }
        let isRead = request.reads(OwnedRecord(of: record))
        if !isRead { record.fieldsText = "{}" }
        bytes += record.fieldsText.utf8.count
        if record.isConflicted, isRead {
            let open = details.conflicts[ByteKey(record.guid)] ?? []
            conflicts[record.guid] = open
            bytes += open.reduce(0) { $0 + $1.text.utf8.count }
        }
        records.append(
            record,
            RecordPast(
                created: found.created, lastChanged: found.sequence,
                ownershipChanges: details.ownershipChanges[ByteKey(record.guid)] ?? []))
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
    let record: StoredRecord

    init(row: inout Row) throws { try self.init(sequence: row.number(as: .sequence), rest: &row) }

    /// Returns nil if an outer join has found no record.
    init?(optional row: inout Row) throws {
        guard let sequence = try row.optionalInt64() else { return nil }
        try self.init(sequence: row.checked(sequence, as: .sequence), rest: &row)
    }

    private init(sequence: Int64, rest row: inout Row) throws {
        self.sequence = sequence
        created = try row.number(as: .sequence)
        moved = try row.number(as: .sequence)
        record = try StoredRecord(row: &row)
    }
}

/// Open conflicts and ownership changes of records, by guid.
struct Details {
    static var none: Details { Details() }

    private(set) var conflicts = [ByteKey: [StoredConflict]]()
    private(set) var ownershipChanges = [ByteKey: [OwnershipChange]]()

    private init() {}

    /// Conflicts of the records with which `maxBytes` are exceeded are left out.
    init(
        of found: [ScannedRecord], for request: PageRequest, maxBytes: Int,
        _ transaction: PGTransaction
    ) throws {
        let moved = found.filter { $0.moved > request.knownSequence }.map(\.record.guid)
        let disputed = Disputed(
            of: found.map(\.record).filter { !request.skips($0) }, limit: maxBytes
        ) { request.reads(OwnedRecord(of: $0)) }
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

extension PageRequest {
    /// Whether the record does not come at all.
    fileprivate func skips(_ record: StoredRecord) -> Bool {
        skipsDeleted && record.isDeleted && !record.isConflicted
    }
}

extension ReadableRecords {
    /// Whether a row of `records` is among them, by the parameters from the sixth one on.
    fileprivate static let condition = """
        ((($6::bigint[])[array_position($7::text[], model)]
            >> ((owner = $8)::int + 2 * (group_name = $9)::int)) & 1) = 1
        """

    fileprivate var parameters: [Parameter] {
        let masks = masks
        return [
            .integers(masks.map(\.mask)), .texts(masks.map(\.model)), .text(login), .text(group),
        ]
    }
}

/// Records of a page with open conflicts, whose conflicts are read until the page is full.
struct Disputed {
    private var guids: [String] = []
    /// For each, the size of the fields of the page's records before it.
    private var bytesBefore: [Int64] = []
    private let limit: Int64

    /// `records` are those of the page, in its order.
    init(
        of records: [StoredRecord], limit: Int,
        reading isRead: (StoredRecord) -> Bool = { _ in true }
    ) {
        self.limit = Int64(limit)
        var bytes: Int64 = 0
        for record in records {
            if record.isConflicted, isRead(record) {
                guids.append(record.guid)
                bytesBefore.append(bytes)
            }
            bytes += Int64(record.fieldsText.utf8.count)
        }
    }

    var isEmpty: Bool { guids.isEmpty }

    fileprivate var parameters: [Parameter] {
        [.texts(guids), .integers(bytesBefore), .integer(limit)]
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

/// The first column is the guid. Ends with the record that reaches the limit of bytes, whose
/// conflicts are all read. The size of a text is known without reading it.
func openConflicts(of disputed: Disputed, in environment: EnvironmentID) -> Statement {
    Statement(
        """
        WITH measured AS (
            SELECT wanted_guid, number, sum(size) OVER (ORDER BY number) - size + before AS before
            FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY
                AS wanted (wanted_guid, before, number)
            CROSS JOIN LATERAL (SELECT coalesce(sum(octet_length(sides)), 0) AS size
                FROM conflicts
                WHERE environment = $1 AND guid = wanted_guid AND is_open OFFSET 0) AS sizes)
        SELECT guid, \(Columns.conflict)
        FROM measured JOIN conflicts ON environment = $1 AND guid = wanted_guid AND is_open
        WHERE before < $4 ORDER BY number, revision
        """, [.integer(environment.number)] + disputed.parameters)
}
