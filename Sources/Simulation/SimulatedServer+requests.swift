import DefinitionModel
import NativeCalls
import SyncEngine
import SyncProtocol
import Synchronization

// Requests of devices, in lasting words. A device's app may be of another version.

extension SimulatedServer {
    /// Decides a request whose caller has gone once its first change is decided. Nobody
    /// needs to know why it would be refused.
    mutating func abandon(
        _ request: SyncRequest, tokenHash: [UInt8], with app: AppVersion?
    ) async {
        guard let caller = try? await caller(tokenHash) else { return }
        let asked = Atomic(0)
        let client = app.flatMap(client(with:))
        var request = scenario.mutation.request(request)
        if let app { request = app.own(request) }
        _ = try? await (client?.engine ?? engine).answer(
            client?.served(request) ?? request, from: caller, at: now,
            whileWanted: { asked.add(1, ordering: .relaxed).oldValue == 0 })
    }

    /// Answers a request as the route of the server does.
    ///
    /// - Parameters:
    ///   - app: An app of another version; nil for one that uses lasting names.
    ///   - inItsWords: Whether the request is in the words of the app. The response is in lasting
    ///     ones.
    func answer(
        _ request: SyncRequest, from caller: Caller, with app: AppVersion?, inItsWords: Bool
    ) async throws -> SyncResponse {
        let mutation = scenario.mutation
        let request = mutation.request(request)
        guard let app else {
            return mutation.response(try await engine.sync(request, from: caller, at: now))
        }
        let own = inItsWords ? request : app.own(request)
        let response: SyncResponse
        if let client = client(with: app) {
            response = try await client.sync(
                mutation.said(own, client), from: caller, at: now)
        } else {
            response = try await engine.sync(own, from: caller, at: now)
        }
        return mutation.response(try app.lasting(response))
    }
}

extension SimulatedServer {
    /// - Parameter app: An app of another version; nil for one that uses lasting names.
    func history(
        of guid: String, model: String, for caller: Caller, with app: AppVersion?
    ) async throws -> HistoryResponse {
        let own = app?.vocabulary.own(model) ?? model
        var response: HistoryResponse
        if let client = app.flatMap(client(with:)) {
            response = try await client.historyMessages(
                of: guid, model: own, cursor: nil, limit: nil, for: caller)
        } else {
            response = try await engine.historyMessages(
                of: guid, model: own, cursor: nil, limit: nil, for: caller)
        }
        guard let app else { return response }
        for index in response.entries.indices {
            let entry = response.entries[index]
            if let before = entry.before {
                response.entries[index].before = try app.lasting(before, of: model)
            }
            if let wanted = entry.wanted {
                response.entries[index].wanted = try app.lasting(wanted, of: model)
            }
        }
        return response
    }

    /// All records with open conflicts.
    func conflicts(
        for caller: Caller, with app: AppVersion?
    ) async throws -> ConflictsResponse {
        var response: ConflictsResponse
        if let client = app.flatMap(client(with:)) {
            response = try await client.conflictMessages(
                ofModel: nil, cursor: nil, limit: 1000, for: caller)
        } else {
            response = try await engine.conflictMessages(
                ofModel: nil, cursor: nil, limit: 1000, for: caller)
        }
        guard let app else { return response }
        for index in response.records.indices {
            response.records[index] = try app.lasting(response.records[index])
        }
        return response
    }
}
