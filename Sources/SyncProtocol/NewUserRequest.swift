import JSON

/// `POST /v1/ENVIRONMENT/users`: adds a user.
package struct NewUserRequest: Codable, Hashable, Sendable {
    package var login: String
    package var password: String
    package var group: String
    package var mail: String?
    package var admin: Bool?

    package init(
        login: String, password: String, group: String, mail: String? = nil, admin: Bool? = nil
    ) {
        self.login = login
        self.password = password
        self.group = group
        self.mail = mail
        self.admin = admin
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case login, password, group, mail, admin
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        login = try container.decode(String.self, forKey: .login)
        password = try container.decode(String.self, forKey: .password)
        group = try container.decode(String.self, forKey: .group)
        mail = try container.decodeIfPresent(String.self, forKey: .mail)
        admin = try container.decodeIfPresent(Bool.self, forKey: .admin)
    }
}
