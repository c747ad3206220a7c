import Foundation
import JSON
import Testing

@Suite("Parse keeps the push tokens of installations")
struct ParseInstallationTests {
    private static func installation(
        _ client: ParseClient, token: String
    ) -> [String: JSONValue] {
        [
            "installationId": .string(client.installation), "deviceType": "ios",
            "deviceToken": .string(token),
        ]
    }

    /// The token that a user's device has, as the user sees it.
    private func token(of client: ParseClient) async throws -> String? {
        var anyone = client
        anyone.token = nil
        let made = try await anyone.get("POST", "/installations")
        let id = try #require(made["objectId"]?.string)
        return try await client.get("GET", "/installations/\(id)")["deviceToken"]?.string
    }

    @Test func installationKeepsPushToken() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let made = try await client.ask(
            "POST", "/installations",
            [
                "installationId": .string(client.installation), "deviceType": "ios",
                "deviceToken": "0123abcd", "channels": .array(["news"]),
            ])
        #expect(made.status == 201)
        let id = try #require(try made.json().members?["objectId"]?.string)
        let updated = try await client.get("PUT", "/installations/\(id)", ["badge": 0])
        #expect(updated["updatedAt"] != nil)
        #expect(try await client.ask("GET", "/installations").parseCode() == 119)
        let shown = try await client.get("GET", "/installations/\(id)")
        #expect(shown["deviceToken"] == "0123abcd" && shown["deviceType"] == "ios")
        #expect(shown["installationId"] == .string(client.installation))
        let again = try await client.get("POST", "/installations")
        let stamps = [try made.json().members?["createdAt"], again["createdAt"]]
        #expect(stamps.allSatisfy { $0 != nil && $0 == shown["createdAt"] }, "\(stamps)")
        let removed = try await client.ask("DELETE", "/installations/\(id)")
        #expect(try removed.parseCode() == 119 && removed.text.contains("do not remove"))
        let b = try await ParseClient.signedIn("b", to: server)
        #expect(try await b.get("GET", "/installations/\(id)")["deviceToken"] == nil)
        let other = try await ParseClient.signedIn("b", to: server, installation: "other")
        #expect(try await other.ask("GET", "/installations/\(id)").parseCode() == 101)
    }

    @Test func tokenIsOfUserWhoSignsIn() async throws {
        let server = try await RunningServer.parse()
        let anyone = ParseClient(server)
        let sent = Self.installation(anyone, token: "first")
        #expect(try await anyone.ask("POST", "/installations", sent).status == 201)
        // Another installation gets nothing of it, and neither does a wrong password.
        let other = try await ParseClient.signedIn(
            "b", to: server, installation: "00000000-5e34-4f5a-9c0a-5e2f0a0b0c0d")
        #expect(try await token(of: other) == nil)
        _ = try await anyone.ask("POST", "/login", ["username": "b", "password": "x"])
        let user = try await ParseClient.signedIn("a", to: server)
        #expect(try await token(of: user) == "first")
        // It has been given away once.
        let next = try await ParseClient.signedIn("b", to: server)
        #expect(try await token(of: next) == nil)
    }

    @Test func tokenIsOfUserWhoSignsUp() async throws {
        let server = try await RunningServer.parse(
            ["--parse-accounts", "sign-up", "--parse-sign-up-group", "users"])
        var client = ParseClient(server)
        _ = try await client.get(
            "POST", "/installations", Self.installation(client, token: "first"))
        let made = try await client.get(
            "POST", "/users", ["username": "cora", "password": "a long password"])
        client.token = made["sessionToken"]?.string
        #expect(try await token(of: client) == "first")
    }

    /// A client may take over a session, and then send its installation without its token.
    @Test(arguments: [("GET", "/users/me"), ("GET", "/sessions/me"), ("POST", "/installations")])
    func sessionTakesToken(method: String, path: String) async throws {
        let server = try await RunningServer.parse()
        let user = try await ParseClient.signedIn("a", to: server)
        let anyone = ParseClient(server)
        _ = try await anyone.get(
            "POST", "/installations", Self.installation(anyone, token: "late"))
        _ = try await user.get(method, path)
        #expect(try await token(of: user) == "late")
    }

    /// The identifier must be one that nobody guesses, since whoever knows it names the token.
    @Test func onlyUUIDWaits() async throws {
        let server = try await RunningServer.parse()
        var anyone = ParseClient(server)
        anyone.installation = "phone"
        let sent = Self.installation(anyone, token: "first")
        #expect(try await anyone.ask("POST", "/installations", sent).status == 201)
        let user = try await ParseClient.signedIn("a", to: server, installation: "phone")
        #expect(try await token(of: user) == nil)
    }
}
