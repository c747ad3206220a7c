import DefinitionModel

/// Batches the session lookups of a process, for a store that takes a round trip for each.
///
/// Every request looks up its session. While a query runs, further lookups gather, and the next
/// query answers them together. A lookup sees everything that was committed before it was
/// made: it reads the environment's counters, and the sessions that are not cached for these.
package struct SessionQueue: Sendable {
    private static let mostAtATime = 256

    // In this module, so that the compiler specializes the queue for these calls.
    private let queue = BatchQueue<SessionCall>(
        maxCalls: mostAtATime, maxWeight: mostAtATime)
    private let cache = SessionCache()

    package init() {}

    /// Returns nil if the session does not exist or has expired.
    package func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant,
        from reader: any SessionReader
    ) async throws(StoreError) -> OpenSession? {
        let session = CallValue<OpenSession?>()
        try await queue.run(in: environment) { caller in
            SessionCall(tokenHash: tokenHash, now: now, session: session, caller: caller)
        } leading: { lead in
            await answer(lead, in: environment, from: reader)
            return lead.takenCount
        }
        return try session.get()
    }

    /// Returns a session that was valid when this process last read the environment's counters.
    package func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? {
        cache.presumedSession(tokenHash: tokenHash, in: environment, at: now)
    }

    /// Notes the state that a transaction has found.
    package func note(_ state: CurrentState, in environment: EnvironmentID) {
        guard let accounts = state.accounts else { return }
        cache.note(AccountsRow(accounts: accounts, moment: state.moment), of: environment)
    }

    /// Takes further calls when the store can be asked, and answers those for cached sessions on
    /// its thread. Fails only calls that it has taken: others have not waited as long.
    private func answer(
        _ lead: BatchQueue<SessionCall>.Lead, in environment: EnvironmentID,
        from reader: any SessionReader
    ) async {
        _ = lead.takeCalls()
        do throws(StoreError) {
            let unknown = try await reader.reading(countersOf: environment) { counters in
                let calls = lead.takeCalls()
                guard let row = try counters() else {
                    for call in calls { call.finish(nil) }
                    return UnknownSessions?.none
                }
                cache.note(row, of: environment)
                return UnknownSessions(
                    calls: calls.filter { !finish($0, in: environment, at: row) }, row: row)
            }
            guard let unknown, !unknown.calls.isEmpty else { return }
            await read(unknown.calls, at: unknown.row, in: environment, from: reader)
        } catch {
            for call in lead.takenCalls { call.fail(error) }
        }
    }

    /// Returns false if the session is not cached.
    private func finish(
        _ call: SessionCall, in environment: EnvironmentID, at row: AccountsRow
    ) -> Bool {
        let known = cache.session(tokenHash: call.tokenHash, in: environment, at: row, call.now)
        guard let known else { return false }
        call.finish(.success(known))
        return true
    }

    /// Answers calls for sessions that are not cached.
    private func read(
        _ calls: [SessionCall], at row: AccountsRow, in environment: EnvironmentID,
        from reader: any SessionReader
    ) async {
        do throws(StoreError) {
            let found = try await reader.storedSessions(
                Set(calls.map(\.tokenHash)), in: environment)
            for case .success(let open) in found.values { cache.keep(open, from: row) }
            for call in calls { call.finish(found[call.tokenHash]) }
        } catch {
            for call in calls { call.fail(error) }
        }
    }
}

/// A store that a `SessionQueue` asks.
package protocol SessionReader: Sendable {
    /// Runs `body` on a thread that may block, as soon as the store can be asked. May run it again
    /// if the store could not answer. The function that `body` gets reads the environment's
    /// counters; they are nil if there is no such environment.
    func reading<Value: Sendable>(
        countersOf environment: EnvironmentID,
        _ body: @escaping @Sendable (_ counters: () throws -> AccountsRow?) throws -> Value
    ) async throws(StoreError) -> Value

    /// Returns sessions by the hash of their token, expired ones included. An unreadable session
    /// fails only the calls for it.
    func storedSessions(
        _ tokenHashes: Set<[UInt8]>, in environment: EnvironmentID
    ) async throws(StoreError) -> [[UInt8]: Result<OpenSession, StoreError>]
}

/// Calls for sessions that are not cached, and the counters of their environment.
private struct UnknownSessions {
    let calls: [SessionCall]
    let row: AccountsRow
}

private struct SessionCall: QueuedCall {
    let tokenHash: [UInt8]
    let now: Instant
    let session: CallValue<OpenSession?>
    let caller: WaitingCaller

    func finish(_ found: Result<OpenSession, StoreError>?) {
        do throws(StoreError) {
            let found = try found?.get()
            session.set(found.flatMap { $0.session.expiresAt > now ? $0 : nil })
            caller.finish(.success(()))
        } catch {
            caller.finish(.failure(error))
        }
    }

    var weight: Int { 1 }

    /// Not known before the answer.
    var user: ByteKey? { nil }

    func fail(_ error: StoreError) { caller.finish(.failure(error)) }
}
