import Foundation
import JSON

/// A client of Azure Mobile, as far as its requests go: an installation of its own.
struct AzureClient: Sendable {
    let server: RunningServer
    var headers: [String: String]
    var prefix = ""

    /// - Parameter version: The value of `ZUMO-API-VERSION`; nil for the first generation.
    init(_ server: RunningServer, version: String? = "2.0.1", features: String? = nil) {
        self.server = server
        headers = ["X-ZUMO-INSTALLATION-ID": UUID().uuidString]
        headers["ZUMO-API-VERSION"] = version
        headers["X-ZUMO-FEATURES"] = features
    }

    static func datasync(_ server: RunningServer) -> AzureClient {
        var client = AzureClient(server, version: "3.0.0")
        client.headers["X-ZUMO-VERSION"] = "Datasync/5.0.0"
        return client
    }

    /// With an HTTP client of its own, it sends no header that tells of it.
    static func toolkit(_ server: RunningServer) -> AzureClient {
        var client = AzureClient(server)
        client.headers = [:]
        return client
    }

    func ask(
        _ method: String, _ path: String, _ row: [String: JSONValue]? = nil,
        query: [(String, String)] = [], headers more: [String: String] = [:]
    ) async throws -> Answer {
        let pairs = query.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
        let url = prefix + path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
        return try await server.request(
            method, url, body: row.map { Data(JSONValue.object($0).text.utf8) },
            headers: headers.merging(more) { $1 })
    }

    /// Sends a request that must succeed with a row.
    func row(
        _ method: String, _ path: String, _ row: [String: JSONValue]? = nil,
        headers more: [String: String] = [:]
    ) async throws -> [String: JSONValue] {
        let answer = try await ask(method, path, row, headers: more)
        guard (200...201).contains(answer.status) else { throw try server.refusal(answer) }
        return try answer.row()
    }

    func rows(
        _ path: String, _ query: [(String, String)] = []
    ) async throws
        -> [[String: JSONValue]]
    {
        let answer = try await ask("GET", path, query: query)
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return try answer.rows()
    }

    /// An update of a whole row, from the version that it has.
    func update(
        _ path: String, _ row: [String: JSONValue], features: String = "OL,OC"
    ) async throws -> Answer {
        guard let version = row["version"]?.string else { throw Unexpected("no version") }
        return try await ask(
            "PATCH", path, row,
            headers: ["If-Match": "\"\(version)\"", "X-ZUMO-FEATURES": features])
    }

    static func encoded(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

extension Answer {
    func row() throws -> [String: JSONValue] {
        guard case .object(let row) = try parseJSON(Array(body)) else { throw Unexpected(text) }
        return row
    }

    /// The rows of a list in either shape.
    func rows() throws -> [[String: JSONValue]] {
        var json = try parseJSON(Array(body))
        if case .object(let page) = json { json = page["items"] ?? page["results"] ?? .null }
        guard case .array(let rows) = json else { throw Unexpected(text) }
        return try rows.map { row in
            guard case .object(let row) = row else { throw Unexpected(text) }
            return row
        }
    }
}
