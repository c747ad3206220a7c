import Administration
import Foundation
import JSON
import Testing

/// The headers by which the administration knows its caller.
struct AdminCredentials: Sendable {
    var headers: [String: String] = [:]

    static let nobody = AdminCredentials()

    static func token(_ text: String) -> AdminCredentials {
        AdminCredentials(headers: ["Authorization": "Bearer \(text)"])
    }

    static func cookie(_ text: String) -> AdminCredentials {
        AdminCredentials(headers: ["Cookie": text])
    }

    func with(_ name: String, _ value: String) -> AdminCredentials {
        AdminCredentials(headers: headers.merging([name: value]) { $1 })
    }
}

extension RunningServer {
    /// Calls `/admin/v1/PATH`.
    func admin(
        _ method: String, _ path: String, _ body: String? = nil, as caller: AdminCredentials
    ) async throws -> Answer {
        try await request(
            method, "/admin/v1/\(path)", body: body.map { Data($0.utf8) }, headers: caller.headers)
    }

    /// Adds an operator by the tool, and signs in.
    func operatorSession(_ name: String, _ scope: String) async throws -> AdminCredentials {
        let added = try await site.waggle(
            "operator", "add", name, "--scope", scope, "--password-stdin",
            input: "password of \(name)\n")
        guard added.exitCode == 0 else { throw Unexpected(added.errors) }
        return try await adminSession(name)
    }

    func adminSession(_ name: String) async throws -> AdminCredentials {
        let answer = try await admin(
            "POST", "session", #"{"name":"\#(name)","password":"password of \#(name)"}"#,
            as: .nobody)
        guard answer.status == 201, let cookie = answer.header("Set-Cookie") else {
            throw try refusal(answer)
        }
        return .cookie(String(cookie.prefix { $0 != ";" }))
    }

    /// Makes a token; returns its secret and its number.
    func adminToken(
        _ scope: String, for environment: String? = nil, as caller: AdminCredentials
    ) async throws -> (secret: AdminCredentials, number: Int64) {
        let place = environment.map { "\"\($0)\"" } ?? "null"
        let answer = try await admin(
            "POST", "tokens",
            #"{"name":"ci","scope":"\#(scope)","environment":\#(place),"days":1}"#, as: caller)
        guard answer.status == 201, case .object(let members) = try answer.json(),
            case .string(let secret) = members["token"],
            case .integer(let number) = members["number"]
        else { throw try refusal(answer) }
        return (.token(secret), number)
    }
}

extension Answer {
    func json() throws -> JSONValue { try parseJSON(Array(body)) }

    /// The member of an object; nil if there is none.
    func member(_ name: String) throws -> JSONValue? {
        guard case .object(let members) = try json() else { return nil }
        return members[name]
    }
}
