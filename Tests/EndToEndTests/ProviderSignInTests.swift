import Foundation
import HTTPCalls
import JSON
import ProviderKit
import Secrets
import SyncProtocol
import TestKit
import Testing

/// Users sign in with a provider of OpenID Connect, over HTTP, in browsers and by ID tokens.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProviderSignInTests {
    private let verifier = "a verifier of the app that is long enough for it"

    @Test(arguments: [SigningPair.Kind.rsa, .p256]) func browserSignsNewUserIn(
        _ kind: SigningPair.Kind
    ) async throws {
        let site = try await ProviderSite(key: SigningPair(kind, name: "one"))
        let claims = site.provider.claims("cleo@example.org")
        let got = try await site.signIn(claims, verifier: verifier, state: "my%20state%26")
        #expect(got["state"] == "my state&" && got["error"] == nil)
        let opened = try await site.open(code: got["code"] ?? "", verifier: verifier)
        let session = try opened.message(as: SessionResponse.self)
        #expect(opened.status == 201 && session.login == "cleo@example.org")
        #expect(session.group == "users" && session.role == "users-mobile")
        let client = Client(server: site.server, token: session.token)
        try await client.push(.create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        let listed = try await site.server.site.waggle("user", "list", "--format", "json")
        #expect(listed.output.contains(#""provider" : "company""#), "\(listed.output)")
        // The code is good once.
        let again = try await site.open(code: got["code"] ?? "", verifier: verifier)
        #expect(try again.status == 403 && again.error().code == "signInCodeUnknown")
        // A second sign-in finds the same user.
        let second = try await site.signIn(claims, verifier: verifier)
        #expect(try await site.open(code: second["code"] ?? "", verifier: verifier).status == 201)
        #expect(try await client.ask(SyncRequest()).status == 200)
    }

    @Test func appThatBeganSignInAloneOpensSession() async throws {
        let site = try await ProviderSite()
        let got = try await site.signIn(site.provider.claims("cleo"), verifier: verifier)
        let stolen = try await site.open(code: got["code"] ?? "", verifier: "another")
        #expect(try stolen.status == 403 && stolen.error().code == "signInCodeUnknown")
        // The thief has spoilt the code, but has no session.
        let late = try await site.open(code: got["code"] ?? "", verifier: verifier)
        #expect(late.status == 403)
        #expect(try await site.open(code: "", verifier: "").status == 403)
    }

    /// A page that sends a browser to the return address of another one's sign-in. The app is told.
    @Test func browserThatDidNotBeginSignInIsRefused() async throws {
        let site = try await ProviderSite()
        let (address, cookie) = try await site.begin(verifier: verifier, state: "s")
        let back = try site.provider.allow(address, site.provider.claims("mallory"))
        let other = try await site.begin(verifier: "other")
        for wrong in [nil, other.cookie, "waggle-sign-in=", "waggle-sign-in=x"] {
            let told = try await site.parameters(of: back, cookie: wrong)
            #expect(told == ["error": "stateUnknown", "state": "s"])
        }
        #expect(try await site.parameters(of: back, cookie: cookie)["code"] != nil)
        // The browser ends a sign-in once.
        #expect(try await site.visit(back, cookie: cookie).status == 400)
        // Two windows of one browser do not disturb each other.
        let third = try await site.begin(verifier: verifier, cookie: other.cookie)
        #expect(third.cookie == other.cookie)
    }

    @Test func forgedAndForeignStatesAreRefused() async throws {
        let site = try await ProviderSite()
        let (address, cookie) = try await site.begin(verifier: verifier)
        let back = try site.provider.allow(address, site.provider.claims("mallory"))
        let cursor = try await site.server.client("a").sync().cursor
        let states = [
            "", "x", cursor, String((back.split(separator: "=").last ?? "").dropLast()),
        ]
        for state in states {
            let path = "/v1/test/sign-in/company?code=x&state=\(state)"
            #expect(try await site.visit(path, cookie: cookie).status == 400, "\(state)")
        }
        let elsewhere = back.replacing("sign-in/company", with: "sign-in/other")
        #expect(try await site.visit(elsewhere, cookie: cookie).status == 404)
        let broken = back + "&code=%ff"
        #expect(try await site.visit(broken, cookie: cookie).status == 303)
    }

    /// Anybody begins sign-ins, and sends browsers back with codes that no provider has given.
    @Test func strangersFillNoTableAndAreSlowed() async throws {
        let site = try await ProviderSite(processes: 1)
        let (address, cookie) = try await site.begin(verifier: verifier)
        let back = try site.provider.allow(address, site.provider.claims("cleo"))
        let invented = back.replacing("code=", with: "code=x")
        for _ in 0..<3 {
            let refused = try await site.parameters(of: invented, cookie: cookie)
            #expect(refused == ["error": "signInRefused"])
        }
        let tickets = "SELECT count(*) FROM sign_in_tickets"
        #expect(try await site.server.site.sql(tickets) == "0")
        #expect(try await site.parameters(of: back, cookie: cookie)["code"] != nil)
        #expect(try await site.visit(back, cookie: cookie).status == 400)
        var status = 0
        for _ in 0..<600 where status != 429 {
            status = try await site.visit("/v1/test/sign-in/company?state=x").status
        }
        #expect(status == 429)
        let other = try await site.begin(verifier: verifier)
        #expect(other.address.hasPrefix(site.provider.issuer))
    }

    @Test func browserIsSentToKnownRedirectsOnly() async throws {
        let site = try await ProviderSite()
        let challenge = URLSafeBase64.text(of: BearerToken.hash(verifier))
        let table = [
            ("provider=company&redirect=https://evil.example/", "redirectUnknown", 400),
            ("provider=company&redirect=com.example.app:/done/x", "redirectUnknown", 400),
            ("provider=company&redirect=com.example.app:/done%23", "redirectUnknown", 400),
            ("provider=company", "redirectUnknown", 400),
            ("provider=other&redirect=com.example.app:/done", "providerUnknown", 404),
            ("provider=company&redirect=com.example.app:/done&x=y", "parameterUnknown", 400),
        ]
        for (query, code, status) in table {
            let answer = try await site.visit("/v1/test/sign-in?\(query)&challenge=\(challenge)")
            #expect(answer.status == status && answer.headers["location"] == nil, "\(query)")
            #expect(
                String(decoding: answer.body, as: UTF8.self).contains(code), "\(query) \(code)")
        }
        for wrong in ["", "&challenge=", "&challenge=short", "&challenge=\(challenge)="] {
            let answer = try await site.visit(
                "/v1/test/sign-in?provider=company&redirect=\(ProviderSite.redirect)\(wrong)")
            #expect(answer.status == 400)
        }
    }

    @Test func errorsOfProviderReachAppWithItsState() async throws {
        let site = try await ProviderSite()
        let (address, cookie) = try await site.begin(verifier: verifier, state: "s")
        let back = try site.provider.allow(address, site.provider.claims("cleo"))
        let denied = back.replacing("code=", with: "error=access_denied&x=")
        let got = try await site.parameters(of: denied, cookie: cookie)
        #expect(got == ["error": "signInRefused", "state": "s"])
        // A provider that gives a code of another sign-in.
        let second = try await site.begin(verifier: verifier)
        let mixed = try site.provider.allow(second.address, site.provider.claims("cleo"))
            .replacing("code=", with: "code=x")
        let refused = try await site.parameters(of: mixed, cookie: second.cookie)
        #expect(refused == ["error": "signInRefused"])
        // An answer of another issuer.
        let third = try await site.begin(verifier: verifier)
        let foreign = try site.provider.allow(third.address, site.provider.claims("cleo"))
        let mixedUp = try await site.parameters(
            of: foreign + "&iss=https://evil.example", cookie: third.cookie)
        #expect(mixedUp == ["error": "providerUnavailable"])
        #expect(site.provider.tokenRequests.count == 1)
    }

    /// The ID token belongs to the sign-in for which it was asked.
    @Test func tokenOfAnotherSignInIsRefused() async throws {
        let site = try await ProviderSite()
        let claims = site.provider.claims("cleo")
        for forged in [["nonce": "other"], ["nonce": .null]] as [[String: JSONValue]] {
            let got = try await site.signIn(claims.merging(forged) { $1 }, verifier: verifier)
            #expect(got == ["error": "idTokenRefused"])
        }
    }

    @Test func secretsAreNeitherLoggedNorSentInBody() async throws {
        let site = try await ProviderSite()
        let got = try await site.signIn(site.provider.claims("cleo"), verifier: verifier)
        let opened = try await site.open(code: got["code"] ?? "", verifier: verifier)
        let session = try opened.message(as: SessionResponse.self)
        let refused = site.key.token(site.provider.claims("cleo", ["aud": "other"]))
        #expect(try await site.open(idToken: refused).status == 401)
        let request = try #require(site.provider.tokenRequests.first)
        #expect(request.contains("Authorization: Basic ") && !request.contains("client_secret"))
        let log = try site.server.log()
        #expect(log.contains("idTokenRefused") && log.contains("not for this client alone"))
        for secret in [
            TestProvider.secret, "canary", session.token, got["code"] ?? "", refused, verifier,
        ] { #expect(!log.contains(secret)) }
        #expect(try await !site.server.site.sql("SELECT * FROM sign_in_tickets").contains("canary"))
    }

    @Test func secretIsSentInBodyWhereProviderWantsThat() async throws {
        let site = try await ProviderSite()
        site.provider.describe([
            "token_endpoint_auth_methods_supported": .array(["client_secret_post"])
        ])
        let got = try await site.signIn(site.provider.claims("cleo"), verifier: verifier)
        #expect(got["code"] != nil)
        #expect(site.provider.tokenRequests.first?.contains("Authorization") == false)
    }
}
