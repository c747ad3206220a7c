import Foundation
import JSON
import SyncProtocol
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A response of the server.
struct Answer: Sendable {
    let status: Int
    let headers: [String: String]
    let body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// The headers that are the same whenever the same is answered. `Connection` is not among
    /// them: the server closes the connection if it answers before the body has arrived.
    var lastingHeaders: [String: String] {
        headers.filter { !["connection", "date", "x-request-id"].contains($0.key.lowercased()) }
    }

    func message<Message: Decodable>(as type: Message.Type) throws -> Message {
        try JSONDecoder().decode(type, from: body)
    }

    /// The message of an error response.
    func error() throws -> ErrorMessage {
        let members = try JSONSerialization.jsonObject(with: body) as? [String: Any]
        #expect(members?.keys.sorted() == ["code", "details", "help", "message"], "\(text)")
        #expect(header("Content-Type") == "application/json; charset=utf-8")
        let message = try message(as: ErrorMessage.self)
        #expect(!message.message.isEmpty && !message.help.isEmpty && !message.code.isEmpty)
        return message
    }
}

private let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.timeoutIntervalForRequest = TimeInterval(Program.deadlineSeconds)
    return URLSession(configuration: configuration)
}()

extension RunningServer {
    /// Sends a request. Each status must be one that the OpenAPI document of the operation names.
    func request(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(path)") else {
            throw Unexpected("'\(path)' is no path")
        }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        request.allHTTPHeaderFields = ["Content-Type": "application/json"]
            .merging(headers) { $1 }
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse else {
            throw Unexpected("no answer in HTTP")
        }
        let fields = response.allHeaderFields.map { ("\($0.key)", "\($0.value)") }
        let answer = Answer(
            status: response.statusCode,
            headers: Dictionary(fields, uniquingKeysWith: { first, _ in first }), body: data)
        answer.checkIsDocumented(method, path)
        return answer
    }

    /// Sends a sign-in. Without `password`, uses the right one.
    func askToSignIn(
        _ login: String, password: String? = nil, on deviceCategory: String = "mobile",
        device: String = "phone", to environment: String = "test"
    ) async throws -> Answer {
        let message = SessionRequest(
            login: login, password: password ?? PreparedDatabase.password(of: login),
            deviceCategory: deviceCategory, deviceIdentifier: device)
        return try await request(
            "POST", "/v1/\(environment)/session", body: try JSONEncoder().encode(message))
    }

    func signIn(
        _ login: String, password: String? = nil, on deviceCategory: String = "mobile",
        device: String = "phone", to environment: String = "test"
    ) async throws -> SessionResponse {
        let answer = try await askToSignIn(
            login, password: password, on: deviceCategory, device: device, to: environment)
        guard answer.status == 201 else { throw Unexpected(answer.text) }
        return try answer.message(as: SessionResponse.self)
    }

    /// A user who was signed in when the site was prepared.
    func client(_ login: String, on deviceCategory: String = "mobile") throws -> Client {
        let session = site.sessions.first {
            $0.key.login == login && $0.key.deviceCategory == deviceCategory
        }
        guard let session else { throw Unexpected("nobody prepared a session of '\(login)'") }
        return Client(server: self, token: session.value)
    }
}

/// A signed-in user on a device.
struct Client: Sendable {
    let server: RunningServer
    let token: String
    var environment = "test"
    /// The fingerprint of the definition that the client was built with; nil if it names none.
    var version: String?

    func of(version: String) -> Client {
        var client = self
        client.version = version
        return client
    }

    /// The headers of every request.
    var headers: [String: String] {
        var headers = ["Authorization": "Bearer \(token)"]
        headers["Waggle-Definition"] = version
        return headers
    }

    /// Sends a sync with an arbitrary body.
    func ask(_ body: Data, headers: [String: String] = [:]) async throws -> Answer {
        try await server.request(
            "POST", "/v1/\(environment)/sync", body: body,
            headers: self.headers.merging(headers) { $1 })
    }

    func ask(_ request: SyncRequest) async throws -> Answer {
        try await ask(try JSONEncoder().encode(request))
    }

    /// Repeats the request while the database is busy or unavailable.
    func askPatiently(_ request: SyncRequest) async throws -> Answer {
        var answer = try await ask(request)
        while answer.status == 503 { answer = try await ask(request) }
        return answer
    }

    /// Sends a sync that must succeed.
    func sync(
        _ changes: [ChangeMessage] = [], cursor: String? = nil, limit: Int? = nil,
        acknowledged: [String] = []
    ) async throws -> SyncResponse {
        let answer = try await ask(
            SyncRequest(
                cursor: cursor, limit: limit, changes: changes, acknowledged: acknowledged))
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return try answer.message(as: SyncResponse.self)
    }

    /// Pushes one change. `cursor` is needed for models with relations that analyze conflicts.
    @discardableResult
    func push(_ change: ChangeMessage, seen cursor: String? = nil) async throws -> OutcomeMessage {
        try #require(try await sync([change], cursor: cursor).outcomes.first)
    }

    /// The cursor after pulling everything.
    func everythingSeen() async throws -> String {
        var page = try await sync(limit: 1000)
        while page.more { page = try await sync(cursor: page.cursor, limit: 1000) }
        return page.cursor
    }

    /// All records that the user may see, collected from all pages.
    func records() async throws -> [RecordMessage] {
        var records: [RecordMessage] = []
        var page = try await sync(limit: 1000)
        records += page.records
        while page.more {
            page = try await sync(cursor: page.cursor, limit: 1000)
            records += page.records
        }
        return records
    }

    /// The history of a record, latest first.
    func history(of guid: String, in model: String) async throws -> [HistoryMessage] {
        let answer = try await server.request(
            "GET", "/v1/\(environment)/records/\(model)/\(guid)/history", headers: headers)
        return try answer.message(as: HistoryResponse.self).entries
    }

    func record(_ guid: String) async throws -> RecordMessage {
        let record = try await records().first { $0.guid == guid }
        return try #require(record, "the record is not there")
    }
}

/// A new guid or change id.
func fresh() -> String { UUID().uuidString.lowercased() }

extension ChangeMessage {
    static func create(
        _ guid: String, of model: String, _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        ChangeMessage(id: fresh(), action: .create, model: model, guid: guid, fields: fields)
    }

    static func update(
        _ guid: String, of model: String, from base: Int64?, _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        ChangeMessage(
            id: fresh(), action: .update, model: model, guid: guid, base: base, fields: fields)
    }

    static func delete(_ guid: String, of model: String, from base: Int64?) -> ChangeMessage {
        ChangeMessage(id: fresh(), action: .delete, model: model, guid: guid, base: base)
    }

    static func resolve(
        _ guid: String, of model: String, from base: Int64?, _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        ChangeMessage(
            id: fresh(), action: .resolve, model: model, guid: guid, base: base, fields: fields)
    }
}
