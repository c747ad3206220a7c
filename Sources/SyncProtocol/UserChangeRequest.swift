import JSON

/// `PATCH /v1/ENVIRONMENT/users/LOGIN`: omitted members keep their values.
package struct UserChangeRequest: Codable, Hashable, Sendable {
    package var group: String?
    package var mail: String?
    package var admin: Bool?
    /// A new password ends the user's sessions.
    package var password: String?

    package init(
        group: String? = nil, mail: String? = nil, admin: Bool? = nil, password: String? = nil
    ) {
        self.group = group
        self.mail = mail
        self.admin = admin
        self.password = password
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case group, mail, admin, password
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        group = try container.decodeIfPresent(String.self, forKey: .group)
        mail = try container.decodeIfPresent(String.self, forKey: .mail)
        admin = try container.decodeIfPresent(Bool.self, forKey: .admin)
        password = try container.decodeIfPresent(String.self, forKey: .password)
    }
}
