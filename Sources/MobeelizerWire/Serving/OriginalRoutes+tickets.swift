import Foundation
import HTTPTypes
import Hummingbird
import Secrets
import SyncEngine
import SyncServer
import WholeRecordSync

/// The status of a synchronization. The work is complete before the client gets its ticket, so no
/// client ever has to wait.
extension OriginalRoutes {
    @Sendable func synchronizeAll(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        return .text(
            try await openTicket(startsOver: true, rejection: nil, for: client.caller, exchange))
    }

    @Sendable func checkStatus(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let rejection = try await exchange.environment.tickets.rejection(
            of: try parameter("ticket", of: exchange.request), for: client.caller)
        let message = rejection?.message(through: client.mapping)
        return try .json(StatusMessage(rejection: message))
    }

    @Sendable func confirm(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        try await exchange.environment.tickets.confirm(
            try parameter("ticket", of: exchange.request), by: client.caller)
        return .text("")
    }

    func openTicket(
        startsOver: Bool, rejection: SyncRejection?, for caller: Caller, _ exchange: Exchange
    ) async throws -> String {
        let text = freshGuid()
        try await exchange.environment.tickets.open(
            text, startsOver: startsOver, rejection: rejection, for: caller)
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
