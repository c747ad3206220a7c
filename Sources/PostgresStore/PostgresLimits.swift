package import SyncEngine

/// How much a process asks of its server, and how long it waits for it.
package struct PostgresLimits: Hashable, Sendable {
    /// Connections at a time at most.
    package var connections = 10
    package var commits = CommitLimits()
    /// Seconds to wait for a free connection, for a lock that others have, and for a server that
    /// cannot be reached, each.
    package var patienceSeconds = 5

    package init() {}

    /// One statement takes no longer, or the server ends it.
    var statementSeconds: Int { patienceSeconds + 55 }

    /// Then the connection is given up.
    var answerSeconds: Int32 { Int32(statementSeconds + 30) }

    /// Whoever stalls in a transaction loses it, and others get its locks.
    var idleSeconds: Int { patienceSeconds + 25 }

    var sessionSettings: [Statement] {
        [
            Statement("SET search_path TO \(Schema.name)"),
            Statement("SET lock_timeout TO '\(patienceSeconds)s'"),
            Statement("SET statement_timeout TO '\(statementSeconds)s'"),
            Statement("SET idle_in_transaction_session_timeout TO '\(idleSeconds)s'"),
            Statement("SET default_transaction_isolation TO 'read committed'"),
            // An answer is given when a commit has reached the disk. What promises more stays.
            Statement(
                """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') = 'off'
                """),
        ]
    }
}
