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

extension NotificationEngine {
    /// Claims the next pending notification and sends it through the channels that need tokens.
    /// Returns false if none is pending. Skips notifications sent before `moment`.
    ///
    /// Delivery is at most once: if it is interrupted, some devices are not notified. `noting`
    /// receives the result for each token.
    package func deliverNext(
        sentSince moment: Instant,
        noting: (StoredNotification, PushToken, DeliveryResult) -> Void
    ) async throws(SyncError) -> Bool {
        let claimed = try await engine.reading { () async throws(StoreError) in
            try await store.claimNotification(in: engine.environment, sentSince: moment)
        }
        guard let claimed else { return false }
        for delivery in deliveries where !delivery.deviceTypes.isEmpty {
            try await deliver(claimed, by: delivery, noting: noting)
        }
        return true
    }

    private func deliver(
        _ notification: StoredNotification, by delivery: any NotificationDelivery,
        noting: (StoredNotification, PushToken, DeliveryResult) -> Void
    ) async throws(SyncError) {
        var after: PushTokenKey?
        repeat {
            let page = try await pushTokens(
                of: notification.content.audience, types: delivery.deviceTypes, after: after)
            after = page.count < engine.limits.deliveredTokens ? nil : page.last?.token.key
            let tokens = page.filter(mayBeUsed).map(\.token)
            let results = await delivery.deliver(notification, to: tokens)
            for (token, result) in zip(tokens, results) {
                noting(notification, token, result)
                if result == .gone { try await forget(token) }
            }
        } while after != nil && !Task.isCancelled
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
