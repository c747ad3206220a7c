import JSON

/// `PUT /v1/ENVIRONMENT/session/password`: changes the caller's own password.
package struct PasswordRequest: Codable, Hashable, Sendable {
    /// The present one.
    package var password: String
    package var newPassword: String

    package init(password: String, newPassword: String) {
        self.password = password
        self.newPassword = newPassword
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case password, newPassword
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        password = try container.decode(String.self, forKey: .password)
        newPassword = try container.decode(String.self, forKey: .newPassword)
    }
}
