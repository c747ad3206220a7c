import JSON

/// `POST /v1/ENVIRONMENT/session`: sign in.
package struct SessionRequest: Codable, Hashable, Sendable {
    package var login: String
    package var password: String
    /// A device category of the definition, such as `mobile`; with the user's group it is the role.
    package var deviceCategory: String
    /// Names this installation, for ever: 1 to 128 bytes.
    package var deviceIdentifier: String

    package init(
        login: String, password: String, deviceCategory: String, deviceIdentifier: String
    ) {
        self.login = login
        self.password = password
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case login, password, deviceCategory, deviceIdentifier
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        login = try container.decode(String.self, forKey: .login)
        password = try container.decode(String.self, forKey: .password)
        deviceCategory = try container.decode(String.self, forKey: .deviceCategory)
        deviceIdentifier = try container.decode(String.self, forKey: .deviceIdentifier)
    }
}

/// What signing in gives.
package struct SessionResponse: Codable, Hashable, Sendable {
    /// Sent back as `Authorization: Bearer TOKEN`. Secret.
    package var token: String
    /// Milliseconds since 1970 in UTC.
    package var expiresAt: Int64
    package var login: String
    package var group: String
    /// The role's name, such as `users-mobile`.
    package var role: String
    /// Of the definition that the environment is served by.
    package var digest: String
    /// The same for the life of the environment's data.
    package var instance: String

    package init(
        token: String, expiresAt: Int64, login: String, group: String, role: String,
        digest: String, instance: String
    ) {
        self.token = token
        self.expiresAt = expiresAt
        self.login = login
        self.group = group
        self.role = role
        self.digest = digest
        self.instance = instance
    }
}
