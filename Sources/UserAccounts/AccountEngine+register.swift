import DefinitionModel
package import SyncEngine

/// Why nobody can register with a login or a mail address.
package enum RegistrationRefusal: Error, Hashable, Sendable {
    /// Another user has the login, perhaps in another case, or somebody who is gone left records.
    case loginTaken
    /// Another user has the mail address, perhaps in another case.
    case mailTaken
    /// The environment has as many users as may be when one more makes an account.
    case tooManyUsers
}

/// Accounts that clients of other products make and keep themselves. The caller checks
/// that the operator lets them.
extension AccountEngine {
    /// Adds a user, or returns why not.
    package func register(
        _ user: NewUser, at now: Instant
    ) async throws(SyncError) -> RegistrationRefusal? {
        // Records belong to the login as it is written, so it is that of former users too.
        guard let login = Login.normalizedOfNewUser(user.login) else {
            throw .account(.loginIllegal(user.login))
        }
        if try await ownsRecords(login) { return .loginTaken }
        let mostUsers = engine.limits.usersByRegistration
        return try await accounting { users throws(AccountError) in
            try await users.register(user, mostUsers: mostUsers, at: now)
        }
    }

    /// Whether there are records of a login, whether or not a user has it. Records outlive their
    /// owners, and belong to whoever has the login, so nobody else may get such a login.
    func ownsRecords(_ login: String) async throws(SyncError) -> Bool {
        let models = engine.rules.definition.models.map(\.name)
        return try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) { search in
                try models.contains { try search.firstRecord(of: $0, ownedBy: login) != nil }
            }
        }
    }

    /// The login that a name stands for in a sign-in. It is the name itself, unless no user has it
    /// as login, and only one has it as mail address.
    ///
    /// A name with an `@` costs the same whether or not there is such a user, so that the time
    /// tells nothing.
    package func login(namedBy name: String) async throws(SyncError) -> String {
        guard name.utf8.contains(UInt8(ascii: "@")), isLegal(mail: name) else { return name }
        let login = Login.normalized(name) ?? name
        let user = try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(login, in: engine.environment)
        }
        let owners = try await logins(withMail: name)
        return user == nil && owners.count == 1 ? owners[0] : name
    }

    /// The logins of the users with a mail address, whatever the case of its ASCII letters; of
    /// several, two of them.
    package func logins(withMail mail: String) async throws(SyncError) -> [String] {
        try await engine.reading { () async throws(StoreError) in
            try await store.logins(withMail: mail, in: engine.environment, limit: 2)
        }
    }

    /// Removes a user who has just been added, unless they have another password by now.
    package func unregister(_ user: NewUser) async throws(SyncError) {
        let login = Login.normalizedOfNewUser(user.login) ?? user.login
        _ = try await engine.reading { () async throws(StoreError) in
            try await store.changeUser(login, in: engine.environment) { present in
                present?.passwordHash == user.passwordHash
                    ? .success(.remove) : .failure(IsAnother())
            }
        }
    }

    /// The user is gone, or has another password.
    private struct IsAnother: Error {}

    /// Gives the caller another mail address. Returns false if another user has it.
    package func changeOwnMail(
        of caller: Caller, to mail: String, at now: Instant
    ) async throws(SyncError) -> Bool {
        try await accounting { users throws(AccountError) in
            try await users.changeMail(of: caller.login, to: mail, at: now)
        }
    }

    /// Removes the caller and ends their sessions. Their records stay.
    package func removeSelf(_ caller: Caller) async throws(SyncError) {
        try await accounting { users throws(AccountError) in
            try await users.remove(caller.login)
        }
    }

    private func accounting<Value: Sendable>(
        _ body: (UserDirectory) async throws(AccountError) -> Value
    ) async throws(SyncError) -> Value {
        let users = UserDirectory(
            store: store, environment: engine.environment, definition: engine.rules.definition)
        do {
            return try await body(users)
        } catch {
            throw .account(error)
        }
    }
}
