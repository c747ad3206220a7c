import Foundation
import JSON
import Testing

/// A client of Parse, which sends requests as the original ones do.
struct ParseClient: Sendable {
    /// How it sends keys and methods.
    enum Manner: CaseIterable, Sendable {
        /// Keys in headers.
        case headers
        /// As the client for JavaScript: everything in the body of a POST.
        case body
        /// As the clients for iOS and Android: keys in headers, GET and DELETE as POST.
        case mixed
    }

    let server: RunningServer
    var manner = Manner.headers
    var application = "test"
    var prefix = "/parse"
    var installation = "8a4ad6a4-5e34-4f5a-9c0a-5e2f0a0b0c0d"
    var version = "swift6.1.0"
    var token: String?
    var userID = ""
    /// The key of the app.
    var key: String?

    init(_ server: RunningServer, manner: Manner = .headers) {
        self.server = server
        self.manner = manner
    }

    /// Signs in a user of a prepared site.
    static func signedIn(
        _ login: String, to server: RunningServer, manner: Manner = .headers,
        installation: String? = nil
    ) async throws -> ParseClient {
        var client = ParseClient(server, manner: manner)
        if let installation { client.installation = installation }
        let password = PreparedDatabase.password(of: login)
        let user = try await client.get(
            "POST", "/login", ["username": .string(login), "password": .string(password)])
        client.token = try #require(user["sessionToken"]?.string)
        client.userID = try #require(user["objectId"]?.string)
        return client
    }

    func ask(
        _ method: String, _ path: String, _ members: [String: JSONValue] = [:],
        requestID: String? = nil, headers more: [String: String] = [:]
    ) async throws -> Answer {
        let isQuery = method == "GET" || method == "DELETE"
        var headers = more
        if manner != .body {
            headers["X-Parse-Application-Id"] = application
            headers["X-Parse-Client-Version"] = version
            headers["X-Parse-Installation-Id"] = installation
            headers["X-Parse-Session-Token"] = token
            headers["X-Parse-REST-API-Key"] = key
        }
        headers["X-Parse-Request-Id"] = requestID
        switch manner {
        case .headers where isQuery:
            return try await server.request(
                method, prefix + path + query(members), headers: headers)
        case .headers:
            return try await server.request(
                method, prefix + path, body: body(members), headers: headers)
        case .mixed:
            let own: [String: JSONValue] = isQuery ? ["_method": .string(method)] : [:]
            return try await server.request(
                isQuery ? "POST" : method, prefix + path, body: body(members.merging(own) { $1 }),
                headers: headers)
        case .body:
            headers["Content-Type"] = "text/plain"
            var own: [String: JSONValue] = [
                "_ApplicationId": .string(application), "_ClientVersion": "js7.0.1",
                "_InstallationId": .string(installation),
            ]
            if let token { own["_SessionToken"] = .string(token) }
            if method != "POST" { own["_method"] = .string(method) }
            return try await server.request(
                "POST", prefix + path, body: body(members.merging(own) { $1 }), headers: headers)
        }
    }

    /// Sends a request that must succeed.
    func get(
        _ method: String, _ path: String, _ members: [String: JSONValue] = [:],
        requestID: String? = nil
    ) async throws -> [String: JSONValue] {
        let answer = try await ask(method, path, members, requestID: requestID)
        guard answer.status < 300, case .object(let object) = try answer.json() else {
            throw try server.refusal(answer)
        }
        return object
    }

    /// The objects that are found.
    func find(
        _ className: String, _ members: [String: JSONValue] = [:]
    ) async throws -> [[String: JSONValue]] {
        let found = try await get("GET", "/classes/\(className)", members)
        guard case .array(let objects)? = found["results"] else { throw Unexpected("\(found)") }
        return objects.compactMap(\.members)
    }

    /// Creates an object and returns its id.
    func create(_ className: String, _ members: [String: JSONValue]) async throws -> String {
        let made = try await get("POST", "/classes/\(className)", members)
        return try #require(made["objectId"]?.string)
    }

    private func body(_ members: [String: JSONValue]) -> Data {
        Data(JSONValue.object(members).text.utf8)
    }

    private func query(_ members: [String: JSONValue]) -> String {
        let pairs = members.sorted { $0.key < $1.key }.map { name, value in
            let text = value.string ?? value.text
            let coded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            return "\(name)=\(coded)"
        }
        return pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))"
    }
}

extension Answer {
    /// The code of a refusal, which has a text too.
    func parseCode() throws -> Int64? {
        let members = try json().members ?? [:]
        #expect(members["error"]?.string?.isEmpty == false, "\(status) \(text)")
        guard case .integer(let code)? = members["code"] else { return nil }
        return code
    }
}

extension JSONValue {
    static func pointer(_ className: String, _ id: String) -> JSONValue {
        .object([
            "__type": "Pointer", "className": .string(className), "objectId": .string(id),
        ])
    }
}
