import DefinitionModel

/// For whom a notification is: whoever meets all of it.
package struct NotificationAudience: Hashable, Sendable {
    /// Nil for every category.
    package let deviceCategory: String?
    /// Nil for every group.
    package let group: String?
    /// Nil for everybody; nobody where it is empty.
    package let logins: [String]?

    package init(deviceCategory: String? = nil, group: String? = nil, logins: [String]? = nil) {
        self.deviceCategory = deviceCategory
        self.group = group
        self.logins = logins
    }

    package static let everyone = NotificationAudience()

    /// By bytes, as all names are compared.
    package func includes(_ reader: NotificationReader) -> Bool {
        (deviceCategory?.hasSameBytes(as: reader.deviceCategory) ?? true)
            && (group?.hasSameBytes(as: reader.group) ?? true)
            && (logins?.contains { $0.hasSameBytes(as: reader.login) } ?? true)
    }
}

/// Who is told something, and on which kind of device.
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

/// What somebody wants to tell others.
package struct NewNotification: Hashable, Sendable {
    /// Its sender has no other of this id.
    package let id: String
    /// A login.
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

/// What somebody has told others.
package struct StoredNotification: Hashable, Sendable {
    /// Of the environment, in the order in which they were sent.
    package let number: Int64
    package let content: NewNotification

    package init(number: Int64, content: NewNotification) {
        self.number = number
        self.content = content
    }
}

/// What one user has sent in a stretch of time.
package struct RecentSendings: Hashable, Sendable {
    package let count: Int
    /// The first of them; nil where there is none.
    package let first: Instant?

    package init(count: Int, first: Instant?) {
        self.count = count
        self.first = first
    }
}

/// What became of a notification that was to be kept.
package enum NotificationAdmission: Hashable, Sendable {
    case added(StoredNotification)
    /// It was sent before.
    case repeated(StoredNotification)
    case wait(seconds: Int64)
}
