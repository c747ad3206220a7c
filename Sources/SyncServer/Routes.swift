import DefinitionModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Secrets
import SyncEngine
import SyncProtocol

/// Who answers which request. Each answer is: read the message, ask the engine, write the message.
struct Routes: Sendable {
    let engine: Engine
    let environmentName: String
    let passwords: PasswordGuard
    let maxBodyBytes: Int
    let maxBodySeconds: Int
    let now: @Sendable () -> Instant

    typealias Context = BasicRequestContext
    typealias Answer = @Sendable (Request, Context) async throws -> Response

    /// Path to method to answer. A method that is not here is refused with those that are.
    var table: [(path: RouterPath, answers: [HTTPRequest.Method: Answer])] {
        [
            ("health", [.get: health]),
            ("v1/:environment/session", [.post: signIn, .delete: signOut]),
            ("v1/:environment/sync", [.post: sync]),
        ]
    }

    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.add(middleware: RequestLog())
        router.add(middleware: ErrorShape())
        for (path, answers) in table {
            for (method, answer) in answers { router.on(path, method: method, use: answer) }
            let allowed = answers.keys.map(\.rawValue).sorted()
            for method in Self.methods where answers[method] == nil {
                router.on(path, method: method) { _, _ -> Response in
                    throw HTTPFailure.methodNotAllowed(method.rawValue, allowed: allowed)
                }
            }
        }
        return router
    }

    /// Without a token nobody may send more.
    private static let maxSignInBytes = 8 << 10

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}

// MARK: - Answers

extension Routes {
    @Sendable private func health(_ request: Request, _ context: Context) async throws -> Response {
        try await engine.checkHealth()
        return try .json(
            HealthMessage(
                status: "ok", environment: environmentName,
                digest: engine.rules.definition.digest))
    }

    @Sendable private func signIn(_ request: Request, _ context: Context) async throws -> Response {
        try checkEnvironment(context)
        let message = try await decode(
            SessionRequest.self, from: request, upTo: Self.maxSignInBytes)
        try passwords.enter()
        defer { passwords.leave() }
        let text = BearerToken.make()
        let response = try await engine.signIn(
            message, token: NewToken(text: text, hash: BearerToken.hash(text)), at: now()
        ) { password, hash in
            await passwords.matches(password, hash: hash)
        }
        return try .json(response, status: .created)
    }

    @Sendable private func signOut(
        _ request: Request, _ context: Context
    ) async throws -> Response {
        try checkEnvironment(context)
        let hash = try tokenHash(of: request)
        _ = try await engine.identify(tokenHash: hash, at: now())
        try await engine.signOut(tokenHash: hash)
        return Response(status: .noContent)
    }

    @Sendable private func sync(_ request: Request, _ context: Context) async throws -> Response {
        try checkEnvironment(context)
        let hash = try tokenHash(of: request)
        _ = try await engine.identify(tokenHash: hash, at: now())
        let message = try await decode(SyncRequest.self, from: request, upTo: maxBodyBytes)
        // Again, since a body may take its time: what holds is what they may do now.
        let caller = try await engine.identify(tokenHash: hash, at: now())
        return try .json(try await engine.sync(message, from: caller, at: now()))
    }

    private func checkEnvironment(_ context: Context) throws {
        let name = context.parameters.get("environment") ?? ""
        guard name == environmentName else {
            throw HTTPFailure.environmentUnknown(name, served: environmentName)
        }
    }

    private func tokenHash(of request: Request) throws -> [UInt8] {
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw HTTPFailure.tokenMissing()
        }
        return BearerToken.hash(String(words[1]))
    }

    private func decode<Message: Decodable>(
        _ type: Message.Type, from request: Request, upTo maxBytes: Int
    ) async throws -> Message {
        let body = try await body(of: request, upTo: maxBytes)
        do {
            return try decodeMessage(type, from: [UInt8](body.readableBytesView))
        } catch let error as DecodingError {
            throw HTTPFailure(error)
        }
    }

    /// Refused at once when the header tells that it is too large, and when it is not there in
    /// time: a client that lets a body drip would hold its connection for ever.
    private func body(of request: Request, upTo maxBytes: Int) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBytes {
            throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
        }
        let bytes = request.body
        return try await withThrowingTaskGroup(of: ByteBuffer.self) { group in
            group.addTask {
                do {
                    return try await bytes.collect(upTo: maxBytes)
                } catch is NIOTooManyBytesError {
                    throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
                } catch {
                    throw HTTPFailure.bodyBroken()
                }
            }
            group.addTask {
                try await Task.sleep(for: .seconds(maxBodySeconds))
                throw HTTPFailure.bodyTooSlow(seconds: maxBodySeconds)
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ByteBuffer()
        }
    }
}
