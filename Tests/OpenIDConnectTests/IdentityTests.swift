import JSON
import Testing
import UserAccounts

@testable import OpenIDConnect

/// Claims become a login and a group, and descriptions are checked.
@Suite struct IdentityTests {
    private func provider(_ members: [String: JSONValue]) throws -> IdentityProvider {
        let own: [String: JSONValue] = [
            "name": "company", "issuer": "https://id.example", "clientId": "waggle",
        ]
        return try decodeMessage(
            IdentityProvider.self,
            from: Array(JSONValue.object(own.merging(members) { $1 }).text.utf8))
    }

    @Test func claimsAreMapped() throws {
        let provider = try provider([
            "groupClaim": "roles", "groups": .object(["n": "nurses", "d": "doctors"]),
            "group": "guests", "newUsers": .boolean(true), "verifiedMail": .boolean(true),
        ])
        for (roles, group) in [
            ("n", "nurses"), (.array(["x", "d", "n"]), "doctors"), (.array([]), "guests"),
            ("x", "guests"), (.null, "guests"), (.array(["d", 1]), "guests"),
        ] as [(JSONValue, String)] {
            let identity = try provider.identity(of: ["email": "a", "roles": roles], subject: "1")
            #expect(identity.group == group && identity.login == "a" && identity.makesUser)
            #expect(identity.decidesGroup)
        }
        for said in [["email_verified": "false"], [:]] as [[String: JSONValue]] {
            let claims = said.merging(["upn": "a", "email": "b"]) { $1 }
            let plain = try self.provider(["loginClaim": "upn"]).identity(of: claims, subject: "1")
            #expect(plain.login == "a" && plain.mail.isEmpty && plain.group == nil)
            #expect(!plain.decidesGroup && !plain.makesUser)
        }
    }

    @Test func loginNeedsVerifiedMail() throws {
        let provider = try provider([:])
        for no in [JSONValue.boolean(false), "false", .null, 1, "yes"] {
            #expect(throws: IDTokenFault.mailUnverified) {
                try provider.identity(of: ["email": "a", "email_verified": no], subject: "1")
            }
        }
        #expect(throws: IDTokenFault.mailUnverified) {
            try provider.identity(of: ["email": "a"], subject: "1")
        }
        for yes in [JSONValue.boolean(true), "true"] {
            let claims: [String: JSONValue] = ["email": "a", "email_verified": yes]
            #expect(try provider.identity(of: claims, subject: "1").mail == "a")
        }
        let sure = try self.provider(["verifiedMail": .boolean(true)])
        #expect(try sure.identity(of: ["email": "a"], subject: "1").mail == "a")
        #expect(throws: IDTokenFault.mailUnverified) {
            try sure.identity(
                of: ["email": "a", "email_verified": .boolean(false)], subject: "1")
        }
        for claims in [[:], ["email": 1], ["email": .array(["a"])]] as [[String: JSONValue]] {
            #expect(throws: IDTokenFault.loginMissing) {
                try provider.identity(of: claims, subject: "1")
            }
        }
    }

    @Test func personIsIssuerAndSubject() throws {
        func person(_ issuer: JSONValue, _ subject: String) throws -> String {
            try provider(["issuer": issuer, "verifiedMail": .boolean(true)])
                .identity(of: ["email": "a"], subject: subject).person
        }
        let one = try person("https://id.example", "1")
        #expect(try one == person("https://id.example", "1"))
        #expect(try one != person("https://id.example", "2"))
        #expect(try one != person("https://id2.example", "1"))
    }

    @Test(
        arguments: [
            ["redirects": .array(["https://app.example/done", "com.example.app:/done"])],
            ["redirects": .array(["http://localhost:8000/", "http://127.0.0.1/?a=b"])],
            ["issuer": "http://127.0.0.1:80"], ["issuer": "https://id.example/tenant/v2.0"],
        ] as [[String: JSONValue]]) func soundDescriptionIsTaken(
            _ members: [String: JSONValue]
        ) throws
    {
        #expect(try provider(members).fault == nil)
    }

    @Test(
        arguments: [
            ["name": ""], ["name": "a/b"], ["issuer": "http://id.example"],
            ["issuer": "id.example"],
            ["issuer": "https://id.example?a"], ["issuer": "https://a@id.example"],
            ["issuer": "https://id.example#a"], ["clientId": ""], ["scopes": .array(["email"])],
            ["scopes": .array(["openid", "a b"])], ["redirects": .array(["javascript:alert(1)"])],
            ["redirects": .array(["http://app.example/"])],
            ["redirects": .array(["data:text/html,x"])],
            ["redirects": .array(["https://app.example/#a"])], ["redirects": .array(["/done"])],
            ["redirects": .array(["com.example.app:/a b"])],
            ["redirects": .array(["//evil.example"])],
        ] as [[String: JSONValue]]) func unsoundDescriptionIsRefused(
            _ members: [String: JSONValue]
        ) throws
    {
        #expect(try provider(members).fault != nil)
    }

    @Test func unknownMemberIsRefused() {
        #expect(throws: DecodingError.self) { _ = try provider(["clientID": "x"]) }
    }

    @Test func secretHasNoDescription() {
        #expect(!"\(ClientSecret("canary"))".contains("canary"))
    }
}
