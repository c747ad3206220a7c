import Foundation
import HTTPTypes
import Hummingbird
import RecordSearch
import SyncEngine
import SyncServer

/// The history of a record.
extension OriginalRoutes {
    @Sendable func conflictHistory(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let name = try parameter("model", of: exchange.request)
        let guid = try parameter("guid", of: exchange.request)
        guard let model = client.mapping.model(calledByClient: name) else {
            throw SyncError.find(.modelUnknown(name))
        }
        let transfer = try await folder.makeTransfer()
        let lines = try LineFile(creating: transfer.path(of: SentArchive.recordsName))
        let record = try await exchange.engine.record(
            guid, of: model.name, for: client.caller)
        var versions = RecordVersions(endingWith: record, in: model)
        var cursor: String?
        repeat {
            let page = try await exchange.engine.history(
                of: guid, model: model.name, cursor: cursor, limit: nil, for: client.caller)
            let found = page.entries.compactMap { versions.next($0) }
            try await lines.append(try found.flatMap { try $0.bytes() })
            cursor = page.cursor
        } while cursor != nil
        return try await archive([], in: transfer, for: client.caller, exchange)
    }
}
