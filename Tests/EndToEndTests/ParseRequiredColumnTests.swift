import JSON
import Testing

/// The usual flow of an app of Parse is a sign-up, and then a save of the profile.
@Suite("Profiles of Parse with a required column")
struct ParseRequiredColumnTests {
    private func server(_ accounts: String) async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { _ in
            parseDefinition.replacing(
                #"name="city" type="TEXT" required="false""#,
                with: #"name="city" type="TEXT" required="true""#)
        }
        return try await RunningServer(
            site: site,
            arguments: [
                "--parse", "--parse-accounts", accounts, "--parse-sign-up-group", "users",
            ])
    }

    /// Else the account would have no profile, and its name would be taken.
    @Test func signUpNeedsColumn() async throws {
        let client = ParseClient(try await server("sign-up"))
        let anonymous = JSONValue.object([
            "anonymous": .object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        for form in [
            ["username": "cora", "password": "a long password"], ["authData": anonymous],
        ] as [[String: JSONValue]] {
            let refused = try await client.ask("POST", "/users", form)
            #expect(try refused.parseCode() == 142, "\(refused.text)")
            #expect(refused.text.contains("'city'"), "\(refused.text)")
            let made = try await client.ask(
                "POST", "/users", form.merging(["city": "Ulm"]) { $1 })
            #expect(made.status == 201, "\(made.text)")
        }
    }

    /// Their users were added by an operator.
    @Test(arguments: ["none", "own"]) func changeMakesProfile(accounts: String) async throws {
        let server = try await server(accounts)
        for (login, root) in [("a", "/users/"), ("b", "/classes/_User/")] {
            let client = try await ParseClient.signedIn(login, to: server)
            let path = root + client.userID
            let answer = try await client.ask("GET", path)
            #expect(try answer.parseCode() == 101)
            let changed = try await client.get("PUT", path, ["city": "Bern"], requestID: "made")
            #expect(Set(changed.keys) == ["updatedAt"])
            _ = try await client.get("PUT", path, ["city": "Biel"])
            _ = try await client.get("PUT", path, ["city": "Bern"], requestID: "made")
            let profile = try await client.get("GET", path)
            #expect(profile["city"] == "Biel" && profile["username"] == .string(login))
            let score = ["player": "x", "user": JSONValue.pointer("_User", client.userID)]
            _ = try await client.create("Score", score)
        }
    }
}
