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
extension WireRoutes {
    func client(of request: Request) async throws -> SignedInClient {
        let identity = try ClientIdentity { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
        let lens = try versions.lens(for: identity)
        return SignedInClient(
            identity: identity, caller: try await caller(identity), lens: lens)
    }

    @Sendable func authenticate(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        let parameters = request.uri.queryParameters
        if let token = parameters["deviceToken"], let type = parameters["deviceType"] {
            try await registerIfItIsOne(
                String(token), type: String(type), by: client.caller, context)
        }
        return try .json(
            AuthenticationMessage(
                role: client.caller.roleName, instanceGuid: services.engine.instance))
    }

    /// A session is opened for the first of a client's requests, so that its password, which takes
    /// its time to be compared, is compared but once.
    func caller(_ identity: ClientIdentity) async throws -> Caller {
        if let hash = sessions.tokenHash(of: identity) {
            if let caller = try await present(hash) { return caller }
            sessions.forget(identity)
        }
        let opened = try await services.passwords.signIn(
            Credentials(
                login: identity.login, password: identity.password,
                deviceCategory: identity.deviceCategory,
                deviceIdentifier: identity.deviceIdentifier),
            to: services.engine, at: services.now())
        sessions.keep(opened.token.hash, of: identity)
        return try await services.engine.identify(
            tokenHash: opened.token.hash, at: services.now())
    }

    /// Nil when the session has ended meanwhile.
    private func present(_ hash: [UInt8]) async throws -> Caller? {
        do throws(SyncError) {
            return try await services.engine.identify(tokenHash: hash, at: services.now())
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
