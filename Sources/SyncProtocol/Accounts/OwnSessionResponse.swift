/// The response to `GET /v1/ENVIRONMENT/session`: the user whose token the request has, as they are
/// now.
package struct OwnSessionResponse: Codable, Hashable, Sendable {
    package var login: String
    package var group: String
    /// The role's name, such as `users-mobile`.
    package var role: String
    /// The digest of the environment's current definition.
    package var digest: String
    /// Identifies the environment's data; it never changes.
    package var instance: String

    package init(login: String, group: String, role: String, digest: String, instance: String) {
        self.login = login
        self.group = group
        self.role = role
        self.digest = digest
        self.instance = instance
    }
}
