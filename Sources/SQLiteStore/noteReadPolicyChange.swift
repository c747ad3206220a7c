import GRDB
import SyncEngine

/// Notes that records look different from now on, and keeps stamps free for them: see
/// `ReadPolicyChange`. While there are no changes, nobody has seen anything.
///
/// - Parameter login: Empty if the definition changes.
func noteReadPolicyChange(
    of login: String, from former: String, in environment: EnvironmentID, _ db: Database
) throws {
    try db.execute(
        sql: """
            INSERT INTO sight_changes (environment, stamp, sequence, login, former)
            SELECT id, last_stamp, sequence, ?, ? FROM environments
            WHERE id = ? AND sequence > 0
            """,
        arguments: [login, former, environment.number])
    try db.execute(
        sql: "UPDATE environments SET last_stamp = last_stamp + 2 * sequence WHERE id = ?",
        arguments: [environment.number])
}
