import JSON

/// `PUT /v1/ENVIRONMENT/pushTokens/TYPE`: registers a push token for this device.
package struct PushTokenRequest: Codable, Hashable, Sendable {
    /// A token of a push service, or a URL for the type `http`.
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

/// The response to a registration.
package struct PushTokenResponse: Codable, Hashable, Sendable {
    package var type: String
    /// Whether this server can deliver to the token. The token is stored in either case.
    package var reached: Bool

    package init(type: String, reached: Bool) {
        self.type = type
        self.reached = reached
    }
}
