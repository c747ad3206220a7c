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
        return try .json(
            try await exchange.engine.historyMessages(
                of: try exchange.parameter("guid"), model: try exchange.parameter("model"),
                cursor: query["cursor"], limit: try query.number("limit"), for: caller))
    }

    @Sendable func conflicts(_ exchange: Exchange) async throws -> Response {
        let query = try URLQuery(exchange.request, names: ["model", "cursor", "limit"])
        let caller = try await exchange.caller()
        return try .json(
            try await exchange.engine.conflictMessages(
                ofModel: query["model"], cursor: query["cursor"],
                limit: try query.number("limit"), for: caller))
    }

    @Sendable func resolve(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            ResolutionRequest.self, upTo: exchange.host.bodies.maxBytes)
        return try .json(try await exchange.engine.resolve(message, from: caller, at: exchange.now))
    }
}
