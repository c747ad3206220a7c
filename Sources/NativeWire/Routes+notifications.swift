import Hummingbird
import NativeCalls
import Notifications
import SyncEngine
import SyncProtocol
import SyncServer

/// Push tokens and notifications.
extension Routes {
    @Sendable func register(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            PushTokenRequest.self, upTo: maxNotificationBytes(exchange))
        let type = try exchange.parameter("type")
        let isReached = try await exchange.environment.notifications.register(
            token: message.token, type: type, by: caller, at: exchange.now)
        return try .json(PushTokenResponse(type: type, reached: isReached))
    }

    @Sendable func unregister(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        try await exchange.environment.notifications.unregister(
            type: try exchange.parameter("type"), by: caller)
        return Response(status: .noContent)
    }

    @Sendable func pushTokens(_ exchange: Exchange) async throws -> Response {
        let query = try URLQuery(exchange.request, names: ["cursor", "limit"])
        let caller = try await exchange.caller()
        return try .json(
            PushTokensResponse(
                try await exchange.environment.notifications.tokens(
                    cursor: query["cursor"], limit: try query.number("limit"), for: caller)))
    }

    @Sendable func send(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            NotificationRequest.self, upTo: maxNotificationBytes(exchange))
        let sent = try await exchange.send(NotificationDraft(message), by: caller)
        return try .json(
            NotificationResponse(id: sent.id, unreachable: sent.unreachableTold),
            status: sent.isRepeat ? .ok : .created)
    }

    /// The list of logins is the largest part.
    private func maxNotificationBytes(_ exchange: Exchange) -> Int {
        let limits = exchange.engine.limits
        return min(
            exchange.host.bodies.maxBytes,
            6 * limits.notificationBytes + limits.notifiedUsers * (Login.maxBytes + 16) + 4096)
    }
}
