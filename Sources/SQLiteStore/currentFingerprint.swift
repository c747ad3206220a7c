import GRDB
import SyncEngine

/// Which version an environment has at this moment of the transaction.
func currentFingerprint(of environment: EnvironmentID, _ db: Database) throws -> String {
    let statement = try RepeatedStatement(
        """
        SELECT fingerprint
        FROM environments JOIN versions ON versions.id = environments.version
        WHERE environments.id = ?
        """, db)
    let fingerprint = try statement.first([.integer(environment.number)]) { try $0.text(0) }
    guard let fingerprint else { throw StoreError.environmentGone }
    return fingerprint
}
