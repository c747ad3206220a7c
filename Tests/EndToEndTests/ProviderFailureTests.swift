import Foundation
import JSON
import ProviderKit
import SyncProtocol
import TestKit
import Testing

/// A provider renews its keys, fails, or sends too much.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ProviderFailureTests {
    private func code(_ answer: Answer) throws -> String {
        answer.status == 201 ? "opened" : try answer.error().code
    }

    private func minute() -> Int { Int(Date().timeIntervalSince1970) / 60 }

    @Test func newKeysAreFetchedAndOthersAreNotAskedForAgain() async throws {
        let site = try await ProviderSite(processes: 1)
        let claims = site.provider.claims("cleo")
        #expect(try await code(site.open(idToken: site.key.token(claims))) == "opened")
        let next = SigningPair(.p256, name: "two")
        site.provider.publish([next])
        let first = minute()
        #expect(try await code(site.open(idToken: next.token(claims))) == "opened")
        #expect(try await code(site.open(idToken: site.key.token(claims))) == "idTokenRefused")
        for number in 0..<20 {
            let token = next.token(claims, header: ["kid": .string("unknown \(number)")])
            #expect(try await code(site.open(idToken: token)) == "idTokenRefused")
        }
        let asked = site.provider.requests.count { $0 == "/keys" }
        #expect(asked <= 1 + 6 * (minute() - first + 1), "\(asked)")
        #expect(
            site.provider.requests.count { $0 == "/.well-known/openid-configuration" } == 1)
        #expect(try await code(site.open(idToken: next.token(claims))) == "opened")
    }

    @Test(arguments: [
        ("/.well-known/openid-configuration", "500 Internal Server Error", "{}"),
        ("/.well-known/openid-configuration", "200 OK", "[]"),
        ("/.well-known/openid-configuration", "200 OK", #"{"issuer":"https://evil.example"}"#),
        ("/.well-known/openid-configuration", "302 Found", ""),
        ("/keys", "404 Not Found", ""), ("/keys", "200 OK", #"{"keys":{}}"#),
        ("/keys", "200 OK", String(repeating: " ", count: 300_000)),
    ]) func answersThatCannotBeUsedAreTemporaryFailures(
        _ path: String, _ status: String, _ body: String
    ) async throws {
        let failure = ScriptedServer.answer(status, body: body)
        let isSpared = try await attempted {
            try await isLeftAlone(after: .lastBytes(failure), of: path)
        }
        #expect(isSpared)
    }

    /// Whether the provider is not asked again for a while after it has failed; nil if the machine
    /// needed the while.
    private func isLeftAlone(
        after failure: ScriptedServer.Reply, of path: String
    ) async throws -> Bool? {
        let site = try await ProviderSite(processes: 1)
        site.provider.answer(path, failure)
        let start = ContinuousClock.now
        let token = site.key.token(site.provider.claims("cleo"))
        let answer = try await site.open(idToken: token)
        #expect(try answer.status == 503 && code(answer) == "providerUnavailable")
        #expect(answer.header("Retry-After") == "5")
        let asked = site.provider.requests.count
        #expect(try await code(site.open(idToken: token)) == "providerUnavailable")
        let isSpared = site.provider.requests.count == asked
        return isSpared || start.duration(to: .now) < .seconds(4) ? isSpared : nil
    }

    @Test func addressesWithoutHTTPSAreNotCalled() async throws {
        let site = try await ProviderSite(processes: 1)
        site.provider.describe(["jwks_uri": "http://keys.example/"])
        let token = site.key.token(site.provider.claims("cleo"))
        #expect(try await code(site.open(idToken: token)) == "providerUnavailable")
        #expect(try site.server.log().contains("has no usable jwks_uri"))
    }

    @Test func browserReturnsWithErrorWhenProviderFails() async throws {
        let site = try await ProviderSite(processes: 1)
        let (address, cookie) = try await site.begin(verifier: "v")
        let back = try site.provider.allow(address, site.provider.claims("cleo"))
        site.provider.answer(
            "/token", .lastBytes(ScriptedServer.answer("502 Bad Gateway", body: "canary")))
        let got = try await site.parameters(of: back, cookie: cookie)
        #expect(got == ["error": "providerUnavailable"])
        #expect(try !site.server.log().contains("canary"))
    }

    @Test(arguments: [
        (#"{"providers":[{"name":"a"}]}"#, "'issuer' is missing"),
        (#"{"providers":[],"x":1}"#, "no such member"), ("[]", "does not describe providers"),
        (
            #"{"providers":[{"name":"a","issuer":"http://id.example","clientId":"w"}]}"#,
            "is not an https address"
        ),
        (
            #"{"providers":[{"name":"a","issuer":"https://id.example","clientId":"w","#
                + #""redirects":["https://app.example/"]}]}"#, "publicAddress"
        ),
    ]) func unsoundFileStopsStart(_ text: String, _ words: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = try site.folder.write(text, to: "providers.json")
        let finished = try await Tool.run(
            [
                "serve", site.definition, "--database", site.database, "--port", "0",
                "--sign-in-providers", path,
            ], in: site.folder)
        #expect(finished.exitCode == 1 || finished.exitCode == 2)
        #expect(finished.errors.contains(words), "\(finished.errors)")
    }
}
