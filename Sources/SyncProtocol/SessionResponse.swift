/// The response to a successful sign-in.
package struct SessionResponse: Codable, Hashable, Sendable {
    /// For the header `Authorization: Bearer TOKEN`. Secret.
    package var token: String
    /// Milliseconds since 1970 in UTC.
    package var expiresAt: Int64
    package var login: String
    package var group: String
    /// The role's name, such as `users-mobile`.
    package var role: String
    /// The digest of the environment's current definition.
    package var digest: String
    /// Identifies the environment's data; it never changes.
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
