import ChangeRules
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// A wire that is made in a few lines: plain text, one record a line.
///
/// - `POST /toy/ENVIRONMENT/session` with `LOGIN PASSWORD` answers with a token.
/// - `PUT /toy/ENVIRONMENT/notes/GUID` stores the body as a note.
/// - `GET /toy/ENVIRONMENT/notes` lists all notes.
struct ToyWire: Wire {
    func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/toy/:environment") { failure, _ in
            WholeResponse(
                status: failure.status, headers: [:], body: Array(failure.sentence.utf8))
        }
        for (method, path, handler) in Self.table {
            routes.on(method, path) { request, context in
                let name = context.parameters.get("environment") ?? ""
                let environment = try await host.environment(named: name)
                return try await host.answer(request, context, in: environment, by: handler)
            }
        }
        return routes
    }

    private typealias Handler = @Sendable (Exchange) async throws -> Response

    private static let table: [(HTTPRequest.Method, String, Handler)] = [
        (.post, "session", signIn), (.put, "notes/:guid", store), (.get, "notes", list),
    ]

    @Sendable private static func signIn(_ exchange: Exchange) async throws -> Response {
        let body = try await exchange.wholeBody(upTo: 1024)
        let words = String(decoding: body, as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 2 else { throw HTTPError(.badRequest) }
        let credentials = Credentials(
            login: words[0], password: words[1], deviceCategory: "mobile", deviceIdentifier: "toy")
        let opened = try await exchange.host.passwords.signIn(
            credentials, to: exchange.environment.accounts, from: exchange.context.clientAddress)
        return .plain(opened.token.text)
    }

    @Sendable private static func store(_ exchange: Exchange) async throws -> Response {
        let text = try await exchange.wholeBody(upTo: 1024)
        let guid = exchange.context.parameters.get("guid") ?? ""
        let change = Change(
            id: guid, action: .create, model: "Note", guid: guid, baseRevision: nil,
            fields: ["text": .value(.text(String(decoding: text, as: UTF8.self)))])
        let answer = try await sync(PushPull(changes: [change]), exchange)
        return .plain(answer.outcomes.map(\.kind.rawValue).joined())
    }

    @Sendable private static func list(_ exchange: Exchange) async throws -> Response {
        let answer = try await sync(PushPull(), exchange)
        var writer = JSONWriter()
        try answer.records.write(by: Lines(), to: &writer)
        return .plain(writer.text)
    }

    private static func sync(_ call: PushPull, _ exchange: Exchange) async throws -> SyncAnswer {
        let hash = BearerToken.hash(exchange.request.headers[.authorization] ?? "")
        let user = try await exchange.engine.identify(tokenHash: hash, at: exchange.now)
        return try await exchange.engine.sync(call, encoder: Lines(), from: user, at: exchange.now)
    }
}

/// Encodes one line per record.
private struct Lines: RecordEncoder {
    let name = "toy"

    func write(_ records: ShownRecords, to writer: inout JSONWriter) throws(StoreError) {
        let texts = try records.views().map { $0.fields?["text"]?.text ?? "" }
        writer.piece(written: texts.joined(separator: "\n"))
    }
}

extension Response {
    fileprivate static func plain(_ text: String) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
