package import JSON

/// `POST /v1/ENVIRONMENT/notifications`: notifies users immediately. Without restrictions, everyone
/// is notified.
package struct NotificationRequest: Codable, Hashable, Sendable {
    /// The client's identifier for the notification. A repeated request with the same id sends
    /// nothing.
    package var id: String?
    /// Restricts the audience to devices of this category.
    package var deviceCategory: String?
    /// Restricts the audience to this group.
    package var group: String?
    /// Restricts the audience to these logins; unknown logins are ignored.
    package var users: [String]?
    /// The content, which only the app interprets.
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

/// The response to a sent notification.
package struct NotificationResponse: Codable, Hashable, Sendable {
    package var id: String
    /// The number of addressed tokens without a delivery on this server, by device type. Omitted if
    /// a caller who is not an admin names users: it would reveal which logins exist.
    package var unreachable: [String: Int]?

    package init(id: String, unreachable: [String: Int]?) {
        self.id = id
        self.unreachable = unreachable
    }
}
