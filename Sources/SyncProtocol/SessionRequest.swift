import JSON

/// `POST /v1/ENVIRONMENT/session`: signs in.
package struct SessionRequest: Codable, Hashable, Sendable {
    package var login: String
    package var password: String
    /// A device category of the definition, such as `mobile`. With the user's group it makes the
    /// role.
    package var deviceCategory: String
    /// Identifies this installation permanently: 1 to 128 bytes.
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
