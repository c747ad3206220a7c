import GRDB
import SyncEngine

/// The history of records after a sequence, and of conflicted and deleted ones all of it.
func history(
    of records: [String: StoredRecord], since sequence: Int64, in environment: EnvironmentID,
    _ db: Database
) throws -> [String: [HistoryEntry]] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid, revision, kind, change_id, login, device_category, device_identifier, at,
                was_deleted, fields
            FROM history WHERE origin = \(originOfRecord) AND sequence > ?
            ORDER BY revision, id
            """)
    var history: [String: [HistoryEntry]] = [:]
    for (guid, record) in records {
        let isWhole = record.isConflicted || record.isDeleted
        let rows = try Row.fetchAll(
            statement, arguments: [environment.number, guid, isWhole ? -1 : sequence])
        if !rows.isEmpty { history[guid] = try rows.map(HistoryEntry.init(row:)) }
    }
    return history
}

/// Empty where no sequence is asked for.
func unconfirmed(
    of records: [String: StoredRecord], for need: Need, _ db: Database
) throws -> [String: Unconfirmed] {
    guard let sequence = need.historySince else { return [:] }
    let count = try db.cachedStatement(
        sql: "SELECT count(*) FROM history WHERE origin = \(originOfRecord) AND sequence > ?")
    let move = try db.cachedStatement(
        sql: """
            SELECT sequence, revision, owner, group_name FROM moves
            WHERE environment = ? AND guid = ? AND sequence > ? ORDER BY sequence LIMIT 1
            """)
    var unconfirmed: [String: Unconfirmed] = [:]
    for (guid, record) in records {
        let arguments: StatementArguments = [need.environment.number, guid, sequence]
        let firstMove = try Row.fetchOne(move, arguments: arguments)
        let disputes =
            try record.isConflicted ? openConflicts(of: guid, in: need.environment, db) : []
        unconfirmed[guid] = Unconfirmed(
            entries: try Int.fetchOne(count, arguments: arguments) ?? 0,
            firstMove: try firstMove.map { try OwnershipMove(row: $0) },
            disputes: disputes.filter { $0.device == need.device })
    }
    return unconfirmed
}
