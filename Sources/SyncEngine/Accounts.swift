package import DefinitionModel

/// The users of one environment, for whoever administers them.
package struct Accounts: Sendable {
    private let store: any Store
    private let environment: EnvironmentID
    private let groups: [String]

    package init(store: any Store, environment: EnvironmentID, definition: Definition) {
        self.store = store
        self.environment = environment
        groups = definition.groups
    }

    package func list() async throws(AccountError) -> [User] {
        try await reading { () async throws(StoreError) in
            try await store.users(in: environment)
        }
    }

    package func add(
        login text: String, group: String, mail: String, isAdmin: Bool, passwordHash: String
    ) async throws(AccountError) {
        guard let login = Login.normalized(text) else { throw .loginIllegal(text) }
        try check(group)
        guard !mail.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .mailIllegal(mail) }
        let user = User(
            login: login, group: group, mail: mail, isAdmin: isAdmin, passwordHash: passwordHash)
        try await change(login) { present in
            guard present == nil else { return .failure(.exists(login)) }
            return .success(.write(user, endingSessions: false))
        }
    }

    /// Ends the user's sessions: whoever knew the old password is out.
    package func setPassword(
        hash: String, of login: String
    ) async throws(AccountError) {
        try await change(login) { present in
            guard var user = present else { return .failure(.unknown(login)) }
            user.passwordHash = hash
            return .success(.write(user, endingSessions: true))
        }
    }

    /// Takes effect with the user's next request; their records keep the group they were made in.
    package func setGroup(_ group: String, of login: String) async throws(AccountError) {
        try check(group)
        try await change(login) { present in
            guard var user = present else { return .failure(.unknown(login)) }
            user.group = group
            return .success(.write(user, endingSessions: false))
        }
    }

    /// Ends the user's sessions; their records stay.
    package func remove(_ login: String) async throws(AccountError) {
        try await change(login) { present in
            present == nil ? .failure(.unknown(login)) : .success(.remove)
        }
    }

    private func check(_ group: String) throws(AccountError) {
        guard groups.contains(group) else { throw .groupUnknown(group, known: groups) }
    }

    private func change(
        _ text: String,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, AccountError>
    ) async throws(AccountError) {
        guard let login = Login.normalized(text) else { throw .loginIllegal(text) }
        let result = try await reading { () async throws(StoreError) in
            try await store.changeUser(login, in: environment, deciding: deciding)
        }
        if let problem = result { throw problem }
    }

    private func reading<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(AccountError) -> Value {
        do {
            return try await call()
        } catch {
            throw .store(error)
        }
    }
}

/// Why a user was not changed.
package enum AccountError: Error, Hashable, Sendable {
    case loginIllegal(String)
    /// It has a control character, which could forge a list that is shown on a terminal.
    case mailIllegal(String)
    case exists(String)
    case unknown(String)
    case groupUnknown(String, known: [String])
    case store(StoreError)
}
