import ChangeRules
import DefinitionModel
import RecordSearch
package import SyncEngine
package import SyncProtocol

/// Calls of the engine with the native wire's messages, without HTTP.
extension Engine {
    package func sync(
        _ request: SyncRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> SyncResponse {
        try await answer(request, from: caller, at: now).message()
    }

    /// The response before encoding. Encode it with `withJSON`, which copies stored values
    /// unchanged.
    package func answer(
        _ request: SyncRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> SyncAnswer {
        let book = rules.book
        return try await sync(
            PushPull(
                changes: request.changes.map { Change($0, by: book) },
                acknowledged: request.acknowledged, cursor: request.cursor, limit: request.limit),
            encoder: NativeRecordEncoder(), from: caller, at: now)
    }

    package func find(
        _ request: FindRequest, of model: String, for caller: Caller
    ) async throws(SyncError) -> FindResponse {
        let page = try await find(FindQuery(request), of: model, for: caller)
        return FindResponse(
            records: page.records.map(RecordMessage.init), more: page.hasMore,
            cursor: page.cursor, count: page.count)
    }

    package func record(
        _ guid: String, of model: String, _ request: RecordRequest, for caller: Caller
    ) async throws(SyncError) -> RecordMessage {
        RecordMessage(
            try await record(guid, of: model, fields: request.fields, for: caller))
    }

    package func conflictMessages(
        ofModel model: String?, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> ConflictsResponse {
        let list = try await conflicts(ofModel: model, cursor: cursor, limit: limit, for: caller)
        return ConflictsResponse(
            records: list.records.map(RecordMessage.init), cursor: list.cursor)
    }

    package func resolve(
        _ request: ResolutionRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> ResolutionResponse {
        let resolved = try await resolve(ResolutionRule(request), from: caller, at: now)
        return ResolutionResponse(
            outcomes: resolved.outcomes.map(OutcomeMessage.init), cursor: resolved.cursor)
    }

    package func historyMessages(
        of guid: String, model: String, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> HistoryResponse {
        let page = try await history(
            of: guid, model: model, cursor: cursor, limit: limit, for: caller)
        return HistoryResponse(
            entries: page.entries.map(HistoryMessage.init), cursor: page.cursor)
    }

    package func userMessages(for caller: Caller) async throws(SyncError) -> [UserMessage] {
        try await users(for: caller).map(UserMessage.init)
    }

    package func addUser(
        _ request: NewUserRequest, passwordHash: String, by caller: Caller
    ) async throws(SyncError) -> UserMessage {
        UserMessage(
            try await addUser(
                NewUser(
                    login: request.login, group: request.group, mail: request.mail ?? "",
                    isAdmin: request.admin ?? false, passwordHash: passwordHash), by: caller))
    }

    package func changeUser(
        _ login: String, _ request: UserChangeRequest, passwordHash: String?, by caller: Caller
    ) async throws(SyncError) {
        try await changeUser(
            login,
            UserEdit(
                group: request.group, mail: request.mail, isAdmin: request.admin,
                passwordHash: passwordHash), by: caller)
    }

    /// `verify` compares a password with a stored hash; see `Engine.signIn`.
    package func signIn(
        _ request: SessionRequest, token: NewToken, at now: Instant,
        verify: @Sendable (_ password: String, _ hash: String?) async -> Bool
    ) async throws(SyncError) -> SessionResponse {
        let session = try await signIn(
            Credentials(request), token: token, at: now, verify: verify)
        return SessionResponse(session, token: token, of: self)
    }
}
