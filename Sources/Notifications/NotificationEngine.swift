import AccessPolicy
import DefinitionModel
package import SyncEngine

/// Manages push tokens and sends notifications to users.
///
/// Notifications are stored for some days under a number, so a listener can disconnect and resume,
/// and deliveries need not keep anything in memory. Users learn neither the content nor the number
/// of notifications for others, because positions are sealed.
package struct NotificationEngine: Sendable {
    package let engine: Engine
    let store: any NotificationStore
    let senders: NotificationSenders
    let deliveries: [any NotificationDelivery]

    /// Creates a notification engine. `store` must be the store of the engine.
    package init(
        engine: Engine, store: any NotificationStore, senders: NotificationSenders = .everyone,
        deliveries: [any NotificationDelivery] = []
    ) {
        self.engine = engine
        self.store = store
        self.senders = senders
        self.deliveries = deliveries
    }

    /// Stores the push token of the caller's device. Any type is accepted. Returns whether this
    /// server delivers to the token.
    ///
    /// - Parameter source: A hash of the address of a caller that is the user of all clients that
    ///   do not sign in; nil for others. These clients have more tokens together than a person, and
    ///   nobody who could remove those of apps that are gone: the oldest give way. Those of one
    ///   address give way to each other, so that it cannot take the places of all others.
    @discardableResult
    package func register(
        token text: String, type: String, by caller: Caller, ofGuestFrom source: [UInt8]? = nil,
        at now: Instant
    ) async throws(SyncError) -> Bool {
        let limits = engine.limits
        guard isVisible(type, upTo: limits.deviceTypeBytes) else {
            throw .notification(.typeIllegal(maxBytes: limits.deviceTypeBytes))
        }
        guard isPrintable(text, upTo: limits.pushTokenBytes) else {
            throw .notification(.tokenIllegal(maxBytes: limits.pushTokenBytes))
        }
        let token = PushToken(
            device: caller.device, deviceCategory: caller.asker.role.deviceCategory, type: type,
            text: text, at: now)
        let guest = source.map { GuestSource(hash: $0, max: limits.pushTokensOfGuestAddress) }
        let max = guest == nil ? limits.pushTokensOfUser : limits.pushTokensOfGuests
        let isKept = try await engine.reading { () async throws(StoreError) in
            try await store.register(token, in: engine.environment, max: max, ofGuest: guest)
        }
        guard isKept else { throw .notification(.tooManyTokens(max: max)) }
        return isReached(token)
    }

    /// Deletes the token of a type from the caller's device. With `text`, it deletes only that
    /// token, so that a late request does not delete a newer one.
    package func unregister(
        token text: String? = nil, type: String, by caller: Caller
    ) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await store.unregister(
                type: type, of: caller.device, text: text, in: engine.environment)
        }
    }

    /// Returns a page of all push tokens of the environment. The caller must be an admin.
    package func tokens(
        cursor: String? = nil, limit: Int? = nil, for caller: Caller
    ) async throws(SyncError) -> PushTokenPage {
        guard caller.isAdmin else { throw .adminOnly }
        let limit = try engine.pageLimit(limit)
        let query = PushTokenQuery(
            environment: engine.environment, after: try start(of: cursor), limit: limit)
        let held = try await engine.reading { () async throws(StoreError) in
            try await store.pushTokens(query)
        }
        let last = held.count < limit ? nil : held.last?.token.key
        var next: String?
        if let last { next = try engine.token(of: PushTokenCursor(after: last)) }
        return PushTokenPage(
            tokens: held.map { ReachedToken(token: $0.token, isReached: isReached($0.token)) },
            cursor: next)
    }

    /// Returns the push tokens of the caller's device.
    package func tokens(of caller: Caller) async throws(SyncError) -> [PushToken] {
        let query = PushTokenQuery(
            environment: engine.environment,
            after: PushTokenKey(deviceIdentifier: caller.deviceIdentifier, type: ""),
            limit: engine.limits.pushTokensOfUser)
        let held = try await engine.reading { () async throws(StoreError) in
            try await store.pushTokens(query)
        }
        return held.map(\.token).filter { token in
            token.device.login.hasSameBytes(as: caller.login)
                && token.device.deviceIdentifier.hasSameBytes(as: caller.deviceIdentifier)
        }
    }

    private func start(of cursor: String?) throws(SyncError) -> PushTokenKey? {
        guard let cursor else { return nil }
        guard let value = engine.seal.value(of: cursor, as: PushTokenCursor.self) else {
            throw .cursorUnreadable
        }
        return value.after
    }

    private func isReached(_ token: PushToken) -> Bool {
        deliveries.contains { $0.deviceTypes.contains(token.type) && $0.reaches(token) }
    }
}

/// A page of push tokens, ordered by device identifier and type.
package struct PushTokenPage: Hashable, Sendable {
    package let tokens: [ReachedToken]
    /// The cursor of the next page; nil on the last page.
    package let cursor: String?
}

/// A push token, and whether this server delivers to it.
package struct ReachedToken: Hashable, Sendable {
    package let token: PushToken
    package let isReached: Bool
}

/// The position after which the next page of tokens begins.
private struct PushTokenCursor: Codable {
    let after: PushTokenKey
}

/// Whether a text is non-empty visible ASCII, without spaces.
func isVisible(_ text: String, upTo maxBytes: Int) -> Bool {
    isPrintable(text, upTo: maxBytes) && !text.utf8.contains(UInt8(ascii: " "))
}

/// Whether a text is non-empty printable ASCII. Spaces are allowed, because the textual form of iOS
/// tokens contains them.
func isPrintable(_ text: String, upTo maxBytes: Int) -> Bool {
    (1...maxBytes).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
}
