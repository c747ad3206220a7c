import ChangeRules
import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol

/// Questions for records.
extension Routes {
    @Sendable func find(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        let message = try read(request) { query throws(QueryFault) in
            try FindRequest(query: query)
        }
        return try .json(
            try await engine.find(message, of: parameter("model", context), for: caller))
    }

    @Sendable func record(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        let message = try read(request) { query throws(QueryFault) in
            try RecordRequest(query: query)
        }
        return try .json(
            try await engine.record(
                parameter("guid", context), of: parameter("model", context), message,
                for: caller))
    }

    private func read<Message>(
        _ request: Request, _ read: (String) throws(QueryFault) -> Message
    ) throws -> Message {
        let query = request.uri.query ?? ""
        guard query.utf8.count <= engine.limits.queryBytes else {
            throw HTTPFailure.queryTooLong(maxBytes: engine.limits.queryBytes)
        }
        do {
            return try read(query)
        } catch {
            throw SyncError.find(.query(error))
        }
    }
}
