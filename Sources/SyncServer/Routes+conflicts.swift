import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol

/// What was done to records, and what is in dispute.
extension Routes {
    @Sendable func history(_ request: Request, _ context: Context) async throws -> Response {
        let query = try Query(request, names: ["cursor", "limit"])
        let caller = try await caller(of: request, context)
        return try .json(
            try await engine.historyMessages(
                of: parameter("guid", context), model: parameter("model", context),
                cursor: query["cursor"], limit: try query.number("limit"), for: caller))
    }

    @Sendable func conflicts(_ request: Request, _ context: Context) async throws -> Response {
        let query = try Query(request, names: ["model", "cursor", "limit"])
        let caller = try await caller(of: request, context)
        return try .json(
            try await engine.conflictMessages(
                ofModel: query["model"], cursor: query["cursor"],
                limit: try query.number("limit"), for: caller))
    }

    @Sendable func resolve(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            ResolutionRequest.self, from: request, context, upTo: maxBodyBytes)
        return try .json(try await engine.resolve(message, from: caller, at: now()))
    }
}
