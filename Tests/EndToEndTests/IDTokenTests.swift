import Foundation
import Hashing
import JSON
import ProviderKit
import Secrets
import SyncProtocol
import TestKit
import Testing

/// Apps send an ID token that they have from a provider.
@Suite(.serialized, .timeLimit(.minutes(5))) struct IDTokenTests {
    private func code(_ answer: Answer) throws -> String {
        answer.status == 201 ? "opened" : try answer.error().code
    }

    @Test func tokenOpensSessionsOnOneDevice() async throws {
        let site = try await ProviderSite()
        let token = site.key.token(site.provider.claims("cleo", ["nonce": "n"]))
        #expect(try await code(site.open(idToken: token)) == "idTokenRefused")
        #expect(try await code(site.open(idToken: token, nonce: "m")) == "idTokenRefused")
        #expect(try await code(site.open(idToken: token, nonce: "n")) == "opened")
        #expect(try await code(site.open(idToken: token, nonce: "n")) == "opened")
        let stolen = try await site.open(idToken: token, nonce: "n", device: "tablet")
        #expect(try code(stolen) == "idTokenRefused" && stolen.text.contains("another device"))
        let others: [[String: JSONValue]] = [
            ["provider": "other", "idToken": .string(token)], ["idToken": .string(token)],
            ["provider": "company", "idToken": 1],
            ["provider": "company", "idToken": .string(token), "login": "a"],
        ]
        for (members, expected) in zip(
            others, ["providerUnknown", "wrongShape", "wrongShape", "wrongShape"])
        {
            #expect(try await code(site.open(members)) == expected)
        }
    }

    /// Every forgery of a good token, by its kind.
    private func forgeries(_ site: ProviderSite) -> [(String, String)] {
        let claims = site.provider.claims("a")
        let good = site.key.token(claims).split(separator: ".").map(String.init)
        let stranger = SigningPair(.rsa, name: "one")
        let curve = SigningPair(.p256, name: "one")
        let admin = unsigned(["alg": "RS256", "kid": "one"], site.provider.claims("b"))
            .split(separator: ".").map(String.init)
        func hmac(_ key: [UInt8]) -> String {
            let text = unsigned(["alg": "HS256", "kid": "one"], claims)
            let hash = HMACSHA256(key: key).hash(Array(text.utf8))
            return "\(text).\(URLSafeBase64.text(of: hash))"
        }
        let none = unsigned(["alg": "none"], claims)
        let modulus = site.key.jwk.text
        return [
            ("no algorithm", none + "."), ("no algorithm, signed", "\(none).\(good[2])"),
            ("algorithm in capitals", unsigned(["alg": "NONE", "kid": "one"], claims) + "."),
            ("HMAC by public key", hmac(site.key.publicBytes)),
            ("HMAC by published text", hmac(Array(modulus.utf8))), ("HMAC by nothing", hmac([])),
            ("signed by stranger", stranger.token(claims)),
            ("signed by another kind of key", curve.token(claims)),
            ("of another kind by name", curve.token(claims, header: ["alg": "RS256"])),
            ("key in the header", stranger.token(claims, header: ["jwk": stranger.jwk])),
            (
                "address of keys in the header",
                stranger.token(claims, header: ["jku": "https://evil"])
            ),
            ("unknown key", stranger.token(claims, header: ["kid": "two"])),
            ("no key named", stranger.token(claims, header: ["kid": .null])),
            ("other claims", "\(good[0]).\(admin[1]).\(good[2])"),
            ("other header", "\(admin[0])x.\(good[1]).\(good[2])"),
            ("no signature", "\(good[0]).\(good[1])."),
            ("two parts", "\(good[0]).\(good[1])"),
            ("four parts", good.joined(separator: ".") + ".x"),
            ("five parts of encryption", "\(good[0])....\(good[1])"),
            ("padding", good.joined(separator: ".") + "="),
            ("space", " " + good.joined(separator: ".")),
            ("critical header", site.key.token(claims, header: ["crit": .array(["exp"])])),
            ("text", "password"), ("nothing", ""),
        ]
    }

    @Test func everyForgeryIsRefused() async throws {
        let site = try await ProviderSite(["newUsers": .boolean(false)])
        let linked = try await site.server.site.waggle("user", "link", "a", "--provider", "company")
        #expect(linked.exitCode == 0, "\(linked.errors)")
        for (kind, token) in forgeries(site) {
            let answer = try await site.open(idToken: token)
            #expect(try answer.status == 401 && code(answer) == "idTokenRefused", "\(kind)")
        }
        let claims: [(String, [String: JSONValue])] = [
            ("issuer", ["iss": "https://evil.example"]), ("audience", ["aud": "other"]),
            ("audiences", ["aud": .array(["waggle", "other"])]), ("party", ["azp": "other"]),
            ("expired", ["exp": 1_700_000_000]), ("not issued yet", ["iat": 4_000_000_000]),
            ("not before", ["nbf": 4_000_000_000]), ("nonce", ["nonce": "n"]),
            ("nobody", ["sub": .null]), ("no login", ["email": .null]),
            ("unverified", ["email_verified": .boolean(false)]),
        ]
        for (kind, others) in claims {
            let token = site.key.token(site.provider.claims("a", others))
            #expect(try await code(site.open(idToken: token)) == "idTokenRefused", "\(kind)")
        }
        let good = site.key.token(site.provider.claims("a"))
        #expect(try await code(site.open(idToken: good)) == "opened")
    }

    /// A user with a password is not taken over, and neither is one of another person.
    @Test func loginOfSomebodyElseIsNotTakenOver() async throws {
        let site = try await ProviderSite()
        let a = try site.server.client("a")
        func open(_ login: String, _ subject: String) async throws -> String {
            let token = site.key.token(site.provider.claims(login, subject: subject))
            return try await code(site.open(idToken: token))
        }
        #expect(try await open("a", "1") == "loginTaken")
        #expect(try await a.ask(SyncRequest()).status == 200)
        #expect(try await site.server.askToSignIn("a").status == 201)
        #expect(try await open("cleo", "1") == "opened")
        #expect(try await open("cleo", "2") == "loginTaken")
        let none = try await site.server.askToSignIn("cleo", password: "")
        #expect(none.status == 401)
        let linked = try await site.server.site.waggle("user", "link", "a", "--provider", "company")
        #expect(linked.exitCode == 0)
        #expect(try await a.ask(SyncRequest()).status == 401)
        #expect(try await site.server.askToSignIn("a").status == 401)
        #expect(try await open("a", "3") == "opened")
        #expect(try await open("a", "1") == "loginTaken")
        let keeper = try await site.server.operatorSession("karl", "keeper")
        let back = try await site.server.admin(
            "PATCH", "environments/test/users/a", #"{"password":"a new secret"}"#, as: keeper)
        #expect(back.status == 204)
        #expect(try await open("a", "3") == "loginTaken")
        #expect(try await site.server.askToSignIn("a", password: "a new secret").status == 201)
    }

    /// Records outlive their owners, and belong to whoever has the login.
    @Test func loginOfRemovedUserIsNoNewUserAsLongAsRecordsAre() async throws {
        let site = try await ProviderSite()
        try await site.server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        for (login, expected) in [("a", "loginTaken"), ("b", "opened")] {
            let removed = try await site.server.site.waggle("user", "remove", login)
            #expect(removed.exitCode == 0, "\(removed.errors)")
            let token = site.key.token(site.provider.claims(login))
            #expect(try await code(site.open(idToken: token)) == expected)
        }
    }

    @Test func operatorsAddUsersOfProvider() async throws {
        let site = try await ProviderSite(["newUsers": .boolean(false)])
        let token = site.key.token(site.provider.claims("cleo"))
        #expect(try await code(site.open(idToken: token)) == "identityUnknown")
        let keeper = try await site.server.operatorSession("karl", "keeper")
        let path = "environments/test/users"
        let table = [
            (#"{"login":"cleo","group":"users"}"#, "proofMissing"),
            (#"{"login":"cleo","group":"users","provider":"a b"}"#, "providerIllegal"),
            (
                #"{"login":"cleo","group":"users","provider":"x","password":"a new secret"}"#,
                "providerIllegal"
            ),
        ]
        for (body, expected) in table {
            let answer = try await site.server.admin("POST", path, body, as: keeper)
            #expect(try answer.error().code == expected)
        }
        let other = #"{"login":"cleo","group":"users","provider":"other"}"#
        #expect(try await site.server.admin("POST", path, other, as: keeper).status == 201)
        #expect(try await code(site.open(idToken: token)) == "loginTaken")
        let change = #"{"provider":"company"}"#
        #expect(
            try await site.server.admin("PATCH", path + "/cleo", change, as: keeper).status == 204)
        let listed = try await site.server.admin("GET", path, as: keeper)
        let users = try listed.json().member("entries")?.elements ?? []
        let cleo = users.first { $0.member("login") == .string("cleo") }
        #expect(cleo?.member("provider")?.string == "company", "\(listed.text)")
        #expect(cleo?.member("hasPassword") == .boolean(false))
        #expect(try await code(site.open(idToken: token)) == "opened")
        let added = try await site.server.site.waggle(
            "user", "add", "dan", "--group", "users", "--provider", "company")
        #expect(added.exitCode == 0)
        let dan = site.key.token(site.provider.claims("dan"))
        #expect(try await code(site.open(idToken: dan)) == "opened")
        let wrong = try await site.server.site.waggle("user", "link", "dan", "--provider", "a b")
        #expect(wrong.exitCode == 2)
    }

    @Test func claimsDecideOnGroup() async throws {
        let site = try await ProviderSite([
            "groupClaim": "roles", "groups": .object(["film": "users", "gone": "owls"]),
            "group": .null,
        ])
        func open(_ roles: JSONValue) async throws -> String {
            let token = site.key.token(site.provider.claims("cleo", ["roles": roles]))
            return try await code(site.open(idToken: token))
        }
        #expect(try await open("none") == "groupMissing")
        #expect(try await open("gone") == "roleUnknown")
        #expect(try await !site.server.site.waggle("user", "list").output.contains("cleo"))
        #expect(try await open(.array(["x", "film"])) == "opened")
        #expect(try await open(.null) == "groupMissing")
        #expect(try await open("gone") == "roleUnknown")
        #expect(try await open("film") == "opened")
    }

    @Test func clientsOfAzureMobileSendIDTokens() async throws {
        let site = try await ProviderSite(arguments: ["--azure"])
        let token = site.key.token(site.provider.claims("cleo"))
        func ask(_ path: String, _ body: JSONValue) async throws -> Answer {
            try await site.server.request("POST", path, body: Data(body.text.utf8))
        }
        for path in ["/.auth/login/company", "/login/company"] {
            let opened = try await ask(path, .object(["id_token": .string(token)]))
            #expect(opened.status == 200 && opened.text.contains(#""userId":"cleo""#))
            let session = try opened.row()["authenticationToken"]?.string ?? ""
            let identity = try await site.server.request(
                "GET", "/.auth/me", headers: ["X-ZUMO-AUTH": session]
            ).rows().first
            #expect(identity?["user_id"] == "cleo" && identity?["provider_name"] == "custom")
        }
        let forged = try await ask("/login/company", .object(["id_token": .string(token + "A")]))
        #expect(forged.status == 401)
        for body in [["access_token": "x"], [:]] as [[String: JSONValue]] {
            #expect(try await ask("/.auth/login/company", .object(body)).status == 401)
        }
        let unknown = try await ask("/login/google", .object(["id_token": .string(token)]))
        #expect(unknown.status == 401)
    }
}
