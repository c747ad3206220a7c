import DefinitionModel
package import SyncEngine

/// Codes in the hands of people without a session.
extension AccountEngine {
    /// Returns the valid code with this hash. Throws `codeUnknown` if there is none.
    package func code(hash: [UInt8], at now: Instant) async throws(SyncError) -> AccountCode {
        try await engine.checkIsDeployed()
        let code = try await engine.reading { () async throws(StoreError) in
            try await store.accountCode(hash: hash, in: engine.environment, at: now)
        }
        guard let code else { throw .account(.codeUnknown) }
        return code
    }

    /// Adds a user of the group of an invitation. Throws `codeUnknown`, `loginIllegal`,
    /// `mailIllegal`, `groupUnknown` if a definition without the group was deployed, and `exists`,
    /// also if somebody who is gone left records; the invitation is then as it was.
    package func signUp(
        _ text: String, mail: String, passwordHash: String, invitation hash: [UInt8],
        at now: Instant
    ) async throws(SyncError) -> User {
        guard let login = Login.normalizedOfNewUser(text) else {
            throw .account(.loginIllegal(text))
        }
        guard isLegal(mail: mail) else { throw .account(.mailIllegal(mail)) }
        let groups = engine.rules.definition.groups
        let group = try await code(hash: hash, at: now).group ?? ""
        if try await ownsRecords(login) { throw .account(.exists(login)) }
        try await use(hash, for: login, at: now) { code, present in
            guard let invited = code?.group else { return .failure(.codeUnknown) }
            guard groups.contains(invited) else {
                return .failure(.groupUnknown(invited, known: groups))
            }
            guard present == nil else { return .failure(.exists(login)) }
            return .success(
                User(
                    login: login, group: invited, mail: mail, isAdmin: false,
                    passwordHash: passwordHash))
        }
        return User(
            login: login, group: group, mail: mail, isAdmin: false, passwordHash: passwordHash)
    }

    /// Replaces the password of the user of a reset, and ends their sessions. Throws `codeUnknown`.
    package func resetPassword(
        to passwordHash: String, reset hash: [UInt8], at now: Instant
    ) async throws(SyncError) {
        guard let login = try await code(hash: hash, at: now).login else {
            throw .account(.codeUnknown)
        }
        try await use(hash, for: login, at: now) { code, present in
            guard code?.login != nil, var user = present else { return .failure(.codeUnknown) }
            user.passwordHash = passwordHash
            return .success(user)
        }
    }

    /// Makes a reset for a user who has asked for it, without a session. Nil if the login is
    /// unknown, the user signs in with a provider or is none of those that `isReached` takes, has a
    /// reset that was made in the last 15 minutes, or if there are too many codes.
    package func requestReset(
        of text: String, hash: [UInt8], at now: Instant,
        ofThose isReached: @Sendable (User) -> Bool
    ) async throws(SyncError) -> (user: User, code: AccountCode)? {
        guard let login = Login.normalized(text) else { return nil }
        let user = try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(login, in: engine.environment)
        }
        guard let user, IdentityLink(user.passwordHash) == nil, isReached(user) else { return nil }
        let code = AccountCode(
            hash: hash, purpose: .reset(login: login), usesLeft: 1,
            author: AccountCodeLimits.requester, createdAt: now,
            expiresAt: now.adding(seconds: AccountCodeLimits.requestedResetSeconds))
        let addition = try await engine.reading { () async throws(StoreError) in
            try await store.addAccountCode(
                code, in: engine.environment, keeping: AccountCodeLimits.requestedCodes,
                sparing: now.adding(seconds: -AccountCodeLimits.requestPauseSeconds), at: now)
        }
        return addition == .added ? (user, code) : nil
    }

    private func use(
        _ hash: [UInt8], for login: String, at now: Instant,
        _ deciding: @escaping @Sendable (AccountCode?, User?) -> Result<User, AccountError>
    ) async throws(SyncError) {
        let refusal = try await engine.reading { () async throws(StoreError) in
            try await store.useAccountCode(
                hash: hash, for: login, in: engine.environment, at: now
            ) { code, present in
                deciding(code, present).map { $0.stamped(replacing: present, at: now) }
            }
        }
        if let refusal { throw .account(refusal) }
    }
}
