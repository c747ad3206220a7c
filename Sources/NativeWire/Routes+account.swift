import Hummingbird
import SyncEngine
import SyncProtocol
import SyncServer
import UserAccounts

/// The caller's own password and sessions.
extension Routes {
    /// The present password is verified by a sign-in on the caller's device, within its limits and
    /// counts. All sessions end afterwards, that of the request too.
    @Sendable func changePassword(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            PasswordRequest.self, upTo: Self.maxSignInBytes)
        let (passwords, accounts) = (exchange.host.passwords, exchange.environment.accounts)
        let present = try exchange.tokenHash()
        let sessions = try await accounts.ownSessions(of: caller, at: exchange.now)
        guard let session = sessions.first(where: { $0.tokenHash == present }) else {
            throw SyncError.signIn(.tokenUnknown)
        }
        let credentials = Credentials(
            login: caller.login, password: message.password,
            deviceCategory: session.deviceCategory, deviceIdentifier: session.deviceIdentifier)
        let verified = try await passwords.signIn(
            credentials, to: accounts, from: exchange.context.clientAddress)
        // The sign-in may have renewed the hash.
        let former = try await accounts.ownUser(of: caller)?.passwordHash
        do {
            let hash = try await passwords.newOwnHash(of: message.newPassword, for: caller)
            try await accounts.changeOwnPassword(
                of: caller, from: former, to: hash, at: exchange.now)
        } catch {
            try await accounts.signOut(tokenHash: verified.token.hash)
            throw error
        }
        return Response(status: .noContent)
    }

    @Sendable func ownSessions(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let present = try exchange.tokenHash()
        let sessions = try await exchange.environment.accounts.ownSessions(
            of: caller, at: exchange.now)
        return try .json(
            SessionsResponse(
                sessions: sessions.map { session in
                    SessionsResponse.SessionMessage(
                        deviceIdentifier: session.deviceIdentifier,
                        deviceCategory: session.deviceCategory,
                        expiresAt: session.expiresAt.milliseconds,
                        current: session.tokenHash == present)
                }))
    }

    @Sendable func endOwnSession(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        try await exchange.environment.accounts.endOwnSessions(
            of: caller, on: try exchange.parameter("device"), at: exchange.now)
        return Response(status: .noContent)
    }
}
