/// A push token as shown to admins.
package struct PushTokenMessage: Codable, Hashable, Sendable {
    package var login: String
    package var deviceCategory: String
    package var deviceIdentifier: String
    package var type: String
    package var token: String
    /// The time of registration, in milliseconds since 1970 in UTC.
    package var at: Int64
    /// Whether this server can deliver to the token.
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
    /// Ordered by device identifier and type.
    package var tokens: [PushTokenMessage]
    /// For the next page; nil on the last one.
    package var cursor: String?

    package init(tokens: [PushTokenMessage], cursor: String?) {
        self.tokens = tokens
        self.cursor = cursor
    }
}
