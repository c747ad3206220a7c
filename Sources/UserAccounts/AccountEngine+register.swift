import DefinitionModel
package import SyncEngine

/// The result of a registration.
package enum Registration: Hashable, Sendable {
    case done
    /// Another user has the login, perhaps in another case, or somebody who is gone left records.
    case loginTaken
    /// Another user has the mail address, perhaps in another case.
    case mailTaken
}

/// Accounts that clients of other products make and keep themselves. The caller checks
/// that the operator lets them.
extension AccountEngine {
    /// Adds a user. All users are read, so the caller bounds how often this happens.
    package func register(_ user: NewUser) async throws(SyncError) -> Registration {
        // Records outlive their owners, and belong to whoever has the login.
        if try await ownsRecords(user.login) { return .loginTaken }
        return try await accounting { users throws(AccountError) in
            let (login, mail) = (user.login.lowercased(), user.mail.lowercased())
            for present in try await users.list() {
                if present.login.lowercased() == login { return .loginTaken }
                if !mail.isEmpty, present.mail.lowercased() == mail { return .mailTaken }
            }
            do throws(AccountError) {
                try await users.add(
                    login: user.login, group: user.group, mail: user.mail, isAdmin: false,
                    passwordHash: user.passwordHash)
            } catch .exists {
                return .loginTaken
            }
            return .done
        }
    }

    private func ownsRecords(_ login: String) async throws(SyncError) -> Bool {
        let models = engine.rules.definition.models.map(\.name)
        return try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) { search in
                for model in models {
                    var group = try search.nextGroup(of: model, after: nil)
                    while let present = group {
                        let run = RecordRun(
                            model: model, group: present, owners: .only(login),
                            start: .beginning(ofOwner: login))
                        guard try search.records(in: run, atMost: 1).isEmpty else { return true }
                        group = try search.nextGroup(of: model, after: present)
                    }
                }
                return false
            }
        }
    }

    /// Removes a user who has just been added, unless they have another password by now.
    package func unregister(_ user: NewUser) async throws(SyncError) {
        _ = try await engine.reading { () async throws(StoreError) in
            try await store.changeUser(user.login, in: engine.environment) { present in
                present?.passwordHash == user.passwordHash
                    ? .success(.remove) : .failure(IsAnother())
            }
        }
    }

    /// The user is gone, or has another password.
    private struct IsAnother: Error {}

    /// Nil if the caller was removed.
    package func ownMail(of caller: Caller) async throws(SyncError) -> String? {
        try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(caller.login, in: engine.environment)
        }?.mail
    }

    /// Gives the caller another mail address. Returns false if another user has it.
    package func changeOwnMail(of caller: Caller, to mail: String) async throws(SyncError) -> Bool {
        try await accounting { users throws(AccountError) in
            let others = try await users.list().filter { $0.login != caller.login }
            guard !others.contains(where: { $0.mail.lowercased() == mail.lowercased() }) else {
                return false
            }
            try await users.edit(caller.login, UserEdit(mail: mail))
            return true
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
