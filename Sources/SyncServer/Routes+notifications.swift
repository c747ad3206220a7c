import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol

/// Where devices are reached, and telling users something at once.
extension Routes {
    @Sendable func register(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            PushTokenRequest.self, from: request, context, upTo: maxNotificationBytes)
        let type = parameter("type", context)
        let isReached = try await notifications.register(
            token: message.token, type: type, by: caller, at: now())
        return try .json(PushTokenResponse(type: type, reached: isReached))
    }

    @Sendable func unregister(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        try await notifications.unregister(type: parameter("type", context), by: caller)
        return Response(status: .noContent)
    }

    @Sendable func pushTokens(_ request: Request, _ context: Context) async throws -> Response {
        let query = try Query(request, names: ["cursor", "limit"])
        let caller = try await caller(of: request, context)
        return try .json(
            PushTokensResponse(
                try await notifications.tokens(
                    cursor: query["cursor"], limit: try query.number("limit"), for: caller)))
    }

    @Sendable func send(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            NotificationRequest.self, from: request, context, upTo: maxNotificationBytes)
        let sent = try await services.send(
            NotificationDraft(message), by: caller, logger: context.logger)
        return try .json(
            NotificationResponse(id: sent.id, unreachable: sent.unreachableTold),
            status: sent.isRepeat ? .ok : .created)
    }

    /// Logins take the most of it.
    private var maxNotificationBytes: Int {
        let limits = engine.limits
        return min(
            maxBodyBytes,
            6 * limits.notificationBytes + limits.notifiedUsers * (Login.maxBytes + 16) + 4096)
    }
}
