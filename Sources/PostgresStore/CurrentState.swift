import SyncEngine

/// What an environment has at this moment of the transaction.
struct CurrentState {
    let fingerprint: String
    let sequence: Int64
    let horizon: Int64

    init(_ rows: Rows) throws {
        guard var row = rows.first else {
            throw StoreError.environmentGone
        }
        fingerprint = try row.text()
        sequence = try row.int64()
        horizon = try row.int64()
    }
}

func currentState(of environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT fingerprint, sequence, horizon
        FROM environments JOIN versions ON versions.id = environments.version
        WHERE environments.id = $1
        """, [.integer(environment.number)])
}
