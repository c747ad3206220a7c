package import SyncEngine

/// Signs users in and out, and administers them.
package struct AccountEngine: Sendable {
    package let engine: Engine
    let store: any AccountStore

    /// `store` is the engine's own store.
    package init(engine: Engine, store: any AccountStore) {
        self.engine = engine
        self.store = store
    }
}

extension AccountEngine {
    /// Forgets devices that have not signed in for a long time, with their outcomes. Returns their
    /// number.
    package func forgetDevices(at now: Instant) async throws(SyncError) -> Int {
        let request = SweepRequest(
            environment: engine.environment,
            before: now.adding(seconds: -engine.limits.deviceSeconds), limit: 100)
        return try await engine.reading { () async throws(StoreError) in
            try await request.repeated(store.forgetDevices)
        }
    }
}

/// Administration of users. Every method throws `SyncError.adminOnly` if the caller is not an
/// admin.
extension AccountEngine {
    /// Returns all users, ordered by login.
    package func users(for caller: Caller) async throws(SyncError) -> [User] {
        try await administering(caller) { users throws(AccountError) in
            try await users.list()
        }
    }

    @discardableResult
    package func addUser(
        _ user: NewUser, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> User {
        try await administering(caller) { users throws(AccountError) in
            try await users.add(
                login: user.login, group: user.group, mail: user.mail, isAdmin: user.isAdmin,
                passwordHash: user.passwordHash, at: now)
        }
    }

    /// Changes a user. The next request of the user sees the change.
    package func changeUser(
        _ login: String, _ edit: UserEdit, by caller: Caller, at now: Instant
    ) async throws(SyncError) {
        try await administering(caller) { users throws(AccountError) in
            try await users.edit(login, edit, at: now)
        }
    }

    package func removeUser(_ login: String, by caller: Caller) async throws(SyncError) {
        try await administering(caller) { users throws(AccountError) in
            try await users.remove(login)
        }
    }

    private func administering<Value: Sendable>(
        _ caller: Caller, _ body: (UserDirectory) async throws(AccountError) -> Value
    ) async throws(SyncError) -> Value {
        guard caller.isAdmin else { throw .adminOnly }
        let users = UserDirectory(
            store: store, environment: engine.environment, definition: engine.rules.definition)
        do {
            return try await body(users)
        } catch {
            throw .account(error)
        }
    }
}

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
