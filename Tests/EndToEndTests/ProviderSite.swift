import Foundation
import HTTPCalls
import JSON
import ProviderKit
import Secrets

/// A server whose users sign in with a provider of the test.
struct ProviderSite: Sendable {
    static let redirect = "com.example.app:/done"
    /// One for all sites, because making an RSA key is slow.
    private static let usualKey = SigningPair(.rsa, name: "one")

    let provider: TestProvider
    let key: SigningPair
    let server: RunningServer
    private let browser = HTTPCaller(
        HTTPLimits(answers: .whole(maxBytes: 1 << 20), idleSeconds: 30, calls: 4))

    /// `members` are added to the description of the provider.
    init(
        _ members: [String: JSONValue] = [:], key: SigningPair? = nil,
        processes: Int = Backend.servers, arguments: [String] = []
    ) async throws {
        self.key = key ?? Self.usualKey
        provider = try TestProvider(keys: [self.key])
        let site = try await Site(prepared: "Conflicts")
        let secret = try site.folder.write(TestProvider.secret + "\n", to: "secret")
        let own: [String: JSONValue] = [
            "name": "company", "issuer": .string(provider.issuer),
            "clientId": .string(TestProvider.clientID), "clientSecretFile": .string(secret),
            "redirects": .array([.string(Self.redirect)]), "newUsers": .boolean(true),
            "group": "users",
        ]
        let file = JSONValue.object([
            "providers": .array([.object(own.merging(members) { $1 })])
        ])
        let path = try site.folder.write(file.text, to: "providers.json")
        server = try await RunningServer(
            site: site, processes: processes,
            arguments: [
                "--sign-in-providers", path, "--public-address", "http://127.0.0.1:1",
            ] + arguments)
    }

    // MARK: Browsers

    /// Asks without following redirects. An absolute address is that of the server for browsers.
    ///
    /// - Parameter site: The relation of the page that caused the request, as browsers tell it.
    func visit(
        _ address: String, cookie: String? = nil, site: String? = nil
    ) async throws -> HTTPAnswer {
        let path = address.replacing("http://127.0.0.1:1/", with: "/")
        var headers: [String: String] = [:]
        headers["Cookie"] = cookie
        headers["Sec-Fetch-Site"] = site
        return try await browser.call(
            HTTPCall("GET", "http://127.0.0.1:\(server.port)\(path)", headers: headers))
    }

    /// Begins a sign-in, and returns the address of the provider and the cookie.
    func begin(
        verifier: String, state: String? = nil, cookie: String? = nil
    ) async throws -> (address: String, cookie: String) {
        let challenge = URLSafeBase64.text(of: BearerToken.hash(verifier))
        let answer = try await visit(
            "/v1/test/sign-in?provider=company&redirect=\(Self.redirect)&challenge=\(challenge)"
                + (state.map { "&state=\($0)" } ?? ""), cookie: cookie)
        guard answer.status == 303, let address = answer.headers["location"],
            let cookie = answer.headers["set-cookie"]?.split(separator: ";").first
        else {
            throw Unexpected("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return (address, String(cookie))
    }

    /// Signs a person in in a browser, and returns the parameters that the app gets.
    func signIn(
        _ claims: [String: JSONValue], verifier: String, state: String? = nil
    ) async throws -> [String: String] {
        let (address, cookie) = try await begin(verifier: verifier, state: state)
        return try await parameters(of: try provider.allow(address, claims), cookie: cookie)
    }

    /// Follows a browser from the address that an app opens to that with which it returns to the
    /// app.
    func returned(from address: URL, _ claims: [String: JSONValue]) async throws -> URL {
        let opened = try await visit("\(address.path())?\(address.query() ?? "")")
        guard opened.status == 303, var location = opened.headers["location"] else {
            throw Unexpected("\(opened.status) \(String(decoding: opened.body, as: UTF8.self))")
        }
        if location.hasPrefix(provider.issuer) {
            let cookie = opened.headers["set-cookie"]?.split(separator: ";").first
            let back = try await visit(
                try provider.allow(location, claims), cookie: cookie.map(String.init))
            location = back.headers["location"] ?? ""
        }
        guard let end = URL(string: location) else { throw Unexpected(location) }
        return end
    }

    /// The parameters that the app gets after a return from the provider.
    func parameters(of address: String, cookie: String?) async throws -> [String: String] {
        let answer = try await visit(address, cookie: cookie)
        guard answer.status == 303, let location = answer.headers["location"],
            location.hasPrefix(Self.redirect + "?")
        else {
            throw Unexpected("\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        let items = URLComponents(string: location)?.queryItems ?? []
        return Dictionary(
            items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Apps

    func open(_ members: [String: JSONValue], device: String = "phone") async throws -> Answer {
        let own: [String: JSONValue] = [
            "deviceCategory": "mobile", "deviceIdentifier": .string(device),
        ]
        return try await server.request(
            "POST", "/v1/test/session",
            body: Data(JSONValue.object(own.merging(members) { $1 }).text.utf8))
    }

    func open(
        idToken: String, nonce: String? = nil, device: String = "phone"
    ) async throws -> Answer {
        var members: [String: JSONValue] = [
            "provider": "company", "idToken": .string(idToken),
        ]
        if let nonce { members["nonce"] = .string(nonce) }
        return try await open(members, device: device)
    }

    func open(code: String, verifier: String) async throws -> Answer {
        try await open(["code": .string(code), "verifier": .string(verifier)])
    }
}
