/// What the engine needs of a database to know where devices are reached, and what they are told.
/// Whoever is a `Store` is this too. Every call is one transaction, as with a `Store`.
package protocol NotificationLedger: Sendable {
    // Push tokens

    /// Keeps a token, in place of the one that the device had of this type, whoever was signed in
    /// on it then. False, and nothing is kept, where the user has `max` others, or is gone. It goes
    /// when the user goes.
    func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int
    ) async throws(StoreError) -> Bool

    /// Forgets the token that a user's device has of a type; where a text is given, only that one.
    func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) async throws(StoreError)

    /// In the order of device identifier and type, by bytes.
    func pushTokens(_ query: PushTokenQuery) async throws(StoreError) -> [HeldPushToken]

    /// How many tokens of each type an audience has.
    func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int]

    // Notifications

    /// Gives a notification the environment's next number and keeps it, unless its sender has sent
    /// one of that id already, which is kept still. `waiting` gets what they have sent in
    /// `windowSeconds` until then, and says for how many seconds they have to wait; 0 admits.
    func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) async throws(StoreError) -> NotificationAdmission

    /// The number of the last one that was sent; 0 before the first.
    func lastNotification(in environment: EnvironmentID) async throws(StoreError) -> Int64

    /// Those for a reader, in the order of their numbers.
    func notifications(_ query: NotificationQuery) async throws(StoreError) -> NotificationPage

    /// Takes the next notification whose tokens nobody has taken on yet: no one else is given it.
    /// Those that were sent before a moment are passed over. Nil when there is none.
    func claimNotification(
        in environment: EnvironmentID, sentSince moment: Instant
    ) async throws(StoreError) -> StoredNotification?

    /// Forgets notifications that were sent before a moment, and says how many; fewer than the
    /// limit when there are no more. Their numbers are not given again.
    func sweepNotifications(_ request: SweepRequest) async throws(StoreError) -> Int
}

/// Where a device is reached by a way of its own.
package struct PushToken: Hashable, Sendable {
    package let device: DeviceKey
    package let deviceCategory: String
    /// Whose token it is: of which push service, or `http`.
    package let type: String
    /// Secret: whoever has it may be able to reach the device.
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

/// A token with what holds for its user now.
package struct HeldPushToken: Hashable, Sendable {
    package let token: PushToken
    package let group: String

    package init(token: PushToken, group: String) {
        self.token = token
        self.group = group
    }
}

/// Which token of an environment.
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

/// Which tokens are wanted.
package struct PushTokenQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    package let audience: NotificationAudience
    /// Nil for all of them.
    package let types: Set<String>?
    /// Those after this one.
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

/// What a reader wants to be told.
package struct NotificationQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    package let reader: NotificationReader
    /// The number of the last one that is known.
    package let after: Int64
    package let limit: Int
    /// Of those looked at, for whomever they are.
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

/// Some of what a reader is told.
package struct NotificationPage: Hashable, Sendable {
    package let notifications: [StoredNotification]
    /// The number of the last one that was looked at.
    package let through: Int64
    /// Whether there may be more.
    package let hasMore: Bool

    package init(notifications: [StoredNotification], through: Int64, hasMore: Bool) {
        self.notifications = notifications
        self.through = through
        self.hasMore = hasMore
    }
}
