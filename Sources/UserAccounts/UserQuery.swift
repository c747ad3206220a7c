package import SyncEngine

/// A user in a list.
package struct ListedUser: Hashable, Sendable {
    package let user: User
    /// The last day on which a server answered a request of the user; nil if none is known. See
    /// `SeenClient.day`.
    package let lastDay: Int64?

    package init(_ user: User, lastDay: Int64?) {
        self.user = user
        self.lastDay = lastDay
    }

    package var login: String { user.login }
}

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
