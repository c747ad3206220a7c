import GRDB
package import SyncEngine

extension SQLiteDatabase: Store {
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        guard let observer = commits.observer else { return try await readPage(request) }
        let start = ContinuousClock.now
        defer { observer.readPage(in: start.duration(to: .now)) }
        return try await readPage(request)
    }

    private func readPage(_ request: PageRequest) async throws(StoreError) -> Page {
        if request.isLittle(at: accounts.row(of: request.environment)?.moment),
            let page = try translating({ try inlineReader.page(request) })
        {
            return page
        }
        return try await read { db in
            try scan(for: request, db).page(of: currentState(of: request.environment, db))
        }
    }

    package func count(_ span: RecordSpan) async throws(StoreError) -> SpanCount {
        try await read { db in
            let places = RowKey.after(span.after, in: span.environment)
            let statement = try RepeatedStatement(
                "SELECT count(*) FROM records WHERE place >= ? AND place <= ?", db)
            let last = RowKey.of(sequence: span.through, in: span.environment)
            let count = try statement.first([.integer(places.lowerBound), .integer(last)]) {
                Int($0.number(0))
            }
            return SpanCount(
                records: count ?? 0, moment: try currentState(of: span.environment, db).moment)
        }
    }

}

/// The records and conflicts read for one page.
struct Scan {
    private let request: PageRequest
    private let isOfRowsAlone: Bool
    private let db: Database
    private(set) var records = PageRecords()
    private var conflicts: [String: [StoredConflict]] = [:]
    private var lastSequence: Int64
    private(set) var scanned = 0
    private(set) var bytes = 0
    private(set) var hasMore = false
    /// Whether the scan of rows alone has met a record that needs more than its row.
    private(set) var needsMoreThanRows = false

    fileprivate init(for request: PageRequest, ofRowsAlone isOfRowsAlone: Bool, _ db: Database) {
        self.request = request
        self.isOfRowsAlone = isOfRowsAlone
        self.db = db
        lastSequence = request.afterSequence
    }

    var isFull: Bool { isFull(for: request) }

    /// Whether the scan would be full for another request from the same position.
    func isFull(for request: PageRequest) -> Bool {
        records.count >= request.limit || scanned >= request.maxScanned
            || bytes >= request.maxBytes
    }

    /// Makes the page. `now` must be read in the same transaction as the records.
    func page(of now: CurrentState) -> Page {
        Page(
            fingerprint: now.fingerprint, purgeHorizon: now.moment.purgeHorizon, content: records,
            conflicts: conflicts,
            lastSequence: hasMore ? lastSequence : max(request.afterSequence, now.moment.sequence),
            lastScanned: lastSequence, scanned: scanned, bytes: bytes, hasMore: hasMore)
    }
}

private let selectionOfPlaces = """
    SELECT \(ReadRecord.columns) FROM records WHERE place >= ? AND place < ? ORDER BY place
    """

private let selectionWithoutFields = """
    SELECT \(ReadRecord.columnsWithoutFields) FROM records WHERE place >= ? AND place < ?
    ORDER BY place
    """

/// Reads the environment's records from the start of the request until the page is full. A scan of
/// rows alone ends before the first record that needs more.
///
/// From the first hidden record on, the fields of each record that is read are selected on their
/// own: those of hidden ones may be large, and any number of them may follow.
func scan(
    for request: PageRequest, _ db: Database, ofRowsAlone isOfRowsAlone: Bool = false
) throws -> Scan {
    let places = RowKey.after(request.afterSequence, in: request.environment)
    let end = RepeatedStatement.Value.integer(places.upperBound)
    var scan = Scan(for: request, ofRowsAlone: isOfRowsAlone, db)
    var reading = ReadOwners(request.readable)
    var hidden: Int64?
    try RepeatedStatement(selectionOfPlaces, db).each([.integer(places.lowerBound), end]) { row in
        guard try reading.contain(row) else {
            hidden = row.place
            return .stop
        }
        return try scan.take(row, fields: row.fields())
    }
    guard let hidden else { return scan }
    let fields = try RepeatedStatement("SELECT fields FROM records WHERE place = ?", db)
    try RepeatedStatement(selectionWithoutFields, db).each([.integer(hidden), end]) { row in
        guard try reading.contain(row) else { return try scan.take(row, fields: nil) }
        return try fields.first([.integer(row.place)]) {
            try scan.take(row, fields: $0.bytes(0))
        } ?? .stop
    }
    return scan
}

extension Scan {
    /// Takes a record, unless the page is full. Fields that are hidden are nil.
    fileprivate mutating func take(
        _ row: StatementRow, fields: UnsafeBufferPointer<UInt8>?
    ) throws -> RepeatedStatement.Continuation {
        hasMore = isFull
        if hasMore { return .stop }
        let record = try ReadRecord(row, fields: fields)
        let hasOwnershipChanges = row.moved > request.knownSequence
        needsMoreThanRows = isOfRowsAlone && (record.isConflicted || hasOwnershipChanges)
        if needsMoreThanRows { return .stop }
        try take(record, isRead: fields != nil, hasOwnershipChanges: hasOwnershipChanges)
        return .goOn
    }

    private mutating func take(
        _ record: ReadRecord, isRead: Bool, hasOwnershipChanges: Bool
    ) throws {
        lastSequence = record.lastChanged
        scanned += 1
        if request.skipsDeleted && record.isDeleted && !record.isConflicted { return }
        bytes += record.fields.count
        if record.isConflicted, isRead {
            let guid = String(decoding: record.guid, as: UTF8.self)
            let open = try openConflicts(of: guid, in: request.environment, db)
            conflicts[guid] = open
            bytes += open.reduce(0) { $0 + $1.text.utf8.count }
        }
        records.append(
            record,
            ownershipChanges: hasOwnershipChanges
                ? try ownershipChanges(
                    of: String(decoding: record.guid, as: UTF8.self), after: request.knownSequence,
                    in: request.environment, db) : [])
    }
}

func ownershipChanges(
    of guid: String, after sequence: Int64, in environment: EnvironmentID, _ db: Database
) throws -> [OwnershipChange] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT sequence, revision, owner, group_name FROM moves
            WHERE environment = ? AND guid = ? AND sequence > ? ORDER BY sequence
            """)
    let rows = try Row.fetchAll(statement, arguments: [environment.number, guid, sequence])
    return try rows.map(OwnershipChange.init(row:))
}

func openConflicts(
    of guid: String, in environment: EnvironmentID, _ db: Database
) throws -> [StoredConflict] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, revision, login, device_identifier, sides FROM conflicts
            WHERE environment = ? AND guid = ? AND is_open ORDER BY revision
            """)
    return try Row.fetchAll(statement, arguments: [environment.number, guid])
        .map(StoredConflict.init(row:))
}
