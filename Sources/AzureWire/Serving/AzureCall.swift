import ChangeRules
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import OpenIDConnect
import RecordSearch
import SyncEngine
import SyncServer

/// A request of a client, with what it tells of the client.
struct AzureCall: Sendable {
    let exchange: Exchange
    /// In the words of the client.
    let engine: WordedEngine
    let traits: ClientTraits
    let parameters: URLParameters
    let clients: ForeignClients
    let providers: SignInProviders

    var dialect: ClientGeneration { traits.dialect }

    private static let maxIdentifierBytes = 128

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { exchange.request.headers[$0] }
    }

    /// The installation of all clients that send none.
    static let commonInstallation = "azure"

    /// The identifier of the installation; one for all clients that send none.
    var installation: String {
        let id = header("X-ZUMO-INSTALLATION-ID") ?? ""
        let isLegal =
            (1...Self.maxIdentifierBytes).contains(id.utf8.count)
            && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isLegal ? id : Self.commonInstallation
    }

    /// The token of the session; nil if there is none.
    var token: String? {
        if let token = header("X-ZUMO-AUTH"), !token.isEmpty { return token }
        let words = (exchange.request.headers[.authorization] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }

    func caller() async throws -> Caller {
        // Clients of the first generation with the master key had every right.
        if header("X-ZUMO-MASTER") != nil, token == nil {
            throw AzureRefusal(.unauthorized, "The master key is no right here.")
        }
        guard token != nil || clients.guest != nil else {
            throw AzureRefusal(.unauthorized, Self.signInFirst)
        }
        if token == nil { try checkApplicationKey() }
        return try await exchange.foreignCaller(
            token: token, key: header("X-ZUMO-APPLICATION"), device: installation, of: clients,
            wire: "azure", speaking: engine)
    }

    func table() throws -> Table {
        let name = try exchange.parameter("table")
        guard let table = Table(named: name, in: engine.definition, for: dialect) else {
            throw AzureRefusal(.notFound, "Table '\(name)' does not exist.")
        }
        return table
    }

    /// The URL of a path of this server, as the client knows the server.
    func wholeURL(of path: String) -> String {
        (providers.publicAddress ?? exchange.address) + path
    }

    /// The row in the body, and the body.
    func sentRow(of table: Table) async throws -> (edit: RowEdit, body: [UInt8]) {
        let body = try await exchange.wholeBody(upTo: exchange.host.bodies.maxBytes)
        let dialect = dialect
        let edit = try await exchange.host.work.compute(ofBody: body.count, on: exchange.context) {
            () throws -> RowEdit? in
            guard case .object(let members)? = try? parseJSON(body) else { return nil }
            return try RowEdit(members, of: table, dialect)
        }
        guard let edit else {
            throw AzureRefusal(.badRequest, "The body must be a JSON object.")
        }
        return (edit, body)
    }

    /// The shape of the row in the answer to a change.
    func shape(of table: Table) throws -> RowShape {
        let asked = try TableQuestion(parameters, dialect).properties
        return RowShape(table, dialect, properties: asked, omitsNull: traits.omitsDefaults)
    }

    /// A row, deleted or not; nil if there is none, or none that the caller may see.
    func row(_ id: String, of table: Table, for caller: Caller) async throws -> FoundView? {
        var query = FindQuery(
            filter: .compare(.eq, operand: "$id", with: .value(.string(id))), limit: 1)
        query.includesDeleted = true
        query.includesNames = true
        return try await engine.find(query, of: table.model.name, for: caller).found.first
    }
}

// MARK: - Answers

extension AzureCall {
    func answer(
        _ row: FoundView, of table: Table, _ shape: RowShape, status: HTTPResponse.Status = .ok,
        for caller: Caller
    ) async throws -> Response {
        var shape = shape
        shape.ids = try await relatedIDs(of: [row], in: table, for: caller)
        var response = try await exchange.compute(
            ofBody: row.approximateBytes, for: caller
        ) { [shape] in
            Response.row(bytes: try shape.bytes(of: row), status: status)
        }
        response.headers[.eTag] = RowVersion(row.record.revision).tag
        return response
    }
}

extension HTTPFields {
    /// Clients may not cache answers, since they look different to others. A proxy that compressed
    /// one would make its `ETag` weak, which clients copy into their rows.
    fileprivate static let emptyAnswer: HTTPFields = {
        var headers: HTTPFields = [.cacheControl: "no-cache, no-transform"]
        if let name = HTTPField.Name("x-zumo-server-version") { headers[name] = "waggle" }
        return headers
    }()

    /// The headers of JSON.
    static func row(type: String = "application/json") -> HTTPFields {
        var headers = emptyAnswer
        headers[.contentType] = "\(type); charset=utf-8"
        headers[.xContentTypeOptions] = "nosniff"
        return headers
    }
}

extension Response {
    /// An answer without a body, and so without its type. With 204, it has no length either.
    static func empty(_ status: HTTPResponse.Status = .noContent) -> Response {
        Response(status: status, headers: .emptyAnswer)
    }

    /// JSON.
    static func row(
        bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: .row(),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    static func object(
        _ members: [String: JSONValue], status: HTTPResponse.Status = .ok
    ) -> Response {
        .row(bytes: Array(JSONValue.object(members).text.utf8), status: status)
    }
}
