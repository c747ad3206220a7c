package import DefinitionModel
package import SyncEngine

/// A new session token: the text for the client and the hash for the store.
package struct NewToken: Sendable {
    package let text: String
    package let hash: [UInt8]

    package init(text: String, hash: [UInt8]) {
        self.text = text
        self.hash = hash
    }
}

/// Login and password, with the device that signs in.
package struct Credentials: Hashable, Sendable {
    package let login: String
    package let password: String
    /// A device category of the definition, such as `mobile`. With the group of the user it makes
    /// the role.
    package let deviceCategory: String
    /// The permanent identifier of the installation: 1 to 128 bytes of visible ASCII.
    package let deviceIdentifier: String

    package init(
        login: String, password: String, deviceCategory: String, deviceIdentifier: String
    ) {
        self.login = login
        self.password = password
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }
}

/// A session that was opened.
package struct SignedIn: Hashable, Sendable {
    package let expiresAt: Instant
    package let login: String
    package let group: String
    package let role: Role
}

extension AccountEngine {
    /// Opens a session. An unknown login and a wrong password get the same answer after the same
    /// work. After repeated failures the caller must wait.
    ///
    /// `verify` compares a password with a stored hash. Given nil it must take the same time and
    /// return false. `renew` returns a new hash if the stored one is outdated, or nil to keep it.
    package func signIn(
        _ request: Credentials, token: NewToken, at now: Instant,
        verify: @Sendable (_ password: String, _ hash: String?) async -> Bool,
        renew: @Sendable (_ password: String, _ hash: String) async -> String? = { _, _ in nil }
    ) async throws(SyncError) -> SignedIn {
        try checkDevice(request.deviceIdentifier)
        let expiresAt = now.adding(seconds: engine.limits.sessionSeconds)
        let admitted = try await admittedUser(request.login, at: now)
        let user = try await verifiedUser(
            admitted, request.password, verify
        ) { user async throws(StoreError) in
            let session = Session(
                tokenHash: token.hash, environment: engine.environment, login: user.login,
                deviceCategory: request.deviceCategory,
                deviceIdentifier: request.deviceIdentifier, expiresAt: expiresAt)
            return try await store.openSession(session, passwordHash: user.passwordHash, at: now)
        }
        if let hash = await renew(request.password, user.passwordHash) {
            try await replaceHash(of: user, with: hash)
        }
        let role = try await roleOrSigningOut(user, request, token)
        return SignedIn(expiresAt: expiresAt, login: user.login, group: user.group, role: role)
    }

    /// Returns the user after opening a session. No session opens if the hash was replaced after it
    /// was read, by a new password or by a sign-in that renewed it. The password is then verified
    /// once more, against the new hash.
    private func verifiedUser(
        _ admitted: User?, _ password: String,
        _ verify: @Sendable (_ password: String, _ hash: String?) async -> Bool,
        openingSession open: (User) async throws(StoreError) -> Bool
    ) async throws(SyncError) -> User {
        var user = admitted
        for _ in 0..<2 {
            guard await verify(password, user?.passwordHash), let verified = user else { break }
            let isOpen = try await engine.reading { () async throws(StoreError) in
                try await open(verified)
            }
            if isOpen { return verified }
            user = try await engine.reading { () async throws(StoreError) in
                try await engine.store.user(verified.login, in: engine.environment)
            }
        }
        throw .signIn(.wrongCredentials)
    }

    /// Replaces the hash unless another hash was stored in the meantime. Sessions stay open.
    private func replaceHash(of user: User, with hash: String) async throws(SyncError) {
        _ = try await engine.reading { () async throws(StoreError) in
            try await store.changeUser(user.login, in: engine.environment) { present in
                guard var changed = present, changed.passwordHash == user.passwordHash else {
                    return .failure(HashReplaced())
                }
                changed.passwordHash = hash
                return .success(.write(changed, endingSessions: false))
            }
        }
    }

    /// The stored hash is not the one that was read.
    private struct HashReplaced: Error {}

    /// Returns the role, or ends the session if the definition has no such role. The role is
    /// checked after the session is open, because a correct password must not count as a failed
    /// attempt: failures on one device would block the user on all others.
    private func roleOrSigningOut(
        _ user: User, _ request: Credentials, _ token: NewToken
    ) async throws(SyncError) -> Role {
        do {
            return try engine.role(group: user.group, deviceCategory: request.deviceCategory)
        } catch {
            try await signOut(tokenHash: token.hash)
            throw error
        }
    }

    package func signOut(tokenHash: [UInt8]) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await store.endSession(tokenHash: tokenHash)
        }
    }

    private func checkDevice(_ identifier: String) throws(SyncError) {
        let maxBytes = engine.limits.deviceIdentifierBytes
        let isLegal =
            (1...maxBytes).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isLegal else {
            throw .signIn(.deviceIdentifierIllegal(maxBytes: maxBytes))
        }
    }

    private func admittedUser(_ text: String, at now: Instant) async throws(SyncError) -> User? {
        guard let login = Login.normalized(text) else { return nil }
        let limits = engine.limits
        let admission = try await engine.reading { () async throws(StoreError) in
            try await store.admitSignIn(of: login, in: engine.environment, at: now) { failed in
                signInWaitSeconds(after: failed, at: now, limits: limits)
            }
        }
        switch admission {
        case .admitted(let user, let fingerprint):
            try engine.checkIsCurrent(fingerprint)
            return user
        case .wait(let seconds): throw .signIn(.tooManyAttempts(retryAfterSeconds: seconds))
        }
    }
}

/// Returns how many seconds a login must wait: none for the first failures, then 1, 2, 4 … seconds
/// after the last one, up to a maximum.
///
/// Concurrent attempts may be recorded out of order and server clocks differ, so a last failure in
/// the near future is treated as one of now. One further ahead than the longest wait means that the
/// clock was set back; it is ignored.
func signInWaitSeconds(after failed: FailedSignIns, at now: Instant, limits: Limits) -> Int64 {
    let longest = limits.longestSignInWaitSeconds
    guard failed.count >= limits.freeSignInAttempts, let last = failed.last,
        last <= now.adding(seconds: longest)
    else { return 0 }
    let doublings = min(failed.count - limits.freeSignInAttempts, 30)
    let wait = min(Int64(1) << doublings, longest)
    return max(0, min(last, now).adding(seconds: wait).seconds(since: now))
}
