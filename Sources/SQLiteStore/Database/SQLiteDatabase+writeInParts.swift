import GRDB
import SyncEngine

/// The number of rows that one transaction deletes or changes, where one user sets how many there
/// are: others write in between.
let partRows = 1000

extension SQLiteDatabase {
    /// Calls `body` until it has changed fewer rows than a part has, each time in a transaction of
    /// its own.
    func writeInParts(
        _ body: @escaping @Sendable (Database) throws -> Int
    ) async throws(StoreError) {
        while try await write(body) >= partRows {}
    }
}

/// Deletes a part of the entries in `device_files` that meet a condition. Returns their number.
func deletePartOfDeviceFiles(
    where condition: String, _ arguments: StatementArguments, _ db: Database
) throws -> Int {
    try db.execute(
        sql: """
            DELETE FROM device_files
            WHERE (environment, login, device_identifier, record, file) IN (
                SELECT environment, login, device_identifier, record, file FROM device_files
                WHERE \(condition) LIMIT \(partRows))
            """, arguments: arguments)
    return db.changesCount
}

/// Deletes a part of the outcomes that meet a condition. Returns their number.
func deletePartOfOutcomes(
    where condition: String, _ arguments: StatementArguments, _ db: Database
) throws -> Int {
    try db.execute(
        sql: """
            DELETE FROM outcomes
            WHERE (environment, login, device_identifier, change_id) IN (
                SELECT environment, login, device_identifier, change_id FROM outcomes
                WHERE \(condition) LIMIT \(partRows))
            """, arguments: arguments)
    return db.changesCount
}

/// Deletes a part of what is kept for the devices of a user. Returns the number of rows.
func deletePart(
    of login: String, in environment: EnvironmentID, _ db: Database
) throws -> Int {
    let key: StatementArguments = [environment.number, login]
    let files = try deletePartOfDeviceFiles(where: "environment = ? AND login = ?", key, db)
    guard files < partRows else { return files }
    return try deletePartOfOutcomes(where: "environment = ? AND login = ?", key, db)
}
