import GRDB
package import SyncEngine

extension SQLiteDatabase: Store {
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        try await read { db in
            let scan = try scan(for: request, db)
            let ends = try ends(of: request.environment, db)
            return Page(
                fingerprint: try currentFingerprint(of: request.environment, db),
                horizon: ends.horizon, content: scan.records, conflicts: scan.conflicts,
                lastSequence: scan.hasMore
                    ? scan.lastSequence : max(request.afterSequence, ends.sequence),
                scanned: scan.scanned, bytes: scan.bytes, hasMore: scan.hasMore)
        }
    }
}

/// How far back and how far forward an environment's changes are known.
private func ends(
    of environment: EnvironmentID, _ db: Database
) throws -> (horizon: Int64, sequence: Int64) {
    let statement = try db.cachedStatement(
        sql: "SELECT horizon, sequence FROM environments WHERE id = ?")
    guard let row = try Row.fetchOne(statement, arguments: [environment.number]) else {
        throw StoreError.environmentGone
    }
    return (
        try row.decode(Int64.self, forColumn: "horizon"),
        try row.decode(Int64.self, forColumn: "sequence")
    )
}

private struct Scan {
    var records = PageRecords()
    var conflicts: [String: [StoredConflict]] = [:]
    var lastSequence: Int64
    var scanned = 0
    var bytes = 0
    var hasMore = false

    func isFull(for request: PageRequest) -> Bool {
        records.count >= request.limit || scanned >= request.maxScanned
            || bytes >= request.maxBytes
    }
}

/// Walks the environment's records from where the request starts, until the page is full.
private func scan(for request: PageRequest, _ db: Database) throws -> Scan {
    let places = Place.after(request.afterSequence, in: request.environment)
    let statement = try db.cachedStatement(
        sql: """
            SELECT \(RecordReader.columns)
            FROM records WHERE place >= ? AND place < ? ORDER BY place
            """)
    let rows = try Row.fetchCursor(
        statement, arguments: [places.lowerBound, places.upperBound])
    let reader = RecordReader(of: statement)
    var scan = Scan(lastSequence: request.afterSequence)
    while try rows.next() != nil {
        if scan.isFull(for: request) {
            scan.hasMore = true
            break
        }
        try scan.take(try reader.record(), moved: reader.moved, for: request, db)
    }
    return scan
}

extension Scan {
    fileprivate mutating func take(
        _ record: ReadRecord, moved: Int64, for request: PageRequest, _ db: Database
    ) throws {
        lastSequence = record.lastChanged
        scanned += 1
        if request.skipsDeleted && record.isDeleted && !record.isConflicted { return }
        bytes += record.fields.count
        if record.isConflicted {
            let guid = String(decoding: record.guid, as: UTF8.self)
            let open = try openConflicts(of: guid, in: request.environment, db)
            conflicts[guid] = open
            bytes += open.reduce(0) { $0 + $1.text.utf8.count }
        }
        let hasMoves = moved > request.knownSequence
        records.append(
            record,
            moves: hasMoves
                ? try moves(
                    of: String(decoding: record.guid, as: UTF8.self), after: request.knownSequence,
                    in: request.environment, db) : [])
    }
}

func moves(
    of guid: String, after sequence: Int64, in environment: EnvironmentID, _ db: Database
) throws -> [OwnershipMove] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT sequence, revision, owner, group_name FROM moves
            WHERE environment = ? AND guid = ? AND sequence > ? ORDER BY sequence
            """)
    let rows = try Row.fetchAll(statement, arguments: [environment.number, guid, sequence])
    return try rows.map(OwnershipMove.init(row:))
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
