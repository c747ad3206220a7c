/// A request for the state of a file.
package struct FileRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let guid: String
    /// The user whose records come first among those that name the file.
    package let login: String
    /// The group whose records come next.
    package let group: String
    package let limit: NamingLimit

    package init(
        environment: EnvironmentID, guid: String, login: String, group: String,
        limit: NamingLimit
    ) {
        self.environment = environment
        self.guid = guid
        self.login = login
        self.group = group
        self.limit = limit
    }

    /// The question for the records that may show it.
    package var naming: NamingQuestion {
        NamingQuestion(of: [guid], to: login, group: group, limit: limit)
    }
}
