import ChangeRules
import DefinitionModel
import RecordSearch
package import SyncEngine
package import SyncProtocol
import VersionTranslation

/// Calls with the messages of a client of another version, in the words of that version.
extension ClientEngine {
    package func sync(
        _ request: SyncRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> SyncResponse {
        let answer = try await engine.answer(
            translation.served(request), from: caller, at: now)
        return try response(answer, to: request, for: caller)
    }

    /// The request in the words of the served version.
    package func served(_ request: SyncRequest) -> SyncRequest { translation.served(request) }

    /// The served name of a client's model; one that no definition has if it is not served.
    package func servedModel(_ name: String) -> String { translation.servedModel(name) }

    /// The answer to the translated request, in the client's words.
    package func response(
        _ answer: SyncAnswer, to request: SyncRequest, for caller: Caller
    ) throws(SyncError) -> SyncResponse {
        let models = Dictionary(
            request.changes.map { ($0.id, $0.model) }, uniquingKeysWith: { first, _ in first })
        return SyncResponse(
            outcomes: outcomes(answer.outcomes, ofModels: models),
            records: messages(of: try views(of: answer.records), for: caller),
            dropped: answer.dropped.compactMap(translation.clientKey).map(DroppedMessage.init),
            cursor: answer.cursor, more: answer.hasMore, resync: answer.isResync)
    }

    package func find(
        _ request: FindRequest, of model: String, for caller: Caller
    ) async throws(SyncError) -> FindResponse {
        let page = try await engine.find(
            FindQuery(request), of: model, in: translation, for: caller)
        return FindResponse(
            records: page.records.map(RecordMessage.init), more: page.hasMore,
            cursor: page.cursor, count: page.count)
    }

    package func record(
        _ guid: String, of model: String, _ request: RecordRequest, for caller: Caller
    ) async throws(SyncError) -> RecordMessage {
        let record = try await engine.record(
            guid, of: translation.servedModel(model),
            fields: translation.servedFields(request.fields, ofModel: model), for: caller)
        let view = translation.clientView(
            of: record, for: caller.asker, fields: request.fields)
        guard let view else { throw .recordUnknown }
        return RecordMessage(view)
    }

    package func conflictMessages(
        ofModel model: String?, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> ConflictsResponse {
        let list = try await engine.conflicts(
            ofModel: model.map(translation.servedModel), cursor: cursor, limit: limit,
            for: caller)
        return ConflictsResponse(
            records: messages(of: list.records, for: caller), cursor: list.cursor)
    }

    package func resolve(
        _ request: ResolutionRequest, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> ResolutionResponse {
        var served = request
        served.model = request.model.map(translation.servedModel)
        served.fields = translation.servedNames(request.fields, ofModel: request.model)
        let resolved = try await engine.resolve(
            ResolutionRule(served), from: caller, at: now)
        let outcomes = resolved.outcomes.compactMap { outcome in
            (request.model ?? translation.model(servedAs: outcome.model)?.client.name).map {
                OutcomeMessage(translation.clientOutcome(outcome, ofModel: $0))
            }
        }
        return ResolutionResponse(outcomes: outcomes, cursor: resolved.cursor)
    }

    package func historyMessages(
        of guid: String, model: String, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> HistoryResponse {
        guard let known = translation.model(calledByClient: model) else { throw .recordUnknown }
        let page = try await engine.history(
            of: guid, model: known.served.name, cursor: cursor, limit: limit, for: caller)
        let entries = page.entries.map { entry in
            var message = HistoryMessage(entry)
            message.before = message.before.map(known.clientFields)
            message.wanted = message.wanted.map(known.clientFields)
            return message
        }
        return HistoryResponse(entries: entries, cursor: page.cursor)
    }
}

extension ClientEngine {
    private func outcomes(
        _ outcomes: [Outcome], ofModels models: [String: String]
    ) -> [OutcomeMessage] {
        outcomes.map { outcome in
            OutcomeMessage(
                translation.clientOutcome(
                    outcome, ofModel: models[outcome.changeID] ?? outcome.model))
        }
    }

    private func messages(of records: [RecordView], for caller: Caller) -> [RecordMessage] {
        records.compactMap { record in
            translation.clientView(of: record, for: caller.asker).map(RecordMessage.init)
        }
    }

    /// Such an engine encodes no pages.
    private func views(of records: AnswerRecords) throws(SyncError) -> [RecordView] {
        do throws(StoreError) {
            switch records {
            case .shown(let records): return try records.views()
            case .encoded: throw .unreadable("a page is encoded for other clients")
            }
        } catch {
            throw .store(error)
        }
    }
}
