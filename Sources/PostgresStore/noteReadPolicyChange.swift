import SyncEngine

/// Notes that records look different from now on, and keeps stamps free for them: see
/// `ReadPolicyChange`. While there are no changes, nobody has seen anything. The environment is
/// locked.
///
/// - Parameter login: Empty if the definition changes.
func noteReadPolicyChange(
    of login: String, from former: String, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws {
    let number = Parameter.integer(environment.number)
    _ = try transaction.rows(of: [
        Statement(
            """
            INSERT INTO sight_changes (environment, stamp, sequence, login, former)
            SELECT id, last_stamp, sequence, $2, $3 FROM environments
            WHERE id = $1 AND sequence > 0
            """, [number, .text(login), .text(former)]),
        Statement(
            "UPDATE environments SET last_stamp = last_stamp + 2 * sequence WHERE id = $1", [number]
        ),
    ])
}
