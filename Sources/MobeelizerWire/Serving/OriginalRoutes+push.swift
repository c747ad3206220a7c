import Foundation
import Hummingbird
import JSON
import Logging
import Notifications
import SyncEngine
import SyncServer

/// Push tokens and notifications.
extension OriginalRoutes {
    @Sendable func registerPushToken(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        try await register(
            try parameter("deviceToken", of: exchange.request),
            type: try parameter("deviceType", of: exchange.request),
            by: client.caller, exchange)
        return .text("")
    }

    @Sendable func unregisterPushToken(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        try await exchange.environment.notifications.unregister(
            token: try parameter("deviceToken", of: exchange.request),
            type: try parameter("deviceType", of: exchange.request), by: client.caller)
        return .text("")
    }

    @Sendable func push(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let bytes = try await exchange.wholeBody(upTo: Self.maxPushBytes)
        _ = try await exchange.send(try notification(from: bytes), by: client.caller)
        return .text("")
    }

    /// Stores a token of any type, even without a delivery for it.
    func register(
        _ token: String, type: String, by caller: Caller, _ exchange: Exchange
    ) async throws {
        let isReached = try await exchange.environment.notifications.register(
            token: token, type: type, by: caller, at: exchange.now)
        guard !isReached else { return }
        exchange.logger.notice(
            "a push token is kept, but nothing here delivers to it", metadata: ["type": "\(type)"])
    }

    /// Ignores an invalid token, so that the user can still sign in.
    func registerIfValid(
        _ token: String, type: String, by caller: Caller, _ exchange: Exchange
    ) async throws {
        do {
            try await register(token, type: type, by: caller, exchange)
        } catch SyncError.notification {
            exchange.logger.notice("a push token that came with a sign-in is none")
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

/// A notification and its audience. Null and absent members do not restrict the audience.
private struct OriginalPush: Decodable {
    /// A device category.
    let device: String?
    let group: String?
    let users: [String]?
    let notification: [String: JSONValue]
}
