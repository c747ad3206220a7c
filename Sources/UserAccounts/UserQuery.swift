package import SyncEngine

/// Asks for a page of the users of an environment.
package struct UserQuery: Hashable, Sendable {
    package let environment: EnvironmentID
    /// A part of the login, the mail address or the group, whatever the case of ASCII letters;
    /// empty for all.
    package let search: String
    /// The login before the first one of the page; empty for the start.
    package let after: String
    package let limit: Int

    package init(
        environment: EnvironmentID, search: String = "", after: String = "", limit: Int
    ) {
        self.environment = environment
        self.search = search
        self.after = after
        self.limit = limit
    }
}
