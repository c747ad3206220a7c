import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol
import SyncServer
import UserAccounts

/// Sessions and synchronization.
extension Routes {
    @Sendable func health(_ exchange: Exchange) async throws -> Response {
        try await exchange.engine.checkHealth()
        // Otherwise the server would tell of what was deployed when it last looked.
        try await exchange.engine.checkIsDeployed()
        return try .json(
            HealthMessage(
                status: "ok", environment: exchange.environment.name,
                digest: exchange.environment.digest))
    }

    @Sendable func signIn(_ exchange: Exchange) async throws -> Response {
        let message = try await exchange.decode(SessionRequest.self, upTo: Self.maxProofBytes)
        let device = SigningDevice(
            category: message.deviceCategory, identifier: message.deviceIdentifier)
        let (session, token): (SignedIn, NewToken)
        switch message.proof {
        case .password(let login, let password):
            (session, token) = try await exchange.host.passwords.signIn(
                Credentials(
                    login: login, password: password, deviceCategory: device.category,
                    deviceIdentifier: device.identifier),
                to: exchange.environment.accounts, from: exchange.context.clientAddress)
        case .idToken(let text, let provider, let nonce):
            (session, token) = try await signIn(
                idToken: text, nonce: nonce, of: provider, on: device, exchange)
        case .code(let code, let verifier):
            (session, token) = try await signIn(
                code: code, verifier: verifier, on: device, exchange)
        }
        return try .json(
            SessionResponse(session, token: token, of: exchange.engine), status: .created)
    }

    /// Tells whether the token is still good, and who its user is now.
    @Sendable func ownSession(_ exchange: Exchange) async throws -> Response {
        try .json(OwnSessionResponse(try await exchange.caller(), of: exchange.engine))
    }

    @Sendable func signOut(_ exchange: Exchange) async throws -> Response {
        let hash = try exchange.tokenHash()
        _ = try await exchange.engine.identify(tokenHash: hash, at: exchange.now)
        try await exchange.environment.accounts.signOut(tokenHash: hash)
        return Response(status: .noContent)
    }

    @Sendable func sync(_ exchange: Exchange) async throws -> Response {
        let maxBytes = exchange.host.bodies.maxBytes
        guard exchange.mayPresumeCaller else {
            let (message, caller) = try await exchange.read(SyncRequest.self, upTo: maxBytes)
            return try await answer(message, from: caller, exchange)
        }
        let message = try await exchange.readSmall(SyncRequest.self, upTo: maxBytes)
        if !message.changes.isEmpty, let presumed = try exchange.presumedCaller() {
            do {
                return try await answer(message, from: presumed, exchange)
            } catch SyncError.store(.presumptionOutdated) {}
        }
        return try await answer(message, from: try await exchange.caller(), exchange)
    }

    private func answer(
        _ message: SyncRequest, from caller: Caller, _ exchange: Exchange
    ) async throws -> Response {
        try await exchange.untilStop { try await decided(message, from: caller, exchange) }
    }

    /// Throws `cancelled` if the client has gone, or the server stops, before all is decided.
    private func decided(
        _ message: SyncRequest, from caller: Caller, _ exchange: Exchange
    ) async throws -> Response {
        // A single change takes no longer than to ask.
        var isWanted: (@Sendable () -> Bool)?
        if message.changes.count > 1 { isWanted = { (try? exchange.checkGoesOn()) != nil } }
        if let client = try await exchange.client() {
            let call = try await prepared(of: caller, by: client.engine, exchange) {
                client.engine.pushPull(of: client.served(message))
            }
            let answer = try await client.engine.taking(exchange.turns(for: caller)).answer(
                call, from: caller, at: exchange.now, whileWanted: isWanted)
            return try await exchange.answer(
                client.response(answer, to: message, for: caller), to: caller)
        }
        let engine = exchange.engine
        let call = try await prepared(of: caller, by: engine, exchange) {
            engine.pushPull(of: message)
        }
        return try await engine.taking(exchange.turns(for: caller)).answer(
            call, from: caller, at: exchange.now, whileWanted: isWanted
        ).withJSON { .json(bytes: $0) }
    }

    /// Checks the changes that `read` makes of the body, on a thread for that where this may take
    /// long. Otherwise `answer` checks them.
    private func prepared(
        of caller: Caller, by engine: Engine, _ exchange: Exchange,
        _ read: @escaping @Sendable () -> PushPull
    ) async throws -> PushPull {
        guard WorkPool.takesLong(toCheck: exchange.bodyBytes, by: engine) else { return read() }
        let now = exchange.now
        return try await exchange.checking(
            ofBody: exchange.bodyBytes, by: engine, for: caller
        ) { isWanted in
            try engine.prepared(read(), from: caller, at: now, whileWanted: isWanted)
        }
    }
}
