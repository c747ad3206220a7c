import GRDB

extension Database {
    /// Sends the changes of this device and receives those of others.
    ///
    /// It can be cancelled, and the app can be killed, at any moment: nothing is lost, and the next
    /// sync continues from there. Syncs of one database run one after the other.
    ///
    /// Throws any ``SyncFailure`` but `wrongCredentials` and `signIn`: `unreachable` without a
    /// network, `sessionEnded` if the user must log in again, `cancelled` if the task was
    /// cancelled or a conflict handler stopped the sync, `database` if this device failed.
    @discardableResult
    public func sync() async throws(SyncFailure) -> SyncSummary {
        try await sync(fromNothing: false)
    }

    /// Syncs with all records from the start, as on a new device. Unsent changes are kept.
    /// Throws as ``sync()`` does.
    @discardableResult
    public func syncAll() async throws(SyncFailure) -> SyncSummary {
        try await sync(fromNothing: true)
    }

    private func sync(fromNothing: Bool) async throws(SyncFailure) -> SyncSummary {
        await mutex.lock("sync")
        report(.started)
        do {
            let summary = try await run(fromNothing: fromNothing)
            report(.finished(summary))
            await mutex.unlock("sync")
            return summary
        } catch {
            // Cancelling the task also fails its database calls.
            let failure = Task.isCancelled ? SyncFailure.cancelled : ending(error)
            report(.failed(failure))
            await mutex.unlock("sync")
            throw failure
        }
    }

    /// Remembers that the server has ended the session, and returns the failure.
    private func ending(_ failure: SyncFailure) -> SyncFailure {
        guard failure == .sessionEnded, let token = state.withLock({ $0.session?.token }) else {
            return failure
        }
        do {
            try device.endStay(token: token)
            return failure
        } catch {
            return .database(DatabaseError(error))
        }
    }

    private func run(fromNothing: Bool) async throws(SyncFailure) -> SyncSummary {
        guard let session = state.withLock({ $0.session }) else { throw .notLoggedIn }
        if case .development = settings.mode { return SyncSummary() }
        guard let token = session.token else { throw .sessionEnded }
        if fromNothing {
            do {
                try await session.store.write { db in
                    try session.store.set(.cursor, to: nil, db)
                }
            } catch {
                throw .database(error)
            }
        }
        try await uploadFiles(of: session)
        let run = SyncRun(
            store: session.store, rules: session.rules, wire: wire, environment: environment,
            token: token, handlers: state.withLock { $0.handlers },
            report: { [weak self] in self?.report($0) })
        let summary = try await run.perform()
        try await uploadFiles(of: session)
        return summary
    }
}

// MARK: - Progress

extension Database {
    /// The progress of syncs, from now on. A reader that is more than 64 events behind misses the
    /// oldest.
    public func progress() -> AsyncStream<SyncProgress> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = state.withLock { state in
                state.nextListener += 1
                state.listeners[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.listeners[number] = nil }
            }
        }
    }

    func report(_ progress: SyncProgress) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(progress) }
    }

    /// Yields after each edit. Edits that a slow reader misses are one element.
    func edits() -> AsyncStream<Void> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let number = state.withLock { state in
                state.nextListener += 1
                state.edits[state.nextListener] = continuation
                return state.nextListener
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.edits[number] = nil }
            }
        }
    }
}

// MARK: - Calls of the store

extension Database {
    func edit<Result: Sendable>(
        _ body:
            @Sendable @escaping (DeviceStore, LocalRules, GRDB.Database) throws -> Result
    ) async throws(DatabaseError) -> Result {
        let session = try session()
        let result = try await session.store.write { db in
            try body(session.store, session.rules, db)
        }
        for listener in state.withLock({ Array($0.edits.values) }) { listener.yield() }
        return result
    }

    func look<Result: Sendable>(
        _ body: @Sendable @escaping (DeviceStore, LocalRules, GRDB.Database) throws -> Result
    ) async throws(DatabaseError) -> Result {
        let session = try session()
        return try await session.store.read { db in
            try body(session.store, session.rules, db)
        }
    }
}
