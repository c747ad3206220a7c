/// A user as shown to admins.
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
    /// Ordered by login.
    package var users: [UserMessage]

    package init(users: [UserMessage]) {
        self.users = users
    }
}
