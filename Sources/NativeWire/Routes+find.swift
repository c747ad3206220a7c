import ChangeRules
import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol
import SyncServer

/// Queries.
extension Routes {
    @Sendable func find(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let message = try read(exchange) { query throws(QueryFault) in
            try FindRequest(query: query)
        }
        let model = try exchange.parameter("model")
        return try .json(
            try await exchange.search(for: caller) {
                try await exchange.engine.find(message, of: model, for: caller)
            })
    }

    @Sendable func record(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let message = try read(exchange) { query throws(QueryFault) in
            try RecordRequest(query: query)
        }
        return try .json(
            try await exchange.engine.record(
                try exchange.parameter("guid"), of: try exchange.parameter("model"), message,
                for: caller))
    }

    private func read<Message>(
        _ exchange: Exchange, _ read: (String) throws(QueryFault) -> Message
    ) throws -> Message {
        let query = exchange.request.uri.query ?? ""
        guard query.utf8.count <= exchange.engine.limits.queryBytes else {
            throw HTTPFailure.queryTooLong(maxBytes: exchange.engine.limits.queryBytes)
        }
        do {
            return try read(query)
        } catch {
            throw SyncError.find(.query(error))
        }
    }
}
