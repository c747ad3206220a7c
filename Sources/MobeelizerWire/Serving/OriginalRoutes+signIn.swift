import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer

/// Who asks, with the rights that they have now, and how they see the data.
struct SignedInClient: Sendable {
    let identity: ClientIdentity
    let caller: Caller
    let lens: VersionLens
}

/// Each request brings login and password.
extension OriginalRoutes {
    /// Throws unless the environment is one of the client's application.
    func client(
        _ identity: ClientIdentity, _ exchange: Exchange
    ) async throws -> SignedInClient {
        let lens = try versions.versions(of: exchange.environment).lens(for: identity)
        return SignedInClient(
            identity: identity, caller: try await caller(identity, exchange), lens: lens)
    }

    @Sendable func authenticate(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let parameters = exchange.request.uri.queryParameters
        if let token = parameters["deviceToken"], let type = parameters["deviceType"] {
            try await registerIfItIsOne(
                String(token), type: String(type), by: client.caller, exchange)
        }
        return try .json(
            AuthenticationMessage(
                role: client.caller.roleName, instanceGuid: exchange.engine.instance))
    }

    /// A session is opened for the first of a client's requests, so that its password, which takes
    /// its time to be compared, is compared but once.
    func caller(_ identity: ClientIdentity, _ exchange: Exchange) async throws -> Caller {
        if let hash = sessions.tokenHash(of: identity) {
            if let caller = try await present(hash, exchange) { return caller }
            sessions.forget(identity)
        }
        let opened = try await exchange.host.passwords.signIn(
            Credentials(
                login: identity.login, password: identity.password,
                deviceCategory: identity.deviceCategory,
                deviceIdentifier: identity.deviceIdentifier),
            to: exchange.engine, at: exchange.now)
        sessions.keep(opened.token.hash, of: identity)
        return try await exchange.engine.identify(
            tokenHash: opened.token.hash, at: exchange.now)
    }

    /// Nil when the session has ended meanwhile.
    private func present(_ hash: [UInt8], _ exchange: Exchange) async throws -> Caller? {
        do throws(SyncError) {
            return try await exchange.engine.identify(tokenHash: hash, at: exchange.now)
        } catch {
            guard error == .signIn(.tokenUnknown) else { throw error }
            return nil
        }
    }
}

private struct AuthenticationMessage: Encodable {
    let role: String
    /// Clients name their own database by it.
    let instanceGuid: String
}

extension ClientIdentity {
    init(_ request: Request) throws(WireRefusal) {
        try self.init { name in HTTPField.Name(name).flatMap { request.headers[$0] } }
    }
}
