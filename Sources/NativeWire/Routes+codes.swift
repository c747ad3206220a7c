import Hummingbird
import NativeCalls
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer
import UserAccounts

/// Requests of people with a code and no session. The code is looked up before a password is
/// hashed.
extension Routes {
    @Sendable func signUp(_ exchange: Exchange) async throws -> Response {
        let message = try await exchange.decode(SignUpRequest.self, upTo: Self.maxSignInBytes)
        let (accounts, now) = (exchange.environment.accounts, exchange.now)
        let code = BearerToken.hash(message.code)
        _ = try await accounts.code(hash: code, at: now)
        let hash = try await exchange.host.passwords.newHash(
            of: message.password, from: exchange.context.clientAddress)
        let user = try await accounts.signUp(
            message.login, mail: message.mail ?? "", passwordHash: hash, invitation: code, at: now)
        return try .json(UserMessage(user), status: .created)
    }

    @Sendable func resetPassword(_ exchange: Exchange) async throws -> Response {
        let message = try await exchange.decode(ResetRequest.self, upTo: Self.maxSignInBytes)
        let (accounts, now) = (exchange.environment.accounts, exchange.now)
        let code = BearerToken.hash(message.code)
        _ = try await accounts.code(hash: code, at: now)
        let hash = try await exchange.host.passwords.newHash(
            of: message.newPassword, from: exchange.context.clientAddress)
        try await accounts.resetPassword(to: hash, reset: code, at: now)
        return Response(status: .noContent)
    }
}
