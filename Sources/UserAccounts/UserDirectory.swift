package import DefinitionModel
package import SyncEngine

/// Manages the users of one environment. It does not check the rights of the caller.
package struct UserDirectory: Sendable {
    let store: any AccountStore
    let environment: EnvironmentID
    let groups: [String]

    package init(store: any AccountStore, environment: EnvironmentID, definition: Definition) {
        self.store = store
        self.environment = environment
        groups = definition.groups
    }

    package func list() async throws(AccountError) -> [User] {
        try await reading { () async throws(StoreError) in
            try await store.users(in: environment)
        }
    }

    /// The users with the days on which they were last seen.
    package func listed() async throws(AccountError) -> [ListedUser] {
        try await reading { () async throws(StoreError) in
            var found: [ListedUser] = []
            try await store.readPages(of: environment) { found += $0 }
            return found
        }
    }

    /// Returns the login of a new user as it is stored. Throws what adding the user would, but for
    /// a login that is taken.
    package func checked(
        login text: String, group: String, mail: String
    ) throws(AccountError) -> String {
        guard let login = Login.normalizedOfNewUser(text) else { throw .loginIllegal(text) }
        try check(group: group, mail: mail)
        return login
    }

    @discardableResult
    package func add(
        login text: String, group: String, mail: String, isAdmin: Bool, passwordHash: String,
        at now: Instant
    ) async throws(AccountError) -> User {
        let login = try checked(login: text, group: group, mail: mail)
        let user = User(
            login: login, group: group, mail: mail, isAdmin: isAdmin, passwordHash: passwordHash)
        try await change(login, at: now) { present in
            guard present == nil else { return .failure(.exists(login)) }
            return .success(.write(user, endingSessions: false))
        }
        return user.stamped(replacing: nil, at: now)
    }

    /// Adds a user who makes the account, or returns why not.
    func register(
        _ new: NewUser, mostUsers: Int, at now: Instant
    ) async throws(AccountError) -> RegistrationRefusal? {
        let login = try checked(login: new.login, group: new.group, mail: new.mail)
        let user = User(
            login: login, group: new.group, mail: new.mail, isAdmin: false,
            passwordHash: new.passwordHash)
        let names = AccountNames(mail: user.mail, mostUsers: mostUsers)
        return try await reading { () async throws(StoreError) in
            try await store.changeUser(login, in: environment, comparing: names, at: now) {
                if $0 != nil || $1.haveLogin { return .failure(.loginTaken) }
                if $1.haveMail { return .failure(.mailTaken) }
                if $1.count >= mostUsers { return .failure(.tooManyUsers) }
                return .success(.write(user, endingSessions: false))
            }
        }
    }

    /// Gives a user another mail address. Returns false if another user has it in whatever case.
    func changeMail(
        of login: String, to mail: String, at now: Instant
    ) async throws(AccountError) -> Bool {
        try check(group: nil, mail: mail)
        let names = AccountNames(mail: mail, mostUsers: 0)
        let refusal = try await reading { () async throws(StoreError) in
            try await store.changeUser(login, in: environment, comparing: names, at: now) {
                guard let user = $0 else { return .failure(MailRefusal.userUnknown) }
                guard !$1.haveMail else { return .failure(.mailTaken) }
                return .success(.write(user.edited(UserEdit(mail: mail)), endingSessions: false))
            }
        }
        if refusal == .userUnknown { throw .unknown(login) }
        return refusal == nil
    }

    private enum MailRefusal: Error { case userUnknown, mailTaken }

    /// Changes a user. The next request of the user sees the change. Existing records keep their
    /// group. A new password ends the user's sessions.
    package func edit(
        _ text: String, _ edit: UserEdit, at now: Instant
    ) async throws(AccountError) {
        try check(group: edit.group, mail: edit.mail)
        try await change(text, at: now) { present in
            guard let user = present else { return .failure(.unknown(text)) }
            return .success(
                .write(user.edited(edit), endingSessions: edit.passwordHash != nil))
        }
    }

    /// Removes a user and ends their sessions. The user's records stay.
    package func remove(_ login: String) async throws(AccountError) {
        try await change(login) { present in
            present == nil ? .failure(.unknown(login)) : .success(.remove)
        }
    }

    /// Ends all sessions of a user.
    package func endSessions(of login: String) async throws(AccountError) {
        try await change(login) { present in
            guard let user = present else { return .failure(.unknown(login)) }
            return .success(.write(user, endingSessions: true))
        }
    }

    /// Forgets the failed sign-ins of a user, so that the next one need not wait.
    package func unlock(_ login: String) async throws(AccountError) {
        try await change(login) { present in
            present == nil ? .failure(.unknown(login)) : .success(.unlock)
        }
    }

    /// Returns the open sessions of a user, in the order of devices.
    package func sessions(
        of text: String, at now: Instant
    ) async throws(AccountError) -> [Session] {
        guard let login = Login.normalized(text) else { throw .loginIllegal(text) }
        return try await reading { () async throws(StoreError) in
            try await store.sessions(of: login, in: environment, at: now)
        }
    }

    private func check(group: String?, mail: String?) throws(AccountError) {
        if let group, !groups.contains(group) { throw .groupUnknown(group, known: groups) }
        if let mail, !isLegal(mail: mail) { throw .mailIllegal(mail) }
    }

    /// - Parameter now: Nil for a change of nothing that is told of a user.
    private func change(
        _ text: String, at now: Instant? = nil,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, AccountError>
    ) async throws(AccountError) {
        guard let login = Login.normalized(text) else { throw .loginIllegal(text) }
        let result = try await reading { () async throws(StoreError) in
            guard let now else {
                return try await store.changeUser(login, in: environment, deciding: deciding)
            }
            return try await store.changeUser(login, in: environment, at: now) { user, _ in
                deciding(user)
            }
        }
        if let problem = result { throw problem }
    }

    func reading<Value: Sendable>(
        _ call: () async throws(StoreError) -> Value
    ) async throws(AccountError) -> Value {
        do {
            return try await call()
        } catch {
            throw .store(error)
        }
    }
}

/// Whether a mail address has no control character, and no more bytes than one can have (RFC 5321,
/// section 4.5.3.1.3, without the angle brackets).
func isLegal(mail: String) -> Bool {
    mail.utf8.count <= 254
        && mail.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
}

/// A partial update of a user. A nil property leaves the value as it is.
package struct UserEdit: Hashable, Sendable {
    package var group: String?
    package var mail: String?
    package var isAdmin: Bool?
    /// The hash of a new password. Setting it ends the user's sessions, so that the old password no
    /// longer gives access.
    package var passwordHash: String?

    package init(
        group: String? = nil, mail: String? = nil, isAdmin: Bool? = nil,
        passwordHash: String? = nil
    ) {
        self.group = group
        self.mail = mail
        self.isAdmin = isAdmin
        self.passwordHash = passwordHash
    }
}

extension User {
    fileprivate func edited(_ edit: UserEdit) -> User {
        User(
            login: login, group: edit.group ?? group, mail: edit.mail ?? mail,
            isAdmin: edit.isAdmin ?? isAdmin, passwordHash: edit.passwordHash ?? passwordHash)
    }
}
