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
        let client = try await exchange.client()
        let found = try await exchange.search(for: caller) {
            guard let client else {
                return try await exchange.engine.find(message, of: model, for: caller)
            }
            return try await client.find(message, of: model, for: caller)
        }
        return try await exchange.answer(found, to: caller)
    }

    @Sendable func record(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let message = try read(exchange) { query throws(QueryFault) in
            try RecordRequest(query: query)
        }
        let (guid, model) = (try exchange.parameter("guid"), try exchange.parameter("model"))
        if let client = try await exchange.client() {
            let record = try await client.record(guid, of: model, message, for: caller)
            return try await exchange.answer(record, to: caller)
        }
        let record = try await exchange.engine.record(guid, of: model, message, for: caller)
        return try await exchange.answer(record, to: caller)
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
