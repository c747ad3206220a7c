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
        _ request: SyncRequest, from caller: Caller, at now: Instant,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> SyncAnswer {
        try await answer(
            pushPull(of: request), from: caller, at: now, whileWanted: isWanted)
    }

    package func answer(
        _ request: PushPull, from caller: Caller, at now: Instant,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> SyncAnswer {
        try await sync(
            request, encoder: NativeRecordEncoder(), from: caller, at: now, whileWanted: isWanted)
    }

    /// Reads the values of the changes of a request.
    package func pushPull(of request: SyncRequest) -> PushPull {
        let book = rules.book
        return PushPull(
            changes: request.changes.map { Change($0, by: book) },
            acknowledged: request.acknowledged, cursor: request.cursor, limit: request.limit)
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
}
