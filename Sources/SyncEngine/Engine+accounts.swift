package import SyncProtocol

/// What admins do with users. Everybody else is refused.
extension Engine {
    package func users(for caller: Caller) async throws(SyncError) -> [UserMessage] {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.list().map(UserMessage.init)
        }
    }

    package func addUser(
        _ request: NewUserRequest, passwordHash: String, by caller: Caller
    ) async throws(SyncError) -> UserMessage {
        try await administering(caller) { accounts throws(AccountError) in
            UserMessage(
                try await accounts.add(
                    login: request.login, group: request.group, mail: request.mail ?? "",
                    isAdmin: request.admin ?? false, passwordHash: passwordHash))
        }
    }

    /// What they may see and do is another thing from their next request on.
    package func changeUser(
        _ login: String, _ request: UserChangeRequest, passwordHash: String?, by caller: Caller
    ) async throws(SyncError) {
        try await administering(caller) { accounts throws(AccountError) in
            try await accounts.edit(
                login,
                UserEdit(
                    group: request.group, mail: request.mail, isAdmin: request.admin,
                    passwordHash: passwordHash))
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

extension UserMessage {
    fileprivate init(_ user: User) {
        self.init(login: user.login, group: user.group, mail: user.mail, admin: user.isAdmin)
    }
}
