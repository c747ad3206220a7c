/// The names and the number that a change of a user is compared with in the environment.
package struct AccountNames: Hashable, Sendable {
    /// The mail address to look for; empty for none.
    package let mail: String
    /// The number up to which users are counted.
    package let mostUsers: Int

    package init(mail: String, mostUsers: Int) {
        self.mail = mail
        self.mostUsers = mostUsers
    }
}

/// The other users of an environment, as far as a change of one asked about them. Names are
/// compared without the case of ASCII letters.
package struct OtherAccounts: Hashable, Sendable {
    /// Whether another user has the login in another case.
    package let haveLogin: Bool
    /// Whether another user has the mail address.
    package let haveMail: Bool
    /// The number of users, the changed one among them, but no more than was asked for.
    package let count: Int

    package init(haveLogin: Bool, haveMail: Bool, count: Int) {
        self.haveLogin = haveLogin
        self.haveMail = haveMail
        self.count = count
    }

    /// For a change that asked nothing.
    package static let notAsked = OtherAccounts(haveLogin: false, haveMail: false, count: 0)
}
