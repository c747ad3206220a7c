import SyncEngine

// A transaction locks the rows that it decides on before it reads. Each statement sees what is
// committed when it starts, so statements after a lock see all writes of its last holder. Locks are
// taken in the order of this file.

/// Locks the environment's records, files, notifications and version until the end of the
/// transaction. Later reads in the transaction stay valid, and sequences are in commit order.
func lock(_ environment: EnvironmentID, _ transaction: PGTransaction) throws {
    let locked = try transaction.rows(
        "SELECT 1 FROM environments WHERE id = $1 FOR NO KEY UPDATE",
        [.integer(environment.number)])
    guard locked.count == 1 else { throw StoreError.environmentGone }
}

/// Locks, and selects the number of the transaction and the current state.
///
/// If the lock was waited for, the columns of `environments` are those of the row as its last
/// holder left it, but the version is the one that the statement saw when it started: without a
/// fingerprint, another version was deployed meanwhile, and the state has to be read again.
func lockAndState(of environment: EnvironmentID) -> Statement {
    Statement(
        """
        SELECT pg_current_xact_id()::text::bigint,
            (SELECT fingerprint FROM versions WHERE versions.id = environments.version),
            version, sequence, horizon, last_stamp, accounts
        FROM environments WHERE id = $1 FOR NO KEY UPDATE
        """, [.integer(environment.number)])
}

/// Locks the user until the end of the transaction. Writers of data that is deleted with the user
/// take this lock too. Returns false if the user does not exist.
func lockUser(
    _ login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> Bool {
    try transaction.rows(
        "SELECT 1 FROM users WHERE environment = $1 AND login = $2 FOR UPDATE",
        [.integer(environment.number), .text(login)]
    ).count == 1
}
