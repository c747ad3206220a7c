import Foundation
import HTTPTypes
import Hummingbird
import Secrets
import SyncEngine
import SyncServer

/// What becomes of a synchronization. All of its work is done when a client has its ticket, so no
/// client ever waits for one.
extension WireRoutes {
    @Sendable func synchronizeAll(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        return .text(try await openTicket(startsOver: true, rejection: nil, for: client.caller))
    }

    @Sendable func checkStatus(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        let rejection = try await tickets.rejection(
            of: try parameter("ticket", of: request), for: client.caller)
        return try .json(StatusMessage(rejection: rejection))
    }

    @Sendable func confirm(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        try await tickets.confirm(try parameter("ticket", of: request), by: client.caller)
        return .text("")
    }

    func openTicket(
        startsOver: Bool, rejection: String?, for caller: Caller
    ) async throws -> String {
        let text = freshGuid()
        try await tickets.open(text, startsOver: startsOver, rejection: rejection, for: caller)
        return text
    }
}

private struct StatusMessage: Encodable {
    let status: String
    let result: String
    let message: String

    init(rejection: String?) {
        status = rejection == nil ? "FINISHED" : "REJECTED"
        result = rejection == nil ? "OK" : WireRefusal.Code.syncRejected.rawValue
        message = rejection ?? ""
    }
}
