package import JSON

/// `PUT /v1/ENVIRONMENT/pushTokens/TYPE`: where this device is reached.
package struct PushTokenRequest: Codable, Hashable, Sendable {
    /// Of a push service, or for the type `http` a URL.
    package var token: String

    package init(token: String) {
        self.token = token
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case token
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        token = try container.decode(String.self, forKey: .token)
    }
}

/// What registering a token gives.
package struct PushTokenResponse: Codable, Hashable, Sendable {
    package var type: String
    /// Whether this server can deliver to it. It is kept in any case.
    package var reached: Bool

    package init(type: String, reached: Bool) {
        self.type = type
        self.reached = reached
    }
}

/// A push token, as admins see it.
package struct PushTokenMessage: Codable, Hashable, Sendable {
    package var login: String
    package var deviceCategory: String
    package var deviceIdentifier: String
    package var type: String
    package var token: String
    /// When it was registered, in milliseconds since 1970 in UTC.
    package var at: Int64
    /// Whether this server can deliver to it.
    package var reached: Bool

    package init(
        login: String, deviceCategory: String, deviceIdentifier: String, type: String,
        token: String, at: Int64, reached: Bool
    ) {
        self.login = login
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
        self.type = type
        self.token = token
        self.at = at
        self.reached = reached
    }
}

/// `GET /v1/ENVIRONMENT/pushTokens`
package struct PushTokensResponse: Codable, Hashable, Sendable {
    /// By device identifier and type.
    package var tokens: [PushTokenMessage]
    /// For the next page; nil on the last one.
    package var cursor: String?

    package init(tokens: [PushTokenMessage], cursor: String?) {
        self.tokens = tokens
        self.cursor = cursor
    }
}

/// `POST /v1/ENVIRONMENT/notifications`: tell others something at once. Who is left out of the
/// description is everyone.
package struct NotificationRequest: Codable, Hashable, Sendable {
    /// The client's own name for it: sent again, it is not told again.
    package var id: String?
    /// Only on devices of this category.
    package var deviceCategory: String?
    /// Only to users of this group.
    package var group: String?
    /// Only to users of these logins; those that there are not are passed over.
    package var users: [String]?
    /// What it says: whatever the app understands.
    package var notification: [String: JSONValue]

    package init(
        id: String? = nil, deviceCategory: String? = nil, group: String? = nil,
        users: [String]? = nil, notification: [String: JSONValue]
    ) {
        self.id = id
        self.deviceCategory = deviceCategory
        self.group = group
        self.users = users
        self.notification = notification
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, deviceCategory, group, users, notification
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        id = try container.decodeIfPresent(String.self, forKey: .id)
        deviceCategory = try container.decodeIfPresent(String.self, forKey: .deviceCategory)
        group = try container.decodeIfPresent(String.self, forKey: .group)
        users = try container.decodeIfPresent([String].self, forKey: .users)
        notification = try container.decode([String: JSONValue].self, forKey: .notification)
    }
}

/// What sending a notification gives.
package struct NotificationResponse: Codable, Hashable, Sendable {
    package var id: String
    /// By device type, how many tokens it is for that this server has no delivery to. Left out for
    /// whoever is no admin and names users: it would tell which of them there are.
    package var unreachable: [String: Int]?

    package init(id: String, unreachable: [String: Int]?) {
        self.id = id
        self.unreachable = unreachable
    }
}

/// A notification, as it comes over the live stream and in a callback.
package struct NotificationMessage: Codable, Hashable, Sendable {
    package var id: String
    /// When it was sent, in milliseconds since 1970 in UTC.
    package var at: Int64
    /// The login of whoever sent it.
    package var sender: String
    package var notification: [String: JSONValue]
    /// In a callback, whose device is to be told; left out on the live stream.
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

    /// In one line, with every number as it was sent. `Encodable` would make texts of fractions.
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
