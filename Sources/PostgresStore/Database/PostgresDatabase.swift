package import SyncEngine

/// A store in a schema of one PostgreSQL database, for any number of servers.
///
/// Sequences are in commit order, since a writer holds the lock of its environment until it has
/// committed. A commit is durable when it returns (`synchronous_commit`), and calls that wait at
/// the same time share one. After a lost connection the server is asked whether a transaction has
/// committed.
package struct PostgresDatabase: Sendable {
    let pool: ConnectionPool
    package let commits: CommitQueue
    let sessions = SessionQueue()
    let otherWriters = OtherWriters()
    private let limits: PostgresLimits

    /// Connects and migrates the schema in one transaction, which only one process runs at a time.
    ///
    /// Throws `unavailable` if the server is unreachable. Throws `unreadable`, and leaves the
    /// database as it is, if it is not Waggle's, was written by a later version of Waggle, or has
    /// no tables and `creating` is false.
    ///
    /// - Parameter observer: Counts what is done with the database; nil if nobody does.
    package init(
        address: PostgresAddress, creating: Bool, limits: PostgresLimits = PostgresLimits(),
        observer: (any EngineObserver)? = nil
    ) async throws(StoreError) {
        let pool = ConnectionPool(address: address.text, limits: limits)
        self.pool = pool
        self.limits = limits
        commits = CommitQueue(limits: limits.commits, observer: observer)
        do {
            try await pool.run { connection in
                try PostgresSchema.bringUpToDate(connection, creating: creating)
            }
        } catch {
            pool.close()
            throw StoreError(error)
        }
    }

    /// Closes every connection once its call completes. Committed data stays. No other call may
    /// follow.
    package func close() { pool.close() }

    /// Drops idle connections.
    func forgetConnections() { pool.forgetIdle() }

    /// Opens a connection outside the pool.
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
    /// Runs `body` in a read transaction on one snapshot. May run it again.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (PGTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently {
            try await run { connection in try PGTransaction.read(on: connection, body) }
        }
    }

    /// Runs `body`, which must make a single request. May run it again. Frequent requests have
    /// `generic` plans.
    func ask<Value: Sendable>(
        plans: Plans = .chosenByServer,
        _ body: @escaping @Sendable (PGTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently {
            try await run(plans) { connection in try PGTransaction.ask(on: connection, body) }
        }
    }

    /// Runs `body` in a read-committed transaction, in which each statement sees what is committed
    /// when it starts: `body` must lock what it decides on. May run it again if nothing was
    /// written.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (PGTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await patiently { try await committed(.chosenByServer, body, then: .nothing) }
    }

    /// Runs `body`, which must lock an environment, in a read-committed transaction. May run it
    /// again if nothing was written, except after a unique violation, which cannot have a
    /// concurrent cause under the lock. Its statements have generic plans.
    func writeLocked<Written: Sendable, Value: Sendable>(
        notesNumber: Bool = false, _ body: @escaping @Sendable (PGTransaction) throws -> Written,
        then after: ReadAfterCommit<Written, Value>
    ) async throws(StoreError) -> Value {
        try await patiently {
            do {
                return try await committed(.generic, notesNumber: notesNumber, body, then: after)
            } catch let failure as Failure where failure.isOfTakenKey {
                throw StoreError(failure)
            }
        }
    }

    private func committed<Written: Sendable, Value: Sendable>(
        _ plans: Plans, notesNumber: Bool = false,
        _ body: @escaping @Sendable (PGTransaction) throws -> Written,
        then after: ReadAfterCommit<Written, Value>
    ) async throws -> Value {
        let ending = try await run(plans) { connection in
            PGTransaction.write(on: connection, notesNumber: notesNumber, body, then: after)
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

    private func run<Value: Sendable>(
        _ plans: Plans = .chosenByServer, _ body: @Sendable (PGConnection) throws -> Value
    ) async throws -> Value {
        try await pool.run { connection in
            try connection.use(plans)
            return try body(connection)
        }
    }

    /// Repeats `body` with growing pauses, up to `patienceSeconds`, while the failure is transient.
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

    /// Asks the server whether a transaction with a lost connection has committed.
    private func wasCommitted(_ id: TransactionID) async throws -> Bool {
        try await patiently { () -> Bool in
            let found: String? = try await run { connection in
                try PGTransaction.ask(on: connection) { try status(of: id, $0) }
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

/// Returns the status of a transaction. Terminates its backend first, in case the server has not
/// noticed the loss.
private func status(of id: TransactionID, _ transaction: PGTransaction) throws -> String? {
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
