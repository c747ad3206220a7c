import SyncEngine

/// Small pages that one statement reads for many calls.
///
/// A client usually pulls a few new records. A page is read separately if it has more records than
/// these limits allow, or a record that needs more than its own row.
struct LittlePages: Sendable {
    static let mostRecords = 16
    /// Maximum size of the fields; the record that reaches it is included, unless it is as large by
    /// itself: then its fields come as an empty text.
    static let mostBytes = 64 << 10

    private let environment: EnvironmentID
    /// In the order of the calls; nil if no page is requested, or if it may be large.
    private let requests: [PageRequest?]
    /// The requests without duplicates.
    private let distinct: [PageRequest]

    /// `sequence` is the environment's last sequence or an earlier one.
    init(_ requests: [PageRequest?], in environment: EnvironmentID, at sequence: Int64) {
        self.environment = environment
        self.requests = requests.map { request in
            request.flatMap { $0.isLittle(at: sequence) ? $0 : nil }
        }
        distinct = Array(Set(self.requests.compactMap { $0 }))
    }

    /// At most one statement.
    var statements: [Statement] {
        guard !distinct.isEmpty else { return [] }
        let read = distinct.map(\.little)
        return [
            Statement(
                Self.text,
                [
                    .integer(environment.number), .integers(read.map(\.afterSequence)),
                    .integers(read.map { Int64(RecordScan(of: $0).count) }),
                    .integers(read.map { Int64($0.maxBytes) }), .flags(read.map(\.skipsDeleted)),
                ])
        ]
    }

    /// The arrays are subqueries so that the generic plan is used, as for `BatchQuery`.
    private static let text = """
        SELECT number, fingerprint, environments.version, environments.sequence, horizon,
            last_stamp, page.*
        FROM environments JOIN versions ON versions.id = environments.version
        CROSS JOIN unnest((SELECT $2::bigint[]), (SELECT $3::bigint[]), (SELECT $4::bigint[]),
            (SELECT $5::boolean[]))
            WITH ORDINALITY AS wanted (after, most, most_bytes, skips_deleted, number)
        LEFT JOIN LATERAL (
            \(RecordScan.selection(
                from: withoutLargeFields, after: "wanted.after", limit: "wanted.most",
                bytes: "wanted.most_bytes",
                skipsDeleted: "wanted.skips_deleted"))
        ) AS page ON true
        WHERE environments.id = $1 ORDER BY number, page.sequence
        """

    private static let withoutLargeFields = """
        (SELECT environment, sequence, created, moved, guid, model, owner, group_name, revision,
            is_deleted, is_conflicted,
            CASE WHEN octet_length(fields) < \(mostBytes) THEN fields ELSE '' END AS fields
            FROM records) AS records
        """

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
            pages[request] = request.page(of: records, at: state)
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
            maxBytes: min(maxBytes, LittlePages.mostBytes), skipsDeleted: skipsDeleted,
            knownSequence: knownSequence)
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
        scan.take(records, .none)
        guard let hasMore = scan.hasMore, !hasMore || scan.isFull(for: self) else { return nil }
        return scan.page(at: state)
    }
}
