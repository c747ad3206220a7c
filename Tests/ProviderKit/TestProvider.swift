import Foundation
package import JSON
import Secrets
import Synchronization
package import TestKit

/// A small provider of OpenID Connect, which signs real tokens.
package final class TestProvider: Sendable {
    private let server: ScriptedServer
    private let desk: ProviderDesk

    package static let clientID = "waggle"
    package static let secret = "canary of the client"

    package init(keys: [SigningPair]) throws {
        let desk = ProviderDesk(keys: keys)
        server = try ScriptedServer { desk.reply(to: $0) }
        self.desk = desk
        desk.state.withLock { [port = server.port] in $0.issuer = "http://127.0.0.1:\(port)" }
    }

    package var issuer: String { desk.state.withLock { $0.issuer } }

    /// The paths that were asked for, in order.
    package var requests: [String] { desk.state.withLock { $0.requests } }

    /// The bodies and credentials of requests for tokens.
    package var tokenRequests: [String] { desk.state.withLock { $0.tokenRequests } }

    package func publish(_ keys: [SigningPair]) { desk.state.withLock { $0.keys = keys } }

    /// Answers a path in another way from now on; nil as before.
    package func answer(_ path: String, _ reply: ScriptedServer.Reply?) {
        desk.state.withLock { $0.answers[path] = reply }
    }

    /// Adds members to the description, or replaces them.
    package func describe(_ members: [String: JSONValue]) {
        desk.state.withLock { $0.description = members }
    }

    /// The claims of a person, now.
    package func claims(
        _ login: String, subject: String? = nil, _ others: [String: JSONValue] = [:]
    ) -> [String: JSONValue] {
        let now = Int64(Date().timeIntervalSince1970)
        let own: [String: JSONValue] = [
            "iss": .string(issuer), "aud": .string(Self.clientID), "iat": .integer(now),
            "sub": .string(subject ?? "subject of \(login)"), "exp": .integer(now + 300),
            "email": .string(login), "email_verified": .boolean(true),
        ]
        return own.merging(others) { $1 }
    }

    /// Lets a person sign in at the address to which a browser was sent, and returns the address to
    /// which the browser goes back. The ID token will have these claims and the nonce.
    package func allow(_ address: String, _ claims: [String: JSONValue]) throws -> String {
        let items = URLComponents(string: address)?.queryItems ?? []
        let query = Dictionary(
            items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        guard address.hasPrefix(issuer + "/authorize?"), query["response_type"] == "code",
            query["client_id"] == Self.clientID, query["code_challenge_method"] == "S256",
            query["scope"]?.split(separator: " ").contains("openid") == true,
            let redirect = query["redirect_uri"], let state = query["state"],
            let challenge = query["code_challenge"], let nonce = query["nonce"]
        else { throw ProviderSurprise(text: address) }
        let code = BearerToken.make()
        desk.state.withLock {
            $0.grants[code] = ProviderGrant(
                redirect: redirect, challenge: challenge,
                claims: ["nonce": .string(nonce)].merging(claims) { $1 })
        }
        let sealed = state.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        return "\(redirect)?code=\(code)&state=\(sealed)"
    }
}

package struct ProviderSurprise: Error {
    package let text: String
}

/// A sign-in that a person has allowed.
private struct ProviderGrant {
    let redirect: String
    let challenge: String
    let claims: [String: JSONValue]
}

private final class ProviderDesk: Sendable {
    struct State {
        var issuer = ""
        var keys: [SigningPair]
        var grants: [String: ProviderGrant] = [:]
        var requests: [String] = []
        var tokenRequests: [String] = []
        var answers: [String: ScriptedServer.Reply] = [:]
        var description: [String: JSONValue] = [:]
    }

    let state: Mutex<State>

    init(keys: [SigningPair]) { state = Mutex(State(keys: keys)) }

    func reply(to request: ScriptedServer.Request) -> ScriptedServer.Reply {
        state.withLock { state in
            state.requests.append(request.path)
            if let reply = state.answers[request.path] { return reply }
            switch request.path {
            case "/.well-known/openid-configuration": return json(description(state))
            case "/keys": return json(.object(["keys": .array(state.keys.map(\.jwk))]))
            case "/token": return token(for: request, &state)
            case _: return .bytes(ScriptedServer.answer("404 Not Found"))
            }
        }
    }

    private func description(_ state: State) -> JSONValue {
        let own: [String: JSONValue] = [
            "issuer": .string(state.issuer),
            "authorization_endpoint": .string(state.issuer + "/authorize"),
            "token_endpoint": .string(state.issuer + "/token"),
            "jwks_uri": .string(state.issuer + "/keys"),
        ]
        return .object(own.merging(state.description) { $1 })
    }

    /// A code is good once, for the redirect and the verifier of its sign-in.
    private func token(
        for request: ScriptedServer.Request, _ state: inout State
    ) -> ScriptedServer.Reply {
        let body = String(decoding: request.body, as: UTF8.self)
        state.tokenRequests.append(request.headers + body)
        let items = URLComponents(string: "?" + body)?.queryItems ?? []
        let form = Dictionary(
            items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
        let challenge = URLSafeBase64.text(of: BearerToken.hash(form["code_verifier"] ?? ""))
        guard form["grant_type"] == "authorization_code", isClient(request, form),
            let grant = state.grants.removeValue(forKey: form["code"] ?? ""),
            grant.redirect == form["redirect_uri"], grant.challenge == challenge,
            let key = state.keys.first
        else {
            return .bytes(
                ScriptedServer.answer("400 Bad Request", body: #"{"error":"invalid_grant"}"#))
        }
        return json(
            .object([
                "access_token": "canary of access", "token_type": "Bearer",
                "id_token": .string(key.token(grant.claims)),
            ]))
    }

    private func isClient(_ request: ScriptedServer.Request, _ form: [String: String]) -> Bool {
        if form["client_secret"] != nil {
            return form["client_secret"] == TestProvider.secret
                && form["client_id"] == TestProvider.clientID
        }
        let secret = TestProvider.secret.replacing(" ", with: "%20")
        let pair = Data("\(TestProvider.clientID):\(secret)".utf8).base64EncodedString()
        return request.headers.contains("Authorization: Basic \(pair)")
    }

    private func json(_ value: JSONValue) -> ScriptedServer.Reply {
        .bytes(
            ScriptedServer.answer(
                "200 OK", headers: ["Content-Type: application/json"], body: value.text))
    }
}
