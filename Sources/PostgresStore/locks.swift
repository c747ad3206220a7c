import SyncEngine

// Whoever decides on what is stored locks it before it looks. Statements see what is committed when
// they begin, so that what comes after a lock sees all that its last holder wrote. Who needs two
// locks takes them in this order.

/// Nobody else changes the environment's records, files, notifications or version until the
/// transaction ends: what is read after this stays so, and sequences are in commit order.
func lock(_ environment: EnvironmentID, _ transaction: Transaction) throws {
    try checkLocked(try transaction.rows(of: [lockStatement(of: environment)])[0])
}

/// Sent before what is to be read under the lock, it takes no round trip of its own.
func lockStatement(of environment: EnvironmentID) -> Statement {
    Statement(
        "SELECT 1 FROM environments WHERE id = $1 FOR NO KEY UPDATE",
        [.integer(environment.number)])
}

func checkLocked(_ rows: Rows) throws {
    guard rows.count == 1 else { throw StoreError.environmentGone }
}

/// Nobody else changes or removes the user, or what goes with them. False when there is none.
func lockUser(
    _ login: String, in environment: EnvironmentID, _ transaction: Transaction
) throws -> Bool {
    try transaction.rows(
        "SELECT 1 FROM users WHERE environment = $1 AND login = $2 FOR UPDATE",
        [.integer(environment.number), .text(login)]
    ).count == 1
}
