import GRDB
package import SyncEngine

extension SQLiteDatabase: Store {
    package func page(_ request: PageRequest) async throws(StoreError) -> Page {
        try await read { db in
            var page = try records(for: request, db)
            let disputed = page.records.filter(\.isConflicted).map(\.guid)
            let conflicts = try openConflicts(of: disputed, in: request.environment, db)
            for conflict in conflicts.values.joined() { page.bytes += conflict.text.utf8.count }
            return Page(
                records: page.records, conflicts: conflicts, lastSequence: page.lastSequence,
                scanned: page.scanned, bytes: page.bytes, hasMore: page.hasMore)
        }
    }
}

private struct Scan {
    var records: [StoredRecord] = []
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
private func records(for request: PageRequest, _ db: Database) throws -> Scan {
    let places = Place.after(request.afterSequence, in: request.environment)
    let statement = try db.cachedStatement(
        sql: """
            SELECT place, guid, model, owner, group_name, revision, is_deleted, is_conflicted,
                fields
            FROM records WHERE place >= ? AND place < ? ORDER BY place
            """)
    let rows = try Row.fetchCursor(
        statement, arguments: [places.lowerBound, places.upperBound])
    var scan = Scan(lastSequence: request.afterSequence)
    while let row = try rows.next() {
        if scan.isFull(for: request) {
            scan.hasMore = true
            break
        }
        let record = try StoredRecord(row: row)
        scan.lastSequence = Place.sequence(of: try row.decode(Int64.self, forColumn: "place"))
        scan.scanned += 1
        if request.skipsDeleted && record.isDeleted && !record.isConflicted { continue }
        scan.bytes += record.fieldsText.utf8.count
        scan.records.append(record)
    }
    return scan
}

private func openConflicts(
    of guids: [String], in environment: EnvironmentID, _ db: Database
) throws -> [String: [StoredConflict]] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, revision, sides FROM conflicts
            WHERE environment = ? AND guid = ? AND is_open ORDER BY revision
            """)
    var conflicts: [String: [StoredConflict]] = [:]
    for guid in guids {
        let rows = try Row.fetchAll(statement, arguments: [environment.number, guid])
        conflicts[guid] = try rows.map(StoredConflict.init(row:))
    }
    return conflicts
}
