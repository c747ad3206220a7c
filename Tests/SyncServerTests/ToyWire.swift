import HTTPTypes
import Hummingbird
import NIOCore
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer

/// A wire that is made in a few lines: plain text, one record a line.
///
/// - `POST /toy/ENVIRONMENT/session` with `LOGIN PASSWORD` answers with a token.
/// - `PUT /toy/ENVIRONMENT/notes/GUID` stores the body as a note.
/// - `GET /toy/ENVIRONMENT/notes` lists all notes.
struct ToyWire: Wire {
    func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/toy/:environment", errors: PlainErrors())
        for (method, path, answer) in Self.table {
            routes.on(method, path) { request, context in
                let name = context.parameters.get("environment") ?? ""
                let environment = try await host.environment(named: name)
                return try await host.answer(request, context, in: environment, by: answer)
            }
        }
        return routes
    }

    private typealias Answer = @Sendable (Exchange) async throws -> Response

    private static let table: [(HTTPRequest.Method, String, Answer)] = [
        (.post, "session", signIn), (.put, "notes/:guid", store), (.get, "notes", list),
    ]

    @Sendable private static func signIn(_ exchange: Exchange) async throws -> Response {
        let body = try await exchange.wholeBody(upTo: 1024)
        let words = String(decoding: body, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 2 else { throw HTTPError(.badRequest) }
        let opened = try await exchange.host.passwords.signIn(
            SessionRequest(
                login: words[0], password: words[1], deviceCategory: "mobile",
                deviceIdentifier: "toy"),
            to: exchange.engine, at: exchange.now)
        return .plain(opened.response.token)
    }

    @Sendable private static func store(_ exchange: Exchange) async throws -> Response {
        let text = try await exchange.wholeBody(upTo: 1024)
        let guid = exchange.context.parameters.get("guid") ?? ""
        let change = ChangeMessage(
            id: guid, action: .create, model: "Note", guid: guid,
            fields: ["text": .string(String(decoding: text, as: UTF8.self))])
        let answer = try await exchange.engine.sync(
            SyncRequest(changes: [change]), from: try await caller(exchange), at: exchange.now)
        return .plain(answer.outcomes.map(\.outcome.rawValue).joined())
    }

    @Sendable private static func list(_ exchange: Exchange) async throws -> Response {
        let answer = try await exchange.engine.sync(
            SyncRequest(), from: try await caller(exchange), at: exchange.now)
        return .plain(
            answer.records.map { record in
                guard case .string(let text)? = record.fields?["text"] else { return "" }
                return text
            }.sorted().joined(separator: "\n"))
    }

    private static func caller(_ exchange: Exchange) async throws -> Caller {
        let token = exchange.request.headers[.authorization] ?? ""
        return try await exchange.engine.identify(
            tokenHash: BearerToken.hash(token), at: exchange.now)
    }
}

extension Response {
    fileprivate static func plain(
        _ text: String, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

/// Errors are text too.
private struct PlainErrors: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            let failure = HTTPFailure(error, request: request)
            return .plain(failure.message.message, status: failure.status)
        }
    }
}
