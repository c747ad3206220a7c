import JSON

/// A user, as admins see them.
package struct UserMessage: Codable, Hashable, Sendable {
    package var login: String
    package var group: String
    package var mail: String
    package var admin: Bool

    package init(login: String, group: String, mail: String, admin: Bool) {
        self.login = login
        self.group = group
        self.mail = mail
        self.admin = admin
    }
}

/// `GET /v1/ENVIRONMENT/users`
package struct UsersResponse: Codable, Hashable, Sendable {
    /// By login.
    package var users: [UserMessage]

    package init(users: [UserMessage]) {
        self.users = users
    }
}

/// `POST /v1/ENVIRONMENT/users`: add one.
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

/// `PATCH /v1/ENVIRONMENT/users/LOGIN`: what is left out stays.
package struct UserChangeRequest: Codable, Hashable, Sendable {
    package var group: String?
    package var mail: String?
    package var admin: Bool?
    /// Ends the user's sessions.
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

/// `PATCH /v1/ENVIRONMENT/records/MODEL/GUID/ownership`: what is left out stays.
package struct OwnershipRequest: Codable, Hashable, Sendable {
    package var owner: String?
    package var group: String?

    package init(owner: String? = nil, group: String? = nil) {
        self.owner = owner
        self.group = group
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case owner, group
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        owner = try container.decodeIfPresent(String.self, forKey: .owner)
        group = try container.decodeIfPresent(String.self, forKey: .group)
    }
}

/// Whose a record is now.
package struct OwnershipResponse: Codable, Hashable, Sendable {
    package var model: String
    package var guid: String
    package var revision: Int64
    package var owner: String
    package var group: String

    package init(model: String, guid: String, revision: Int64, owner: String, group: String) {
        self.model = model
        self.guid = guid
        self.revision = revision
        self.owner = owner
        self.group = group
    }
}
