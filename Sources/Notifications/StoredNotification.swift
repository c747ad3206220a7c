import DefinitionModel
package import SyncEngine

/// The readers of a notification: those who meet all conditions.
package struct NotificationAudience: Hashable, Sendable {
    /// Nil for every category.
    package let deviceCategory: String?
    /// Nil for every group.
    package let group: String?
    /// Nil for every user; empty for none.
    package let logins: [String]?

    package init(deviceCategory: String? = nil, group: String? = nil, logins: [String]? = nil) {
        self.deviceCategory = deviceCategory
        self.group = group
        self.logins = logins
    }

    package static let everyone = NotificationAudience()

    /// Whether the reader belongs to the audience. Names are compared by bytes.
    package func includes(_ reader: NotificationReader) -> Bool {
        (deviceCategory?.hasSameBytes(as: reader.deviceCategory) ?? true)
            && (group?.hasSameBytes(as: reader.group) ?? true)
            && (logins?.contains { $0.hasSameBytes(as: reader.login) } ?? true)
    }
}

/// A user on a kind of device.
package struct NotificationReader: Hashable, Sendable {
    package let login: String
    package let group: String
    package let deviceCategory: String

    package init(login: String, group: String, deviceCategory: String) {
        self.login = login
        self.group = group
        self.deviceCategory = deviceCategory
    }
}

/// A notification to be sent.
package struct NewNotification: Hashable, Sendable {
    /// Unique among the notifications of its sender.
    package let id: String
    /// The sender's login.
    package let sender: String
    package let at: Instant
    package let audience: NotificationAudience
    /// A JSON object.
    package let body: String

    package init(
        id: String, sender: String, at: Instant, audience: NotificationAudience, body: String
    ) {
        self.id = id
        self.sender = sender
        self.at = at
        self.audience = audience
        self.body = body
    }
}

/// A notification that was sent.
package struct StoredNotification: Hashable, Sendable {
    /// Number in the environment, in the order of sending.
    package let number: Int64
    package let content: NewNotification

    package init(number: Int64, content: NewNotification) {
        self.number = number
        self.content = content
    }
}

/// The notifications that one user has sent within a period.
package struct RecentSendings: Hashable, Sendable {
    package let count: Int
    /// The time of the first; nil if there is none.
    package let first: Instant?

    package init(count: Int, first: Instant?) {
        self.count = count
        self.first = first
    }
}

extension StoredAmount {
    /// Whether neither rows nor bytes have reached a maximum.
    package func isBelow(_ max: StoredAmount) -> Bool { rows < max.rows && bytes < max.bytes }
}

/// The result of sending a notification.
package enum NotificationAdmission: Hashable, Sendable {
    case added(StoredNotification)
    /// The notification was sent before.
    case repeated(StoredNotification)
    case wait(seconds: Int64)
    /// Too many notifications of the sender are stored.
    case full
}
