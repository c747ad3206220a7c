package import SyncEngine
package import SyncProtocol
package import UserAccounts

/// Calls of the account engine with the native wire's messages, without HTTP.
extension AccountEngine {
    package func userMessages(for caller: Caller) async throws(SyncError) -> [UserMessage] {
        try await users(for: caller).map(UserMessage.init)
    }

    package func addUser(
        _ request: NewUserRequest, passwordHash: String, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> UserMessage {
        UserMessage(
            try await addUser(
                NewUser(
                    login: request.login, group: request.group, mail: request.mail ?? "",
                    isAdmin: request.admin ?? false, passwordHash: passwordHash),
                by: caller, at: now))
    }

    package func changeUser(
        _ login: String, _ request: UserChangeRequest, passwordHash: String?, by caller: Caller,
        at now: Instant
    ) async throws(SyncError) {
        try await changeUser(
            login,
            UserEdit(
                group: request.group, mail: request.mail, isAdmin: request.admin,
                passwordHash: passwordHash), by: caller, at: now)
    }

    /// Signs in by a password; throws `wrongCredentials` for any other proof.
    ///
    /// `verify` compares a password with a stored hash; see `AccountEngine.signIn`.
    package func signIn(
        _ request: SessionRequest, from address: String = "", token: NewToken, at now: Instant,
        verify: @Sendable (_ password: String, _ hash: String?) async -> Bool
    ) async throws(SyncError) -> SessionResponse {
        guard let credentials = Credentials(request) else { throw .signIn(.wrongCredentials) }
        let session = try await signIn(
            credentials, from: address, token: token, at: now, verify: verify)
        return SessionResponse(session, token: token, of: engine)
    }
}
