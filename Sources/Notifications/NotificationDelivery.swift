import DefinitionModel
package import SyncEngine

/// A channel that delivers notifications to devices. It delivers notifications that the store has
/// already stored.
package protocol NotificationDelivery: Sendable {
    /// The types of push tokens that the channel serves. Empty for a channel whose devices need no
    /// token and read the store themselves.
    var deviceTypes: Set<String> { get }

    /// Whether the channel can deliver to a token of one of its types, as far as it can tell
    /// without sending.
    func reaches(_ token: PushToken) -> Bool

    /// Announces that the store may have new notifications. Returns immediately. Redundant calls
    /// are allowed, from this process or on behalf of another.
    func announce()

    /// Sends a notification to devices. Returns one result for each token, in the same order.
    func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult]
}

/// The result of a delivery to one device.
package enum DeliveryResult: Hashable, Sendable {
    case delivered
    /// The reason of the failure, for the log. It contains no secret part of the token.
    case failed(String)
    /// The token is no longer valid.
    case gone
}

/// The result of one step of a delivery.
package enum DeliveryStep: Hashable, Sendable {
    case delivered
    /// Another process delivers. If it is killed, its claim expires.
    case waits
    /// No notification is pending.
    case done
}

extension NotificationEngine {
    /// The time after which another process takes over a delivery. A call of a delivery with
    /// `Limits.deliveredTokens` takes less.
    private static let claimSeconds: Int64 = 30

    /// Claims the next pending notification and sends it through the channels that need tokens.
    /// Skips notifications sent before `moment`.
    ///
    /// Delivery is at least once: an interrupted one is continued, here or in another process,
    /// after the last page of tokens that is known to be done. `claimant` identifies this process,
    /// and `noting` receives the result for each token.
    package func deliverNext(
        sentSince moment: Instant, by claimant: String, clock: () -> Instant,
        noting: (StoredNotification, PushToken, DeliveryResult) -> Void
    ) async throws(SyncError) -> DeliveryStep {
        let claim = DeliveryClaim(by: claimant, at: clock(), seconds: Self.claimSeconds)
        let claimed = try await engine.reading { () async throws(StoreError) in
            try await store.claimNotification(
                claim, in: engine.environment, sentSince: moment)
        }
        switch claimed {
        case .nonePending: return .done
        case .taken: return .waits
        case .claimed(let notification, let token):
            var page = try await deliver(notification, after: token, noting: noting)
            while let last = page {
                guard !Task.isCancelled,
                    try await extendClaim(
                        of: notification, through: last, by: claimant, at: clock())
                else { return .waits }
                page = try await deliver(notification, after: last, noting: noting)
            }
            try await engine.reading { () async throws(StoreError) in
                try await store.endDelivery(
                    of: notification.number, by: claimant, in: engine.environment)
            }
            return .delivered
        }
    }

    private func extendClaim(
        of notification: StoredNotification, through token: PushTokenKey, by claimant: String,
        at now: Instant
    ) async throws(SyncError) -> Bool {
        let claim = DeliveryClaim(by: claimant, at: now, seconds: Self.claimSeconds)
        return try await engine.reading { () async throws(StoreError) in
            try await store.extendClaim(
                claim, of: notification.number, through: token, in: engine.environment)
        }
    }

    /// Sends a notification to a page of tokens. Returns the last one; nil if no more follow.
    private func deliver(
        _ notification: StoredNotification, after token: PushTokenKey?,
        noting: (StoredNotification, PushToken, DeliveryResult) -> Void
    ) async throws(SyncError) -> PushTokenKey? {
        let types = Set(deliveries.flatMap(\.deviceTypes))
        guard !types.isEmpty else { return nil }
        let page = try await pushTokens(
            of: notification.content.audience, types: types, after: token)
        let usable = page.filter(mayBeUsed).map(\.token)
        for delivery in deliveries {
            let tokens = usable.filter { delivery.deviceTypes.contains($0.type) }
            guard !tokens.isEmpty else { continue }
            for (token, result) in zip(tokens, await delivery.deliver(notification, to: tokens)) {
                noting(notification, token, result)
                if result == .gone { try await forget(token) }
            }
        }
        return page.count < engine.limits.deliveredTokens ? nil : page.last?.token.key
    }

    private func pushTokens(
        of audience: NotificationAudience, types: Set<String>, after: PushTokenKey?
    ) async throws(SyncError) -> [HeldPushToken] {
        let query = PushTokenQuery(
            environment: engine.environment, audience: audience, types: types, after: after,
            limit: engine.limits.deliveredTokens)
        return try await engine.reading { () async throws(StoreError) in
            try await store.pushTokens(query)
        }
    }

    /// Whether the user could still sign in on the device. Otherwise the device is not notified.
    private func mayBeUsed(_ held: HeldPushToken) -> Bool {
        engine.rules.hasRole(
            Role(group: held.group, deviceCategory: held.token.deviceCategory))
    }

    private func forget(_ token: PushToken) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await store.unregister(
                type: token.type, of: token.device, text: token.text, in: engine.environment)
        }
    }
}
