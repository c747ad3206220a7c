import GRDB
import SyncEngine

/// Which version an environment has at this moment of the transaction.
func currentFingerprint(of environment: EnvironmentID, _ db: Database) throws -> String {
    let statement = try db.cachedStatement(
        sql: """
            SELECT fingerprint
            FROM environments JOIN versions ON versions.id = environments.version
            WHERE environments.id = ?
            """)
    let fingerprint = try String.fetchOne(statement, arguments: [environment.number])
    guard let fingerprint else { throw StoreError.environmentGone }
    return fingerprint
}
