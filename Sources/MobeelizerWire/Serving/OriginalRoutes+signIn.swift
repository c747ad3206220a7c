import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer
import UserAccounts

/// The caller with its current rights, and the mapping to its version.
struct SignedInClient: Sendable {
    let identity: ClientIdentity
    let caller: Caller
    let mapping: SchemaMapping
}

/// Every request contains login and password.
extension OriginalRoutes {
    /// Throws if the environment belongs to another application.
    func client(
        _ identity: ClientIdentity, _ exchange: Exchange
    ) async throws -> SignedInClient {
        let versions = versions.versions(of: exchange.environment)
        var known = try versions.mapping(for: identity)
        let caller = try await caller(identity, exchange)
        // Strangers do not make the server look through its versions.
        if known == nil {
            known = try await exchange.environment.translation(
                ofDigest: identity.digest, in: exchange.host.environments
            ).map { versions.keep($0, for: identity) }
        }
        guard let mapping = known else { throw WireRefusal.digestUnknown(identity.digest) }
        exchange.context.charge(caller.login, in: exchange.environment)
        exchange.note(caller, wire: "mobeelizer", fingerprint: mapping.fingerprint)
        return SignedInClient(
            identity: identity, caller: caller, mapping: mapping.serving(identity.library))
    }

    @Sendable func authenticate(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let token = try optionalParameter("deviceToken", of: exchange.request)
        let type = try optionalParameter("deviceType", of: exchange.request)
        if let token, let type {
            try await registerIfValid(token, type: type, by: client.caller, exchange)
        }
        return try .json(
            AuthenticationMessage(
                role: client.caller.roleName, instanceGuid: exchange.engine.instance))
    }

    /// Opens a session for the first request of a client, because verifying its password is slow by
    /// design. Later requests use the session.
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
            to: exchange.environment.accounts,
            from: exchange.context.clientAddress)
        sessions.keep(opened.token.hash, of: identity)
        return try await exchange.engine.identify(
            tokenHash: opened.token.hash, at: exchange.now)
    }

    /// Nil if the session has ended.
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
    /// The client names its local database after it.
    let instanceGuid: String
}

extension ClientIdentity {
    init(_ request: Request) throws(WireRefusal) {
        try self.init { name in HTTPField.Name(name).flatMap { request.headers[$0] } }
    }
}
