import HTTPTypes
import Hummingbird
import MailDelivery
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

    /// Answers the same whether there is such a user or not, after the same work: all else happens
    /// later.
    @Sendable func requestReset(_ exchange: Exchange) async throws -> Response {
        let message = try await exchange.decode(RequestedReset.self, upTo: Self.maxSignInBytes)
        guard let mails else { throw HTTPFailure.mailUnset() }
        let seconds = resetRequests.wait(of: exchange.context.clientAddress, at: exchange.now)
        guard seconds == 0 else { throw HTTPFailure.tooManyResetRequests(seconds) }
        let order = MailDesk.Order.reset(
            login: message.login, environment: exchange.environment.name)
        guard mails.add(order) else { throw HTTPFailure.mailQueueFull() }
        return Response(status: .accepted)
    }
}
