import GRDB
import SyncEngine

/// What an environment's row says at this moment of the transaction.
struct EnvironmentNow {
    /// Of the version that is current.
    let fingerprint: String
    /// How far back, and how far forward, changes are known.
    let horizon: Int64
    let sequence: Int64
}

/// All that is read in the same transaction is of the same moment.
func environmentNow(of environment: EnvironmentID, _ db: Database) throws -> EnvironmentNow {
    let statement = try RepeatedStatement(
        """
        SELECT fingerprint, horizon, sequence
        FROM environments JOIN versions ON versions.id = environments.version
        WHERE environments.id = ?
        """, db)
    let row = try statement.first([.integer(environment.number)]) { row in
        EnvironmentNow(
            fingerprint: try row.text(0), horizon: row.number(1), sequence: row.number(2))
    }
    guard let row else { throw StoreError.environmentGone }
    return row
}

/// Which version an environment has at this moment of the transaction.
func currentFingerprint(of environment: EnvironmentID, _ db: Database) throws -> String {
    try environmentNow(of: environment, db).fingerprint
}
