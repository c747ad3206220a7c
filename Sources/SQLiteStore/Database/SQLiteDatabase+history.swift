import ChangeRules
import Foundation
import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func history(
        _ request: HistoryRequest
    ) async throws(StoreError) -> RecordHistory? {
        try await read { db in
            guard let record = try record(request.guid, in: request.environment, db) else {
                return nil
            }
            let (page, hasMore) = try entries(for: request, db)
            return RecordHistory(
                fingerprint: try currentFingerprint(of: request.environment, db),
                record: record,
                ownershipChanges: try ownershipChanges(
                    of: request.guid, after: 0, in: request.environment, db),
                entries: page.map(\.entry), numbers: page.map(\.number), hasMore: hasMore)
        }
    }

    package func openConflictCount(
        in environment: EnvironmentID
    ) async throws(StoreError) -> Int {
        try await read { db in
            let count = try Int.fetchOne(
                db, sql: "SELECT count(*) FROM conflicts WHERE environment = ? AND is_open",
                arguments: [environment.number])
            return count ?? 0
        }
    }

    package func openConflictsByModel(
        in environment: EnvironmentID
    ) async throws(StoreError) -> [ModelConflicts] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT model, count(*) AS open FROM conflicts
                    JOIN records USING (environment, guid)
                    WHERE environment = ? AND is_open GROUP BY model ORDER BY model
                    """, arguments: [environment.number])
            return try rows.map {
                ModelConflicts(
                    model: try $0.decode(String.self, forColumn: "model"),
                    count: try $0.decode(Int.self, forColumn: "open"))
            }
        }
    }

    package func conflicted(
        _ request: ConflictedRequest
    ) async throws(StoreError) -> ConflictedPage {
        try await read { db in
            let rows = try conflictedRecords(for: request, db)
            var records: [StoredRecord] = []
            var conflicts: [String: [StoredConflict]] = [:]
            var bytes = 0
            var hasMore = false
            while let row = try rows.next() {
                guard records.count < request.limit, bytes < request.maxBytes else {
                    hasMore = true
                    break
                }
                let record = try StoredRecord(row: row)
                let open = try openConflicts(of: record.guid, in: request.environment, db)
                conflicts[record.guid] = open
                bytes += open.reduce(record.fieldsText.utf8.count) { $0 + $1.text.utf8.count }
                records.append(record)
            }
            return ConflictedPage(
                fingerprint: try currentFingerprint(of: request.environment, db),
                records: records, conflicts: conflicts, bytes: bytes, hasMore: hasMore)
        }
    }
}

private func record(
    _ guid: String, in environment: EnvironmentID, _ db: Database
) throws -> StoredRecord? {
    let statement = try db.cachedStatement(
        sql: "SELECT * FROM records WHERE environment = ? AND guid = ?")
    return try Row.fetchOne(statement, arguments: [environment.number, guid])
        .map(StoredRecord.init(row:))
}

/// Reads the newest entries, and no values beyond the limits of the page.
private func entries(
    for request: HistoryRequest, _ db: Database
) throws -> (page: [(number: Int64, entry: HistoryEntry)], hasMore: Bool) {
    let statement = try db.cachedStatement(
        sql: """
            SELECT * FROM history WHERE origin = \(originOfRecord) AND id < ?
            ORDER BY id DESC LIMIT ?
            """)
    let rows = try Row.fetchCursor(
        statement,
        arguments: [
            request.environment.number, request.guid, request.before ?? .max, request.limit + 1,
        ])
    var page: [(number: Int64, entry: HistoryEntry)] = []
    var bytes = 0
    while let row = try rows.next() {
        guard page.count < request.limit, bytes < request.maxBytes else { return (page, true) }
        let entry = try HistoryEntry(row: row)
        page.append((try row.number("id", as: .sequence), entry))
        bytes += entry.fieldsText.utf8.count
    }
    return (page, false)
}

/// Reads records in the order of model and guid, and one more than requested if there is one. The
/// caller stops at the limit in bytes.
private func conflictedRecords(
    for request: ConflictedRequest, _ db: Database
) throws -> RowCursor {
    let statement = try db.cachedStatement(
        sql: """
            SELECT * FROM records
            WHERE environment = ? AND is_conflicted AND (? IS NULL OR model = ?)
                AND (? IS NULL OR guid IN (SELECT value FROM json_each(?)))
                AND (model, guid) > (?, ?)
            ORDER BY model, guid LIMIT ?
            """)
    let guids = try request.guids.map {
        String(decoding: try JSONEncoder().encode($0), as: UTF8.self)
    }
    return try Row.fetchCursor(
        statement,
        arguments: [
            request.environment.number, request.model, request.model, guids, guids,
            request.after?.model ?? "", request.after?.guid ?? "", request.limit + 1,
        ])
}
