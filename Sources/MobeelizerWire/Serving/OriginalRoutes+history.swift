import Foundation
import HTTPTypes
import Hummingbird
import RecordSearch
import SyncEngine
import SyncServer

/// The history of a record, or the newest part of a long one: the clients cannot ask for more.
extension OriginalRoutes {
    @Sendable func conflictHistory(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let name = try parameter("model", of: exchange.request)
        let guid = try parameter("guid", of: exchange.request)
        guard let model = client.mapping.model(calledByClient: name) else {
            throw SyncError.find(.modelUnknown(name))
        }
        let transfer = try await makeTransfer(for: client.caller, exchange)
        let lines = try LineFile(
            creating: transfer.path(of: SentArchive.recordsName), on: exchange.host.disk)
        let record = try await exchange.engine.record(
            guid, of: model.name, for: client.caller)
        var versions = RecordVersions(endingWith: record, in: model)
        var room = (versions: limits.historyVersions, bytes: limits.historyBytes)
        let engine = exchange.engine.taking(exchange.turns(for: client.caller))
        var cursor: String?
        repeat {
            try exchange.checkGoesOn()
            let page = try await engine.history(
                of: guid, model: model.name, cursor: cursor, limit: nil, for: client.caller)
            // Each version is a whole record, far more than its entry.
            for entry in page.entries where room.versions > 0 && room.bytes > 0 {
                guard let bytes = try versions.next(entry)?.bytes() else { continue }
                try await lines.append(bytes)
                room = (room.versions - 1, room.bytes - bytes.count)
            }
            cursor = page.cursor
        } while cursor != nil && room.versions > 0 && room.bytes > 0
        return try await archive([], in: transfer, for: client.caller, exchange)
    }
}
