package import SyncEngine

/// Storage for push tokens and notifications. Every `Store` implements it. Every call is one
/// transaction, as in `Store`.
package protocol NotificationStore: Sendable {
    // Push tokens

    /// Stores a token in place of the device's token of the same type, even if another user
    /// registered that one. If the user has `max` other tokens, then the oldest of them give way to
    /// that of a guest; otherwise it returns false and stores nothing. The same if the user does
    /// not exist. A guest's token also takes the place of the oldest of those with its source if
    /// there are as many as its source may have. Removing the user deletes the token.
    func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource?
    ) async throws(StoreError) -> Bool

    /// Deletes the token of a type from a user's device; with `text`, only if it is that token.
    func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Stores the token of an installation without a user, in place of that of the same
    /// installation and type. Then deletes the oldest tokens of the same source beyond
    /// `limits.ofSource`, the oldest of the environment beyond `limits.rows`, and those from before
    /// `limits.oldest`.
    func keep(
        _ token: WaitingPushToken, in environment: EnvironmentID, limits: WaitingTokenLimits
    ) async throws(StoreError)

    /// Registers the tokens of an installation that have waited since `oldest` for a device of the
    /// same identifier, as `register` does, and deletes all tokens of the installation. A token
    /// that the device's user has registered since then stays.
    func attachTokens(
        to device: DeviceKey, deviceCategory: String, in environment: EnvironmentID,
        oldest: Instant, max: Int
    ) async throws(StoreError)

    /// Returns tokens in the byte order of device identifier and type.
    func pushTokens(_ query: PushTokenQuery) async throws(StoreError) -> [HeldPushToken]

    /// Returns the number of tokens in an audience by type.
    func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int]

    // Notifications

    /// Stores a notification under the next number of the environment, unless a notification with
    /// the same sender and id is stored already. `waiting` receives the count and the first time of
    /// the sender's notifications in the last `windowSeconds`. It returns the seconds to wait; 0
    /// admits the notification. Stores nothing if the stored notifications of the sender have
    /// reached `max` in rows, or in bytes of bodies and audiences.
    func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        keeping max: StoredAmount, waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) async throws(StoreError) -> NotificationAdmission

    /// Returns the number of the last notification sent; 0 if there is none.
    func lastNotification(in environment: EnvironmentID) async throws(StoreError) -> Int64

    /// Returns the notifications for a reader, in the order of their numbers.
    func notifications(_ query: NotificationQuery) async throws(StoreError) -> NotificationPage

    /// Claims the next notification whose delivery has not ended. Skips notifications sent before a
    /// moment. Only one process at a time has a claim in an environment.
    func claimNotification(
        _ claim: DeliveryClaim, in environment: EnvironmentID, sentSince moment: Instant
    ) async throws(StoreError) -> NotificationClaim

    /// Extends the claim of a notification, and notes the last push token that it was delivered to.
    /// Returns false if the claim has passed to another process.
    func extendClaim(
        _ claim: DeliveryClaim, of number: Int64, through token: PushTokenKey,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool

    /// Ends the delivery of a notification. Does nothing if the claim has passed to another
    /// process.
    func endDelivery(
        of number: Int64, by claimant: String, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Deletes notifications sent before a moment. Returns their number, which is below the limit
    /// if none are left. Numbers are not reused.
    func sweepNotifications(_ request: SweepRequest) async throws(StoreError) -> Int
}

extension NotificationStore {
    /// Stores a token unless the user has `max` others.
    package func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int
    ) async throws(StoreError) -> Bool {
        try await register(token, in: environment, max: max, ofGuest: nil)
    }
}

/// The address of a device in a push service or webhook.
package struct PushToken: Hashable, Sendable {
    package let device: DeviceKey
    package let deviceCategory: String
    /// The push service of the token, or `http`.
    package let type: String
    /// The secret token. Anyone who knows it may be able to reach the device.
    package let text: String
    package let at: Instant

    package init(
        device: DeviceKey, deviceCategory: String, type: String, text: String, at: Instant
    ) {
        self.device = device
        self.deviceCategory = deviceCategory
        self.type = type
        self.text = text
        self.at = at
    }
}

/// Where the push token of a client comes from that does not sign in. All such clients are one
/// user.
package struct GuestSource: Hashable, Sendable {
    /// A hash of the address.
    package let hash: [UInt8]
    /// The tokens that it may have, at least 1.
    package let max: Int

    package init(hash: [UInt8], max: Int) {
        self.hash = hash
        self.max = max
    }
}

/// The push token of an installation that waits for a user to sign in there.
package struct WaitingPushToken: Hashable, Sendable {
    /// The identifier that the device will have.
    package let installation: String
    package let type: String
    package let text: String
    /// A hash of the address from which the token came.
    package let source: [UInt8]
    package let at: Instant

    package init(
        installation: String, type: String, text: String, source: [UInt8], at: Instant
    ) {
        self.installation = installation
        self.type = type
        self.text = text
        self.source = source
        self.at = at
    }
}

/// The waiting tokens that an environment keeps.
package struct WaitingTokenLimits: Hashable, Sendable {
    package let rows: Int
    package let ofSource: Int
    package let oldest: Instant

    package init(rows: Int, ofSource: Int, oldest: Instant) {
        self.rows = rows
        self.ofSource = ofSource
        self.oldest = oldest
    }
}

/// A token with the current group of its user.
package struct HeldPushToken: Hashable, Sendable {
    package let token: PushToken
    package let group: String

    package init(token: PushToken, group: String) {
        self.token = token
        self.group = group
    }
}

/// The key of a token within an environment.
package struct PushTokenKey: Codable, Hashable, Sendable {
    package let deviceIdentifier: String
    package let type: String

    package init(deviceIdentifier: String, type: String) {
        self.deviceIdentifier = deviceIdentifier
        self.type = type
    }
}

extension PushToken {
    package var key: PushTokenKey {
        PushTokenKey(deviceIdentifier: device.deviceIdentifier, type: type)
    }
}

/// A query for push tokens.
package struct PushTokenQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    package let audience: NotificationAudience
    /// The types to include; nil for all.
    package let types: Set<String>?
    /// The key after which to start; nil for the beginning.
    package let after: PushTokenKey?
    package let limit: Int

    package init(
        environment: EnvironmentID, audience: NotificationAudience = .everyone,
        types: Set<String>? = nil, after: PushTokenKey? = nil, limit: Int
    ) {
        self.environment = environment
        self.audience = audience
        self.types = types
        self.after = after
        self.limit = limit
    }
}

/// A query for the notifications of a reader.
package struct NotificationQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    package let reader: NotificationReader
    /// The number after which to start.
    package let after: Int64
    package let limit: Int
    /// The maximum number of notifications to examine, including those for other readers.
    package let maxScanned: Int

    package init(
        environment: EnvironmentID, reader: NotificationReader, after: Int64, limit: Int,
        maxScanned: Int
    ) {
        self.environment = environment
        self.reader = reader
        self.after = after
        self.limit = limit
        self.maxScanned = maxScanned
    }
}

/// A page of notifications for a reader.
package struct NotificationPage: Hashable, Sendable {
    package let notifications: [StoredNotification]
    /// The number of the last notification examined.
    package let through: Int64
    /// Whether more notifications may follow.
    package let hasMore: Bool

    package init(notifications: [StoredNotification], through: Int64, hasMore: Bool) {
        self.notifications = notifications
        self.through = through
        self.hasMore = hasMore
    }
}
