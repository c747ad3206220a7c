import DefinitionModel

/// A way in which notifications get to devices. What is to be told is in the ledger already.
package protocol NotificationDelivery: Sendable {
    /// The types of tokens that it delivers to; none where a device needs no token, and reads the
    /// ledger itself.
    var deviceTypes: Set<String> { get }

    /// Whether it can deliver to a token of one of its types, as far as that shows without trying.
    func reaches(_ token: PushToken) -> Bool

    /// There may be something new in the ledger. Returns at once. It may be said too often, and by
    /// whoever comes to know of it: this process, or another one.
    func announce()

    /// Tells devices of a notification, and says what came of it, for each token in the same order.
    func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult]
}

/// What came of telling one device.
package enum DeliveryResult: Hashable, Sendable {
    case delivered
    /// Why not, for the log, and without what is secret about the token.
    case failed(String)
    /// The token is worth nothing any more.
    case gone
}

extension NotificationEngine {
    /// Hands the next notification that waits to the deliveries that need tokens, and says whether
    /// there was one. One that was sent before a moment is not told any more. Whoever is stopped in
    /// the midst of it has told some devices and not the others: nothing is told twice.
    ///
    /// `noting` gets what came of each token.
    package func deliverNext(
        sentSince moment: Instant,
        noting: (StoredNotification, PushToken, DeliveryResult) -> Void
    ) async throws(SyncError) -> Bool {
        let claimed = try await engine.reading { () async throws(StoreError) in
            try await ledger.claimNotification(in: engine.environment, sentSince: moment)
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
            try await ledger.pushTokens(query)
        }
    }

    /// Whoever could not sign in on the device any more is not told there either.
    private func mayBeUsed(_ held: HeldPushToken) -> Bool {
        engine.rules.hasRole(
            Role(group: held.group, deviceCategory: held.token.deviceCategory))
    }

    private func forget(_ token: PushToken) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await ledger.unregister(
                type: token.type, of: token.device, text: token.text, in: engine.environment)
        }
    }
}
