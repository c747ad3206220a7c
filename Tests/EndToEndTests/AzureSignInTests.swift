import JSON
import Testing

/// Sign-in and push registrations of the clients of Azure Mobile.
@Suite(.timeLimit(.minutes(5))) struct AzureSignInTests {
    private static let table = "/tables/todoitem"

    @Test func userSignsInAndRegisters() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--application-key", "the key")
        let client = AzureClient(server)
        let refused = try await client.ask("GET", Self.table)
        #expect(refused.status == 401)
        #expect(try refused.row()["error"] == "You must be logged in to use this application")
        let secret: [String: JSONValue] = [
            "username": "a", "password": .string(PreparedDatabase.password(of: "a")),
        ]
        let key = ["X-ZUMO-APPLICATION": "the key"]
        for (path, headers, status) in [
            ("/.auth/login/custom", [:], 401), ("/.auth/login/google", key, 401),
            ("/login/custom", key, 200), ("/.auth/login/custom", key, 200),
        ] {
            let answer = try await client.ask("POST", path, secret, headers: headers)
            #expect(answer.status == status, "\(path)")
        }
        // Clients know no other refusal of a sign-in.
        for body in [nil, [:], ["username": "a"], ["username": "a", "password": "wrong"]]
            as [[String: JSONValue]?]
        {
            let answer = try await client.ask("POST", "/.auth/login/custom", body, headers: key)
            #expect(answer.status == 401, "\(answer.text)")
        }
        let opened = try await client.row("POST", "/.auth/login/custom", secret, headers: key)
        #expect(opened["user"] == .object(["userId": "a"]))
        let token = try #require(opened["authenticationToken"]?.string)
        for headers in [[:], ["X-ZUMO-AUTH": "nonsense"]] {
            #expect(try await client.ask("GET", "/.auth/refresh", headers: headers).status == 401)
        }
        for headers in [["X-ZUMO-AUTH": token], ["Authorization": "Bearer \(token)"]] {
            #expect(try await client.ask("GET", Self.table, headers: headers).status == 200)
            let refreshed = try await client.row("GET", "/.auth/refresh", headers: headers)
            #expect(refreshed["authenticationToken"]?.string == token)
        }
    }

    /// A guest needs the application key, a session does not.
    @Test func guestNeedsApplicationKey() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a", "--application-key",
            "the key")
        let client = AzureClient(server)
        for (headers, status) in [
            ([:], 401), (["X-ZUMO-APPLICATION": "another"], 401),
            (["X-ZUMO-APPLICATION": "the key"], 200),
            (["X-ZUMO-AUTH": try server.client("b").token], 200),
        ] as [([String: String], Int)] {
            let answer = try await client.ask("GET", Self.table, headers: headers)
            #expect(answer.status == status, "\(headers)")
            guard status == 401 else { continue }
            #expect(try answer.row()["error"] == "The application key is missing or wrong.")
        }
    }

    @Test func installationIsRemoved() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        var client = AzureClient(server)
        client.headers["X-ZUMO-AUTH"] = try server.client("b").token
        let path = "/push/installations/x"
        let installed = try await client.ask(
            "PUT", path, ["pushChannel": "channel", "platform": "apns"])
        #expect(installed.status == 204)
        let held = try await client.rows("/push/registrations")
        #expect(held.map { $0["deviceId"] } == ["channel"])
        #expect(try await client.ask("DELETE", path).status == 204)
        #expect(try await client.rows("/push/registrations").isEmpty)
    }

    /// All apps without sign-in are one user, who has more push tokens than a person.
    @Test func guestsHaveManyRegistrations() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = AzureClient(server, version: nil)
        for number in 0...100 {
            let answer = try await client.ask(
                "PUT", "/push/installations/device-\(number)",
                ["pushChannel": "channel", "platform": "apns"])
            #expect(answer.status == 204, "\(number): \(answer.text)")
        }
        let first = try await client.ask(
            "GET", "/push/registrations", headers: ["X-ZUMO-INSTALLATION-ID": "device-0"])
        #expect(try first.rows().count == 1)
    }

    @Test func userIsTold() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = AzureClient(server)
        let token = try server.client("b").token
        let identities = try await client.ask(
            "GET", "/.auth/me", headers: ["X-ZUMO-AUTH": token]
        ).rows()
        #expect(identities.map { $0["user_id"] } == ["b"])
        #expect(identities.map { $0["provider_name"] } == ["custom"])
        // A guest is nobody.
        for headers in [[:], ["X-ZUMO-AUTH": "nonsense"]] {
            #expect(try await client.ask("GET", "/.auth/me", headers: headers).status == 401)
        }
    }
}
