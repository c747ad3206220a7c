import JSON

/// `POST /v1/ENVIRONMENT/passwordReset`: chooses a new password by the code of a reset.
package struct ResetRequest: Codable, Hashable, Sendable {
    /// The secret text of the reset.
    package var code: String
    package var newPassword: String

    package init(code: String, newPassword: String) {
        self.code = code
        self.newPassword = newPassword
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case code, newPassword
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        newPassword = try container.decode(String.self, forKey: .newPassword)
    }
}
