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
            let rows = try entries(for: request, db)
            let page = rows.prefix(request.limit)
            return RecordHistory(
                fingerprint: try currentFingerprint(of: request.environment, db),
                record: record,
                ownershipChanges: try ownershipChanges(
                    of: request.guid, after: 0, in: request.environment, db),
                entries: try page.map(HistoryEntry.init(row:)),
                numbers: try page.map { try $0.number("id", as: .sequence) },
                hasMore: rows.count > page.count)
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
            for row in rows where records.count < request.limit && bytes < request.maxBytes {
                let record = try StoredRecord(row: row)
                let open = try openConflicts(of: record.guid, in: request.environment, db)
                conflicts[record.guid] = open
                bytes += open.reduce(record.fieldsText.utf8.count) { $0 + $1.text.utf8.count }
                records.append(record)
            }
            return ConflictedPage(
                fingerprint: try currentFingerprint(of: request.environment, db),
                records: records, conflicts: conflicts, bytes: bytes,
                hasMore: rows.count > records.count)
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

/// Returns the newest entries, and one more than requested if there is one.
private func entries(for request: HistoryRequest, _ db: Database) throws -> [Row] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT * FROM history WHERE origin = \(originOfRecord) AND id < ?
            ORDER BY id DESC LIMIT ?
            """)
    return try Row.fetchAll(
        statement,
        arguments: [
            request.environment.number, request.guid, request.before ?? .max, request.limit + 1,
        ])
}

/// Returns records in the order of model and guid, and one more than requested if there is one.
private func conflictedRecords(for request: ConflictedRequest, _ db: Database) throws -> [Row] {
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
    return try Row.fetchAll(
        statement,
        arguments: [
            request.environment.number, request.model, request.model, guids, guids,
            request.after?.model ?? "", request.after?.guid ?? "", request.limit + 1,
        ])
}
