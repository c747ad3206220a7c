import DefinitionModel
import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol

/// Signing in, and everything that clients do day by day.
extension Routes {
    @Sendable func health(_ request: Request, _ context: Context) async throws -> Response {
        try await engine.checkHealth()
        return try .json(
            HealthMessage(
                status: "ok", environment: environmentName,
                digest: engine.rules.definition.digest))
    }

    @Sendable func signIn(_ request: Request, _ context: Context) async throws -> Response {
        try checkEnvironment(context)
        let message = try await decode(
            SessionRequest.self, from: request, context, upTo: Self.maxSignInBytes)
        let (session, token) = try await passwords.signIn(
            Credentials(message), to: engine, at: now())
        return try .json(
            SessionResponse(session, token: token, of: engine), status: .created)
    }

    @Sendable func signOut(
        _ request: Request, _ context: Context
    ) async throws -> Response {
        try checkEnvironment(context)
        let hash = try tokenHash(of: request)
        _ = try await engine.identify(tokenHash: hash, at: now())
        try await engine.signOut(tokenHash: hash)
        return Response(status: .noContent)
    }

    @Sendable func sync(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            SyncRequest.self, from: request, context, upTo: maxBodyBytes)
        return try await engine.answer(message, from: caller, at: now())
            .withJSON { .json(bytes: $0) }
    }
}
