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

/// A session that was opened.
package struct SignedIn: Hashable, Sendable {
    package let expiresAt: Instant
    package let login: String
    package let group: String
    package let role: Role
}

extension SignInLimits {
    init(_ limits: Limits) {
        self.init(sessions: limits.sessionsOfUser, devices: limits.devicesOfUser)
    }
}

extension AccountEngine {
    /// Looks up the device of an attempt, which costs little and needs no password. `address` is
    /// the network address of the client.
    package func attempt(
        _ credentials: Credentials, from address: String
    ) async throws(SyncError) -> SignInAttempt {
        let identifier = credentials.deviceIdentifier
        try engine.checkDevice(identifier)
        guard let login = Login.normalized(credentials.login) else {
            return SignInAttempt(credentials: credentials, source: nil, isOfKnownDevice: false)
        }
        let device = DeviceKey(login: login, deviceIdentifier: identifier)
        let isKnown = try await engine.reading { () async throws(StoreError) in
            guard credentials.identifiesDevice else { return false }
            return try await store.hasSignedIn(device, in: engine.environment)
        }
        return SignInAttempt(
            credentials: credentials,
            source: SignInSource(
                login: login, address: address, knownDevice: isKnown ? identifier : nil),
            isOfKnownDevice: isKnown)
    }

    /// Looks up the device and opens a session.
    package func signIn(
        _ credentials: Credentials, from address: String = "", token: NewToken, at now: Instant,
        verify: @Sendable (_ password: String, _ hash: String?) async -> Bool,
        renew: @Sendable (_ password: String, _ hash: String) async -> String? = { _, _ in nil }
    ) async throws(SyncError) -> SignedIn {
        try await signIn(
            try await attempt(credentials, from: address), token: token, at: now, verify: verify,
            renew: renew)
    }

    /// Opens a session. An unknown login and a wrong password get the same answer after the same
    /// work. After repeated failures the source of the attempt must wait; attempts of others are
    /// not affected.
    ///
    /// A failure is counted when the password is known to be wrong. The caller limits the attempts
    /// that run at the same time, and so those that began before a failure was counted.
    ///
    /// `verify` compares a password with a stored hash. Given nil it must take the same time and
    /// return false. `renew` returns a new hash if the stored one is outdated, or nil to keep it.
    package func signIn(
        _ attempt: SignInAttempt, token: NewToken, at now: Instant,
        verify: @Sendable (_ password: String, _ hash: String?) async -> Bool,
        renew: @Sendable (_ password: String, _ hash: String) async -> String? = { _, _ in nil }
    ) async throws(SyncError) -> SignedIn {
        let request = attempt.credentials
        let expiresAt = now.adding(seconds: engine.limits.sessionSeconds)
        guard let source = attempt.source else {
            _ = await verify(request.password, nil)
            throw .signIn(.wrongCredentials)
        }
        let admission = try await admission(of: source, among: attempt.strangers, at: now)
        let limits = SignInLimits(engine.limits)
        let verified = try await verifiedUser(
            admission.user, request.password, verify
        ) { user async throws(StoreError) in
            let session = Session(
                tokenHash: token.hash, environment: engine.environment, login: user.login,
                deviceCategory: request.deviceCategory,
                deviceIdentifier: request.deviceIdentifier, expiresAt: expiresAt,
                openedAt: now)
            return try await store.openSession(
                session, passwordHash: user.passwordHash, from: source, within: limits, at: now)
        }
        guard let user = verified else {
            try await count(failureOf: source, at: now)
            if let strangers = attempt.strangers, admission.countsForStrangers {
                try await count(failureOf: strangers, at: now)
            }
            throw .signIn(.wrongCredentials)
        }
        if let hash = await renew(request.password, user.passwordHash) {
            try await replaceHash(of: user, with: hash)
        }
        let role = try await roleOrSigningOut(user, request, token)
        return SignedIn(expiresAt: expiresAt, login: user.login, group: user.group, role: role)
    }

    /// Returns the user after opening a session; nil if the password is wrong. No session opens if
    /// the hash was replaced after it was read, by a new password or by a sign-in that renewed it.
    /// The password is then verified once more, against the new hash.
    private func verifiedUser(
        _ admitted: User?, _ password: String,
        _ verify: @Sendable (_ password: String, _ hash: String?) async -> Bool,
        openingSession open: (User) async throws(StoreError) -> Bool
    ) async throws(SyncError) -> User? {
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
        return nil
    }

    private func count(failureOf source: SignInSource, at now: Instant) async throws(SyncError) {
        try await engine.reading { () async throws(StoreError) in
            try await store.addFailedSignIn(
                of: source, in: engine.environment, at: now, keeping: engine.limits.failingSources)
        }
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
    /// checked after the session is open, so that nobody learns of it without the password.
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

    /// Throws if the source, or all strangers, have to wait.
    private func admission(
        of source: SignInSource, among strangers: SignInSource?, at now: Instant
    ) async throws(SyncError) -> SignInAdmission {
        let limits = engine.limits
        let state = try await signInState(of: source, at: now)
        try checkWait(
            after: state.failed, at: now, free: limits.freeSignInAttempts,
            longest: limits.longestSignInWaitSeconds)
        var isSlowed = false
        if let strangers {
            let failed = try await signInState(of: strangers, at: now).failed
            try checkWait(
                after: failed, at: now, free: limits.freeAttemptsOfStrangers,
                longest: limits.longestWaitOfStrangersSeconds)
            isSlowed = failed.count >= limits.freeAttemptsOfStrangers
        }
        try engine.checkIsCurrent(state.fingerprint)
        // It may have been renamed, with the same definition.
        try await engine.checkIsDeployed()
        return SignInAdmission(
            user: state.user,
            countsForStrangers: isSlowed || state.failed.count < limits.freeSignInAttempts)
    }

    func signInState(
        of source: SignInSource, at now: Instant
    ) async throws(SyncError) -> SignInState {
        try await engine.reading { () async throws(StoreError) in
            try await store.signInState(of: source, in: engine.environment, at: now)
        }
    }

    private func checkWait(
        after failed: FailedSignIns, at now: Instant, free: Int, longest: Int64
    ) throws(SyncError) {
        let seconds = signInWaitSeconds(after: failed, at: now, free: free, longest: longest)
        guard seconds == 0 else {
            throw .signIn(.tooManyAttempts(retryAfterSeconds: seconds))
        }
    }
}

/// An attempt whose password may be verified.
private struct SignInAdmission {
    /// Nil for an unknown login.
    let user: User?
    /// Whether a failure counts for all strangers. Those of a source that has to wait between its
    /// attempts count only when all strangers are slowed already: otherwise one source alone could
    /// slow all.
    let countsForStrangers: Bool
}

/// Returns how many seconds a source must wait: none for the first `free` failures, then 1, 2, 4 …
/// seconds after the last one, at most `longest`.
///
/// Concurrent attempts may be recorded out of order and server clocks differ, so a last failure in
/// the near future is treated as one of now. One further ahead than the longest wait means that the
/// clock was set back; it is ignored.
func signInWaitSeconds(
    after failed: FailedSignIns, at now: Instant, free: Int, longest: Int64
) -> Int64 {
    guard failed.count >= free, let last = failed.last,
        last <= now.adding(seconds: longest)
    else { return 0 }
    let doublings = min(failed.count - free, 30)
    let wait = min(Int64(1) << doublings, longest)
    return max(0, min(last, now).adding(seconds: wait).seconds(since: now))
}
