import DefinitionModel
import SyncEngine

/// Batches the session lookups of a process.
///
/// Every request looks up its session. While one statement runs, further lookups gather, and the
/// next statement answers them together. A lookup sees everything that was committed before it was
/// made: it reads the environment's counters, and the sessions that are not cached for these.
struct SessionQueue: Sendable {
    private static let mostAtATime = 256

    private let queue = BatchQueue<SessionCall>(
        maxCalls: mostAtATime, maxWeight: mostAtATime)
    private let cache = SessionCache()

    /// Returns nil if the session does not exist or has expired.
    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant,
        on database: PostgresDatabase
    ) async throws(StoreError) -> OpenSession? {
        let session = CallValue<OpenSession?>()
        try await queue.run(in: environment) { caller in
            SessionCall(tokenHash: tokenHash, now: now, session: session, caller: caller)
        } leading: { lead in
            await answer(lead, in: environment, on: database)
            return lead.takenCalls.count
        }
        return try session.get()
    }

    /// Returns a session that was valid when this process last read the environment's row.
    func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? {
        cache.presumedSession(tokenHash: tokenHash, in: environment, at: now)
    }

    /// Notes the state that a transaction has found.
    func note(_ state: CurrentState, in environment: EnvironmentID) {
        guard let accounts = state.accounts else { return }
        cache.note(AccountsRow(accounts: accounts, moment: state.moment), of: environment)
    }

    /// Takes further calls when a connection is free, and answers those for cached sessions on its
    /// thread. Fails only calls that it has taken: others have not waited as long for a connection.
    private func answer(
        _ lead: BatchQueue<SessionCall>.Lead, in environment: EnvironmentID,
        on database: PostgresDatabase
    ) async {
        _ = lead.takeCalls()
        do throws(StoreError) {
            let unknown = try await database.ask { transaction in
                let calls = lead.takeCalls()
                guard let row = try row(of: environment, transaction) else {
                    for call in calls { call.finish(nil) }
                    return UnknownSessions?.none
                }
                cache.note(row, of: environment)
                return UnknownSessions(
                    calls: calls.filter { !finish($0, in: environment, at: row) }, row: row)
            }
            guard let unknown, !unknown.calls.isEmpty else { return }
            await read(unknown.calls, at: unknown.row, in: environment, on: database)
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
        on database: PostgresDatabase
    ) async {
        do throws(StoreError) {
            let found = try await sessions(
                Set(calls.map(\.tokenHash)), in: environment, on: database)
            for case .success(let open) in found.values { cache.keep(open, from: row) }
            for call in calls { call.finish(found[call.tokenHash]) }
        } catch {
            for call in calls { call.fail(error) }
        }
    }

    /// Nil if there is no such environment.
    private func row(
        of environment: EnvironmentID, _ transaction: PGTransaction
    ) throws -> AccountsRow? {
        let rows = try transaction.rows(
            "SELECT accounts, version, sequence, horizon FROM environments WHERE id = $1",
            [.integer(environment.number)])
        guard var row = rows.first else { return nil }
        return AccountsRow(
            accounts: try row.int64(),
            moment: EnvironmentMoment(
                deployment: try row.number(as: .sequence),
                sequence: try row.number(as: .sequence),
                purgeHorizon: try row.number(as: .sequence)))
    }

    /// Returns sessions by the hash of their token, expired ones included. An unreadable session
    /// fails only the calls for it.
    private func sessions(
        _ tokenHashes: Set<[UInt8]>, in environment: EnvironmentID, on database: PostgresDatabase
    ) async throws(StoreError) -> [[UInt8]: Result<OpenSession, StoreError>] {
        try await database.ask { transaction in
            let rows = try transaction.rows(
                """
                SELECT token_hash, sessions.login, device_category, device_identifier, expires_at,
                    opened_at, group_name, is_admin, environments.version, sequence, horizon,
                    fingerprint, epoch
                FROM unnest($2::bytea[]) AS wanted (wanted_hash)
                JOIN sessions ON token_hash = wanted_hash
                JOIN users USING (environment, login)
                JOIN environments ON environments.id = sessions.environment
                JOIN versions ON versions.id = environments.version
                WHERE sessions.environment = $1
                """, [.integer(environment.number), .byteStrings(Array(tokenHashes))])
            var found: [[UInt8]: Result<OpenSession, StoreError>] = [:]
            try rows.each { row in
                let tokenHash = try row.bytes()
                found[tokenHash] = Result {
                    try OpenSession(row: &row, tokenHash: tokenHash, environment: environment)
                }.mapError { StoreError($0) }
            }
            return found
        }
    }
}

/// Calls for sessions that are not cached, and the row of their environment.
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

extension OpenSession {
    fileprivate init(row: inout Row, tokenHash: [UInt8], environment: EnvironmentID) throws {
        self.init(
            session: SyncEngine.Session(
                tokenHash: tokenHash, environment: environment, login: try row.text(),
                deviceCategory: try row.text(), deviceIdentifier: try row.text(),
                expiresAt: try row.instant(), openedAt: try row.optionalInstant()),
            group: try row.text(), isAdmin: try row.flag(),
            moment: EnvironmentMoment(
                deployment: try row.number(as: .sequence), sequence: try row.number(as: .sequence),
                purgeHorizon: try row.number(as: .sequence)),
            fingerprint: try row.text(), epoch: try row.int64())
    }
}
