import Foundation
import Hummingbird
import JSON
import Logging
import SyncEngine
import SyncServer

/// Where devices are reached, and telling users something at once.
extension WireRoutes {
    @Sendable func registerPushToken(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        try await register(
            try parameter("deviceToken", of: request),
            type: try parameter("deviceType", of: request),
            by: client.caller, context)
        return .text("")
    }

    @Sendable func unregisterPushToken(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        try await services.notifications.unregister(
            token: try parameter("deviceToken", of: request),
            type: try parameter("deviceType", of: request), by: client.caller)
        return .text("")
    }

    @Sendable func push(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        let bytes = try await services.bodies.wholeBody(
            of: request, upTo: Self.maxPushBytes, on: context)
        _ = try await services.send(
            try notification(from: bytes), by: client.caller, logger: context.logger)
        return .text("")
    }

    /// A token of any type is kept, also where nothing here delivers to it.
    func register(
        _ token: String, type: String, by caller: Caller, _ context: ConnectionContext
    ) async throws {
        let isReached = try await services.notifications.register(
            token: token, type: type, by: caller, at: services.now())
        guard !isReached else { return }
        context.logger.notice(
            "a push token is kept, but nothing here delivers to it", metadata: ["type": "\(type)"])
    }

    /// A token that is none keeps nobody from signing in.
    func registerIfItIsOne(
        _ token: String, type: String, by caller: Caller, _ context: ConnectionContext
    ) async throws {
        do {
            try await register(token, type: type, by: caller, context)
        } catch SyncError.notification {
            context.logger.notice("a push token that came with a sign-in is none")
        }
    }

    private func notification(from bytes: [UInt8]) throws -> NotificationDraft {
        do {
            let push = try decodeMessage(OriginalPush.self, from: bytes)
            return NotificationDraft(
                deviceCategory: push.device, group: push.group, users: push.users,
                body: push.notification)
        } catch is DecodingError {
            throw WireRefusal.pushIllegible
        }
    }

    private static let maxPushBytes = 512 << 10
}

/// What is to be told, and to whom; null and absent mean everyone.
private struct OriginalPush: Decodable {
    /// A device category.
    let device: String?
    let group: String?
    let users: [String]?
    let notification: [String: JSONValue]
}
