/// A user to add.
package struct NewUser: Hashable, Sendable {
    package let login: String
    /// One of the groups of the definition.
    package let group: String
    package let mail: String
    package let isAdmin: Bool
    package let passwordHash: String

    package init(
        login: String, group: String, mail: String = "", isAdmin: Bool = false,
        passwordHash: String
    ) {
        self.login = login
        self.group = group
        self.mail = mail
        self.isAdmin = isAdmin
        self.passwordHash = passwordHash
    }
}

/// Administration of users. Every method throws `SyncError.adminOnly` if the caller is not an
/// admin.
extension Engine {
    /// Returns all users, ordered by login.
    package func users(for caller: Caller) async throws(SyncError) -> [User] {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.list()
        }
    }

    @discardableResult
    package func addUser(_ user: NewUser, by caller: Caller) async throws(SyncError) -> User {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.add(
                login: user.login, group: user.group, mail: user.mail, isAdmin: user.isAdmin,
                passwordHash: user.passwordHash)
        }
    }

    /// Changes a user. The next request of the user sees the change.
    package func changeUser(
        _ login: String, _ edit: UserEdit, by caller: Caller
    ) async throws(SyncError) {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.edit(login, edit)
        }
    }

    package func removeUser(_ login: String, by caller: Caller) async throws(SyncError) {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.remove(login)
        }
    }

    private func administering<Value: Sendable>(
        _ caller: Caller, _ body: (Accounts) async throws(AccountError) -> Value
    ) async throws(SyncError) -> Value {
        guard caller.isAdmin else { throw .adminOnly }
        let accounts = Accounts(
            store: store, environment: environment, definition: rules.definition)
        do {
            return try await body(accounts)
        } catch {
            throw .account(error)
        }
    }
}
