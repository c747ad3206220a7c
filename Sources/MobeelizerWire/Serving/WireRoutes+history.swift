import Foundation
import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer

/// What became of a record, for whoever may see it.
extension WireRoutes {
    @Sendable func conflictHistory(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        let name = try parameter("model", of: request)
        let guid = try parameter("guid", of: request)
        guard let model = client.lens.model(calledByClient: name) else {
            throw SyncError.find(.modelUnknown(name))
        }
        let transfer = try await folder.makeTransfer()
        let lines = try LineFile(creating: transfer.path(of: SentArchive.recordsName))
        let record = try await services.engine.record(
            guid, of: model.name, for: client.caller)
        var versions = RecordVersions(endingWith: record, in: model)
        var cursor: String?
        repeat {
            let page = try await services.engine.history(
                of: guid, model: model.name, cursor: cursor, limit: nil, for: client.caller)
            let found = page.entries.compactMap { versions.next($0) }
            try await lines.append(try found.flatMap { try $0.bytes() })
            cursor = page.cursor
        } while cursor != nil
        return try await archive([], in: transfer, context)
    }
}
