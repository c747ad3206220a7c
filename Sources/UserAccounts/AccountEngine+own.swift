import DefinitionModel
package import SyncEngine

/// Changes that users make to their own accounts.
extension AccountEngine {
    /// Returns the caller's open sessions, in the order of their devices.
    package func ownSessions(
        of caller: Caller, at now: Instant
    ) async throws(SyncError) -> [Session] {
        try await sessions(of: caller.login, at: now)
    }

    private func sessions(of login: String, at now: Instant) async throws(SyncError) -> [Session] {
        try await engine.reading { () async throws(StoreError) in
            try await store.sessions(of: login, in: engine.environment, at: now)
        }
    }

    /// Ends the caller's sessions on a device.
    package func endOwnSessions(
        of caller: Caller, on deviceIdentifier: String, at now: Instant
    ) async throws(SyncError) {
        try await endSessions(of: caller.login, on: deviceIdentifier, at: now)
    }

    func endSessions(
        of login: String, on deviceIdentifier: String, at now: Instant
    ) async throws(SyncError) {
        for session in try await sessions(of: login, at: now)
        where session.deviceIdentifier.hasSameBytes(as: deviceIdentifier) {
            try await signOut(tokenHash: session.tokenHash)
        }
    }

    /// The caller as a user; nil if the caller was removed.
    package func ownUser(of caller: Caller) async throws(SyncError) -> User? {
        try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(caller.login, in: engine.environment)
        }
    }

    /// Replaces the caller's password and ends all their sessions. Throws `wrongCredentials` if
    /// the password is no longer that with the hash `former`, or if there is none, since the user
    /// signs in with a provider: only an operator lets them have one.
    package func changeOwnPassword(
        of caller: Caller, from former: String?, to hash: String, at now: Instant
    ) async throws(SyncError) {
        let refusal = try await engine.reading { () async throws(StoreError) in
            try await store.changeUser(caller.login, in: engine.environment, at: now) {
                present, _ in
                guard var user = present, user.passwordHash == former,
                    IdentityLink(user.passwordHash) == nil
                else { return .failure(PasswordReplaced()) }
                user.passwordHash = hash
                return .success(.write(user, endingSessions: true))
            }
        }
        guard refusal == nil else { throw .signIn(.wrongCredentials) }
    }

    /// The password is not the one that was verified.
    private struct PasswordReplaced: Error {}
}
