package import JSON

/// A notification as sent on the live stream and to webhooks.
package struct NotificationMessage: Codable, Hashable, Sendable {
    package var id: String
    /// The time of sending, in milliseconds since 1970 in UTC.
    package var at: Int64
    /// The sender's login.
    package var sender: String
    package var notification: [String: JSONValue]
    /// The addressee's login; only for webhooks.
    package var login: String?
    package var deviceIdentifier: String?

    package init(
        id: String, at: Int64, sender: String, notification: [String: JSONValue],
        login: String? = nil, deviceIdentifier: String? = nil
    ) {
        self.id = id
        self.at = at
        self.sender = sender
        self.notification = notification
        self.login = login
        self.deviceIdentifier = deviceIdentifier
    }

    /// The message in one line, with the numbers as they were sent. `Encodable` would turn
    /// fractions into strings.
    package var text: String {
        var members: [String: JSONValue] = [
            "id": .string(id), "at": .integer(at), "sender": .string(sender),
            "notification": .object(notification),
        ]
        members["login"] = login.map { .string($0) }
        members["deviceIdentifier"] = deviceIdentifier.map { .string($0) }
        return JSONValue.object(members).text
    }
}
