import JSON

/// `POST /v1/ENVIRONMENT/signUp`: makes an account by an invitation.
package struct SignUpRequest: Codable, Hashable, Sendable {
    /// The secret text of the invitation.
    package var code: String
    package var login: String
    package var password: String
    package var mail: String?

    package init(code: String, login: String, password: String, mail: String? = nil) {
        self.code = code
        self.login = login
        self.password = password
        self.mail = mail
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case code, login, password, mail
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        login = try container.decode(String.self, forKey: .login)
        password = try container.decode(String.self, forKey: .password)
        mail = try container.decodeIfPresent(String.self, forKey: .mail)
    }
}
