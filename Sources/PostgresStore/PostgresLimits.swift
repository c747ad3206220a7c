package import SyncEngine

/// Limits and timeouts of a process towards its server.
package struct PostgresLimits: Hashable, Sendable {
    /// Maximum number of concurrent connections.
    package var connections = 10
    package var commits = CommitLimits()
    /// Seconds to wait for a free connection, for a lock, and for an unreachable server, each.
    package var patienceSeconds = 5

    package init() {}

    /// The server cancels a statement after this time.
    var statementSeconds: Int { patienceSeconds + 55 }

    /// The connection is given up after this time without an answer.
    var answerSeconds: Int32 { Int32(statementSeconds + 30) }

    /// The server ends an idle transaction after this time, which releases its locks.
    var idleSeconds: Int { patienceSeconds + 25 }

    var sessionSettings: [Statement] {
        [
            Statement("SET search_path TO \(PostgresSchema.name)"),
            Statement("SET lock_timeout TO '\(patienceSeconds)s'"),
            Statement("SET statement_timeout TO '\(statementSeconds)s'"),
            Statement("SET idle_in_transaction_session_timeout TO '\(idleSeconds)s'"),
            Statement("SET default_transaction_isolation TO 'read committed'"),
            // A commit must be durable when it returns. Stronger settings are kept.
            Statement(
                """
                SELECT set_config('synchronous_commit', 'on', false)
                WHERE current_setting('synchronous_commit') = 'off'
                """),
            // Compressing a text of some megabytes takes a fraction of the time, while others wait
            // for it. Not every server offers it, and an operator may have chosen.
            Statement(
                """
                SELECT set_config(name, 'lz4', false) FROM pg_settings
                WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)
                    AND source = 'default'
                """),
            // PostgreSQL writes the rows of a larger statement to a file before it inserts them.
            Statement(
                """
                SELECT set_config(name, '32MB', false) FROM pg_settings
                WHERE name = 'work_mem' AND source = 'default'
                """),
        ]
    }
}
