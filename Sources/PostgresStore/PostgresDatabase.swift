package import SyncEngine

/// Everything of any number of servers in one PostgreSQL database, in a schema of its own.
///
/// Sequences are in commit order, since whoever takes one holds the lock of its environment until
/// it has committed. A commit has reached the disk when it is answered (`synchronous_commit`), and
/// those who wait at the same time get there together. What a lost connection leaves in doubt is
/// asked of the server, never guessed.
package struct PostgresDatabase: Sendable {
    private let pool: ConnectionPool
    package let commits: CommitQueue
    let sessions = SessionQueue()
    private let limits: PostgresLimits

    /// Connects, and brings the schema up to date: one process at a time, all of it or nothing.
    ///
    /// Throws `unavailable` when the server cannot be reached, and `unreadable` for a database that
    /// is not ours, or was made by a later Waggle, or has no tables while none are to be created;
    /// it is then left as it is.
    package init(
        address: PostgresAddress, creating: Bool, limits: PostgresLimits = PostgresLimits()
    ) async throws(StoreError) {
        let pool = ConnectionPool(address: address.text, limits: limits)
        self.pool = pool
        self.limits = limits
        commits = CommitQueue(limits: limits.commits)
        do {
            try await pool.run { connection in
                try Schema.bringUpToDate(connection, creating: creating)
            }
        } catch {
            pool.close()
            throw StoreError(error)
        }
    }

    /// Ends every connection when what it does is done; what was committed stays. Nothing else may
    /// be called after it.
    package func close() { pool.close() }

    /// What is idle is not used again.
    func forgetConnections() { pool.forgetIdle() }

    /// A connection that is none of the pool.
    func open(_ connection: Connection, readying: [Statement]) async throws {
        try await connection.open(
            pool.address, patienceSeconds: limits.answerSeconds,
            readying: limits.sessionSettings + readying)
    }

    package func checkHealth() async throws(StoreError) {
        _ = try await ask { try $0.rows("SELECT 1 FROM environments LIMIT 1").count }
    }
}

// MARK: - Transactions

extension PostgresDatabase {
    /// Runs `body` in a transaction that sees one snapshot of everything. It may be run again.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently {
            try await pool.run { connection in try Transaction.read(on: connection, body) }
        }
    }

    /// Runs `body`, which asks once. It may be run again.
    func ask<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently {
            try await pool.run { connection in try Transaction.ask(on: connection, body) }
        }
    }

    /// Runs `body` in a transaction of its own, which sees at each statement what is committed
    /// then: it has to lock what it decides on. It may be run again, when nothing came of it.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently { try await committed(body, then: .nothing) }
    }

    /// Runs `body`, which locks an environment, in a transaction of its own. It may be run again,
    /// when nothing came of it; but not for a key that is taken, since nobody else can have taken
    /// it.
    func writeLocked<Written: Sendable, Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Written,
        then after: ReadAfterCommit<Written, Value>
    ) async throws(StoreError) -> Value {
        try await patiently {
            do {
                return try await committed(body, then: after)
            } catch let failure as Failure where failure.isOfTakenKey {
                throw StoreError(failure)
            }
        }
    }

    private func committed<Written: Sendable, Value: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Written,
        then after: ReadAfterCommit<Written, Value>
    ) async throws -> Value {
        let ending = try await pool.run { connection in
            Transaction.write(on: connection, body, then: after)
        }
        switch ending {
        case .committed(let value): return value
        case .failed(let error): throw error
        case .unknown(let value, let id):
            pool.forgetIdle()
            guard try await wasCommitted(id) else { throw Failure.lost("while it committed") }
            return value
        }
    }

    /// Does it again, after growing pauses, while what is in the way may go away.
    private func patiently<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws(StoreError) -> Value {
        let end = ContinuousClock.now + .seconds(limits.patienceSeconds)
        var pause = Duration.milliseconds(5)
        while true {
            do {
                return try await body()
            } catch let failure as Failure where failure.isPassing && ContinuousClock.now < end {
                if failure.isOfConnection { pool.forgetIdle() }
                try? await Task.sleep(for: pause * Double.random(in: 0.5...1.5))
                pause = min(pause * 2, .milliseconds(500))
                guard !Task.isCancelled else { throw StoreError(failure) }
            } catch {
                throw StoreError(error)
            }
        }
    }

    /// Asks the server what became of a transaction whose connection was lost.
    private func wasCommitted(_ id: TransactionID) async throws -> Bool {
        try await patiently { () -> Bool in
            let found: String? = try await pool.run { connection in
                try Transaction.ask(on: connection) { try status(of: id, $0) }
            }
            switch found {
            case "committed": return true
            case "aborted": return false
            case "in progress": throw Failure.lost("it is being committed still")
            default:
                throw StoreError.unavailable(
                    "a commit was cut off, and the server does not know what became of it")
            }
        }
    }
}

/// Where the server has not noticed that nobody is there any more, it is told to.
private func status(of id: TransactionID, _ transaction: Transaction) throws -> String? {
    let number = Parameter.integer(id.number)
    let rows = try transaction.rows(of: [
        Statement(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE pid = $1 AND backend_xid::text = ($2 & 4294967295)::text
            """, [.integer(id.processID), number]),
        Statement("SELECT pg_xact_status($1::text::xid8)", [number]),
    ])
    var row = rows[1].first
    return try row?.optionalText()
}
