import SyncEngine

/// Small pages that one statement reads for many calls.
///
/// A client usually pulls a few new records. A page is read separately if it has more records than
/// these limits allow, or a record that is large or needs more than its own row.
struct LittlePages: Sendable {
    static let mostRecords = 16
    /// The fields of larger records come as an empty text.
    static let maxRecordBytes = 64 << 10
    /// Maximum size of the fields that a statement reads. Pages of many calls have smaller records.
    static let maxBytes = 8 << 20

    private let environment: EnvironmentID
    /// In the order of the calls; nil if no page is requested, or if it may be large.
    private let requests: [PageRequest?]
    /// The requests without duplicates, in the order in which they come first.
    private let distinct: [PageRequest]

    /// `sequence` is the environment's last sequence or an earlier one.
    init(_ requests: [PageRequest?], in environment: EnvironmentID, at sequence: Int64) {
        self.environment = environment
        self.requests = requests.map { request in
            request.flatMap { $0.isLittle(at: sequence) ? $0 : nil }
        }
        var seen: Set<PageRequest> = []
        distinct = self.requests.compactMap { $0 }.filter { seen.insert($0).inserted }
    }

    /// The fields of a record are read if they have fewer bytes.
    private var recordBytes: Int {
        min(Self.maxRecordBytes, Self.maxBytes / (distinct.count * (Self.mostRecords + 1)))
    }

    /// At most one statement.
    var statements: [Statement] {
        guard !distinct.isEmpty else { return [] }
        let rows = RowParameters(distinct.map(\.little))
        return [
            Statement(
                Self.texts[rows.form],
                [
                    .integer(environment.number), rows.integers(\.afterSequence),
                    rows.integers { Int64(RecordScan(of: $0).count) },
                    .integer(Int64(recordBytes)),
                ])
        ]
    }

    private static let texts = RowTexts(numbered: "bigint", "bigint") { rows in
        """
        SELECT number, fingerprint, environments.version, environments.sequence, horizon,
            last_stamp, page.*
        FROM environments JOIN versions ON versions.id = environments.version
        CROSS JOIN \(rows) AS wanted (after, most, number)
        LEFT JOIN LATERAL (
            SELECT sequence, created, moved, guid, model, owner, group_name, revision, is_deleted,
                is_conflicted, CASE WHEN octet_length(fields) < $4 THEN fields ELSE '' END
            FROM records WHERE environment = $1 AND sequence > after
            ORDER BY sequence LIMIT most) AS page ON true
        WHERE environments.id = $1
        """
    }

    /// Returns the page of each call; nil if it must be read separately.
    func pages(in rows: Rows?) throws -> [Page?] {
        guard let rows else { return requests.map { _ in nil } }
        let found = try pages(of: rows)
        return requests.map { request in request.flatMap { found[$0] } }
    }

    private func pages(of rows: Rows) throws -> [PageRequest: Page] {
        var records: [[ScannedRecord]] = distinct.map { _ in [] }
        var state: CurrentState?
        try rows.each { row in
            let number = try row.int()
            guard records.indices.contains(number - 1) else {
                throw StoreError.failed("a row is of no page")
            }
            state = try CurrentState(row: &row)
            if let record = try ScannedRecord(optional: &row) {
                records[number - 1].append(record)
            }
        }
        guard let state else { throw StoreError.environmentGone }
        var pages: [PageRequest: Page] = [:]
        for (request, records) in zip(distinct, records) {
            pages[request] = request.page(
                of: records.sorted { $0.sequence < $1.sequence }, at: state)
        }
        return pages
    }
}

extension PageRequest {
    /// Whether the page has few records. Each sequence belongs to at most one record.
    fileprivate func isLittle(at sequence: Int64) -> Bool {
        limit <= LittlePages.mostRecords
            || sequence - afterSequence <= Int64(LittlePages.mostRecords)
    }

    fileprivate var little: PageRequest {
        var request = PageRequest(
            environment: environment, afterSequence: afterSequence,
            limit: min(limit, LittlePages.mostRecords),
            maxScanned: min(maxScanned, LittlePages.mostRecords),
            maxBytes: maxBytes, skipsDeleted: skipsDeleted, knownSequence: knownSequence)
        request.readable = readable
        return request
    }

    /// Returns nil if a record needs more than its row, or if only the limits of small pages end
    /// the page.
    fileprivate func page(of records: [ScannedRecord], at state: CurrentState) -> Page? {
        let needsMore = records.contains {
            $0.record.isConflicted || $0.moved > knownSequence || $0.record.fieldsText.isEmpty
        }
        guard !needsMore else { return nil }
        var scan = RecordScan(of: little)
        scan.take(records, of: records.count, .none)
        guard let hasMore = scan.hasMore, !hasMore || scan.isFull(for: self) else { return nil }
        return scan.page(at: state)
    }
}
