import GRDB
import SyncEngine

/// Reads the environment's state. Other reads of the same transaction see the same state.
func currentState(of environment: EnvironmentID, _ db: Database) throws -> CurrentState {
    try currentState(of: environment, by: RepeatedStatement(selection, db))
}

func currentState(of environment: EnvironmentID, _ cache: StatementCache) throws -> CurrentState {
    try currentState(of: environment, by: cache.statement(selection))
}

private let selection = """
    SELECT fingerprint, environments.version, sequence, horizon, last_stamp
    FROM environments JOIN versions ON versions.id = environments.version
    WHERE environments.id = ?
    """

private func currentState(
    of environment: EnvironmentID, by statement: RepeatedStatement
) throws -> CurrentState {
    let row = try statement.first([.integer(environment.number)]) { row in
        CurrentState(
            fingerprint: try row.text(0),
            moment: EnvironmentMoment(
                deployment: try row.number(1, as: .sequence),
                sequence: try row.number(2, as: .sequence),
                purgeHorizon: try row.number(3, as: .sequence)),
            lastStamp: try row.instant(4))
    }
    guard let row else { throw StoreError.environmentGone }
    return row
}

/// Returns the fingerprint of the environment's current version.
func currentFingerprint(of environment: EnvironmentID, _ db: Database) throws -> String {
    try currentState(of: environment, db).fingerprint
}
