import AccessPolicy
import DefinitionModel

/// Keeps where devices are reached, and tells users something at once.
///
/// What is sent is kept for some days under a number, so who listens can break off and go on, and
/// no delivery has to hold anything in memory. Nobody is told of a notification that is not for
/// them, nor how many there were: their numbers are sealed.
package struct NotificationEngine: Sendable {
    package let engine: Engine
    let ledger: any NotificationLedger
    let senders: NotificationSenders
    let deliveries: [any NotificationDelivery]

    /// `ledger` is the engine's own store.
    package init(
        engine: Engine, ledger: any NotificationLedger, senders: NotificationSenders = .everyone,
        deliveries: [any NotificationDelivery] = []
    ) {
        self.engine = engine
        self.ledger = ledger
        self.senders = senders
        self.deliveries = deliveries
    }

    /// Keeps where the caller's device is reached, whatever the type; says whether there is a
    /// delivery to it here.
    @discardableResult
    package func register(
        token text: String, type: String, by caller: Caller, at now: Instant
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
        let isKept = try await engine.reading { () async throws(StoreError) in
            try await ledger.register(token, in: engine.environment, max: limits.pushTokensOfUser)
        }
        guard isKept else {
            throw .notification(.tooManyTokens(max: limits.pushTokensOfUser))
        }
        return isReached(token)
    }

    /// Forgets the token that the caller's device has of a type. With a text, only if it has that
    /// one: a late request does not take away what came after it.
    package func unregister(
        token text: String? = nil, type: String, by caller: Caller
    ) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await ledger.unregister(
                type: type, of: caller.device, text: text, in: engine.environment)
        }
    }

    /// Every token of the environment, for admins.
    package func tokens(
        cursor: String? = nil, limit: Int? = nil, for caller: Caller
    ) async throws(SyncError) -> PushTokenPage {
        guard caller.isAdmin else { throw .adminOnly }
        let limit = try engine.pageLimit(limit)
        let query = PushTokenQuery(
            environment: engine.environment, after: try start(of: cursor), limit: limit)
        let held = try await engine.reading { () async throws(StoreError) in
            try await ledger.pushTokens(query)
        }
        let last = held.count < limit ? nil : held.last?.token.key
        var next: String?
        if let last { next = try engine.token(of: PushTokenCursor(after: last)) }
        return PushTokenPage(
            tokens: held.map { ReachedToken(token: $0.token, isReached: isReached($0.token)) },
            cursor: next)
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

/// Some of an environment's push tokens, by device identifier and type.
package struct PushTokenPage: Hashable, Sendable {
    package let tokens: [ReachedToken]
    /// For the next page; nil on the last one.
    package let cursor: String?
}

/// A push token, and whether this server delivers to it.
package struct ReachedToken: Hashable, Sendable {
    package let token: PushToken
    package let isReached: Bool
}

/// Where the next page of the tokens begins.
private struct PushTokenCursor: Codable {
    let after: PushTokenKey
}

/// Not empty, and nothing in it but visible ASCII.
func isVisible(_ text: String, upTo maxBytes: Int) -> Bool {
    isPrintable(text, upTo: maxBytes) && !text.utf8.contains(UInt8(ascii: " "))
}

/// The same with spaces, which tokens of iOS have when they are written as they show.
private func isPrintable(_ text: String, upTo maxBytes: Int) -> Bool {
    (1...maxBytes).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
}
