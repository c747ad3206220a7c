import GRDB
import SyncEngine

/// What an environment's row says at this moment of the transaction.
struct EnvironmentNow {
    /// Of the version that is current.
    let fingerprint: String
    let moment: EnvironmentMoment
}

/// All that is read in the same transaction is of the same moment.
func environmentNow(of environment: EnvironmentID, _ db: Database) throws -> EnvironmentNow {
    try environmentNow(of: environment, by: RepeatedStatement(selection, db))
}

func environmentNow(of environment: EnvironmentID, _ writer: Writer) throws -> EnvironmentNow {
    try environmentNow(of: environment, by: writer.statement(selection))
}

private let selection = """
    SELECT fingerprint, environments.version, sequence, horizon
    FROM environments JOIN versions ON versions.id = environments.version
    WHERE environments.id = ?
    """

private func environmentNow(
    of environment: EnvironmentID, by statement: RepeatedStatement
) throws -> EnvironmentNow {
    let row = try statement.first([.integer(environment.number)]) { row in
        EnvironmentNow(
            fingerprint: try row.text(0),
            moment: EnvironmentMoment(
                deployment: row.number(1), sequence: row.number(2), horizon: row.number(3)))
    }
    guard let row else { throw StoreError.environmentGone }
    return row
}

/// Which version an environment has at this moment of the transaction.
func currentFingerprint(of environment: EnvironmentID, _ db: Database) throws -> String {
    try environmentNow(of: environment, db).fingerprint
}
