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

    /// Clients save a changed user with the object that names it. A repeat changes nothing more.
    @Test(arguments: [false, true]) func batchMakesProfile(isWhole: Bool) async throws {
        let client = try await ParseClient.signedIn("a", to: try await server("none"))
        let path = JSONValue.string("/parse/users/\(client.userID)")
        func batch(_ members: [String: JSONValue]) async throws -> Answer {
            let score = JSONValue.object([
                "player": "x", "user": .pointer("_User", client.userID),
            ])
            let requests: [JSONValue] = [
                .object(["method": "PUT", "path": path, "body": .object(members)]),
                .object([
                    "method": "POST", "path": "/parse/classes/Score", "body": score,
                ]),
            ]
            return try await client.ask(
                "POST", "/batch",
                ["requests": .array(requests), "transaction": .boolean(isWhole)],
                requestID: "batch of \(members.count)")
        }
        let refused = try await batch([:])
        #expect(refused.text.contains("'city'"), "\(refused.text)")
        let made = try await batch(["city": "Bern"])
        let done = try parseJSON(Array(made.text.utf8)).elements.map { $0.members?["success"] }
        #expect(done.count == 2 && done.allSatisfy { $0 != nil }, "\(made.text)")
        #expect(done.first??.members?.keys.sorted() == ["updatedAt"], "\(made.text)")
        _ = try await client.get("PUT", "/users/\(client.userID)", ["city": "Biel"])
        #expect(try await batch(["city": "Bern"]).text == made.text)
        #expect(try await client.get("GET", "/users/me")["city"] == "Biel")
        #expect(try await client.find("Score").count == 1)
    }
}
