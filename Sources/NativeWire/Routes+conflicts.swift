import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol
import SyncServer

/// History and conflicts.
extension Routes {
    @Sendable func history(_ exchange: Exchange) async throws -> Response {
        let query = try URLQuery(exchange.request, names: ["cursor", "limit"])
        let caller = try await exchange.caller()
        let (guid, model) = (try exchange.parameter("guid"), try exchange.parameter("model"))
        let (cursor, limit) = (query["cursor"], try query.number("limit"))
        let turns = exchange.turns(for: caller)
        if let client = try await exchange.client()?.taking(turns) {
            let entries = try await client.historyMessages(
                of: guid, model: model, cursor: cursor, limit: limit, for: caller)
            return try await exchange.answer(entries, to: caller)
        }
        let entries = try await exchange.engine.taking(turns).historyMessages(
            of: guid, model: model, cursor: cursor, limit: limit, for: caller)
        return try await exchange.answer(entries, to: caller)
    }

    @Sendable func conflicts(_ exchange: Exchange) async throws -> Response {
        let query = try URLQuery(exchange.request, names: ["model", "cursor", "limit"])
        let caller = try await exchange.caller()
        let (model, cursor) = (query["model"], query["cursor"])
        let limit = try query.number("limit")
        let turns = exchange.turns(for: caller)
        if let client = try await exchange.client()?.taking(turns) {
            let records = try await client.conflictMessages(
                ofModel: model, cursor: cursor, limit: limit, for: caller)
            return try await exchange.answer(records, to: caller)
        }
        let records = try await exchange.engine.taking(turns).conflictMessages(
            ofModel: model, cursor: cursor, limit: limit, for: caller)
        return try await exchange.answer(records, to: caller)
    }

    @Sendable func resolve(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            ResolutionRequest.self, upTo: exchange.host.bodies.maxBytes)
        let turns = exchange.turns(for: caller)
        if let client = try await exchange.client()?.taking(turns) {
            return try .json(try await client.resolve(message, from: caller, at: exchange.now))
        }
        return try .json(
            try await exchange.engine.taking(turns).resolve(
                message, from: caller, at: exchange.now))
    }
}
