import JSON
import Testing

@Suite("Clients of Parse find and change profiles")
struct ParseProfileTests {
    @Test func usersAreFoundByName() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        _ = try await ParseClient.signedIn("b", to: server)
        for (condition, names) in [
            (#"{"username":"b"}"#, ["b"]), (#"{"username":{"$ne":"b"}}"#, ["a"]),
            (#"{"username":{"$in":["a","b","c"]}}"#, ["a", "b"]), (#"{"username":"c"}"#, []),
            (#"{"username":{"$regex":"^B","$options":"i"}}"#, ["b"]),
        ] {
            let found = try await a.find(
                "_User", ["where": parseJSON(Array(condition.utf8)), "order": "username"])
            #expect(found.compactMap { $0["username"]?.string } == names, "\(condition)")
        }
        let last = try await a.find("_User", ["order": "-username", "limit": 1])
        #expect(last.map { $0["username"] } == ["b"])
    }

    /// Wherever the caller's own user is shown; nobody sees another's.
    @Test func mailAddressIsOwn() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        for (client, mail) in [(a, "a@x.org"), (b, "b@x.org")] {
            _ = try await client.get("PUT", "/users/\(client.userID)", ["email": .string(mail)])
        }
        let score = try await a.create(
            "Score", ["player": "a", "user": .pointer("_User", a.userID)])
        for (client, own) in [(a, "a@x.org"), (b, nil)] as [(ParseClient, JSONValue?)] {
            #expect(try await client.get("GET", "/users/\(a.userID)")["email"] == own)
            let users = try await client.find("_User", ["order": "username"])
            let mails = [client.userID == a.userID ? "a@x.org" : nil, own == nil ? "b@x.org" : nil]
            #expect(users.map { $0["email"]?.string } == mails)
            let included = try await client.get(
                "GET", "/classes/Score/\(score)", ["include": "user"])
            #expect(included["user"]?.members?["email"] == own)
        }
        let keys = try await a.find("_User", ["keys": "city"])
        #expect(keys.allSatisfy { $0["email"] == nil })
    }

    /// Some clients save all that they know of a user.
    @Test(arguments: ["none", "own"]) func unchangedUserIsSaved(accounts: String) async throws {
        let arguments = ["--parse-accounts", accounts]
        for server in [
            try await RunningServer.parse(arguments),
            try await RunningServer.parseWithoutProfiles(arguments),
        ] {
            let client = try await ParseClient.signedIn("a", to: server)
            let path = "/users/\(client.userID)"
            let known = try await client.get("GET", "/users/me")
            let saved = try await client.get("PUT", path, known)
            #expect(Set(saved.keys) == ["updatedAt"])
            #expect(try await client.get("GET", "/users/me") == known)
            #expect(try await client.ask("PUT", path, ["sky": "x"]).parseCode() == 119)
        }
    }

    /// Nothing of the account changes either.
    @Test(arguments: ["none", "own"]) func staleChangeIsRefused(accounts: String) async throws {
        let server = try await RunningServer.parse(["--parse-accounts", accounts])
        let client = try await ParseClient.signedIn("a", to: server)
        let path = "/users/\(client.userID)"
        let changed = try await client.ask("PUT", path, ["city": "Bern"])
        #expect(changed.header("ETag") == "\"2\"")
        #expect(try await client.ask("GET", "/users/me").header("ETag") == "\"2\"")
        var bodies: [[String: JSONValue]] = [["city": "Biel"]]
        if accounts == "own" { bodies.append(["email": "a@x.org"]) }
        for body in bodies {
            let refused = try await client.ask("PUT", path, body, headers: ["If-Match": "\"1\""])
            #expect(try refused.status == 412 && refused.parseCode() == 142, "\(refused.text)")
            #expect(try refused.json().members?["object"]?.members?["city"] == "Bern")
        }
        #expect(try await client.get("GET", "/users/me")["email"] == nil)
        let done = try await client.ask(
            "PUT", path, ["city": "Biel"], headers: ["If-Match": "\"2\""])
        #expect(done.status == 200 && done.header("ETag") == "\"3\"", "\(done.text)")
    }

    /// A server into which the users `anna` and `bob` of a Parse server were imported, and a score
    /// that points to `anna`.
    private func serverWithImportedUsers() async throws -> RunningServer {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        let site = server.site
        let users = try site.folder.write(
            """
            {"results":[{"objectId":"u1","username":"anna","city":"Bern","age":7},
            {"objectId":"u2","username":"bob"}]}
            """, to: "_User.json")
        let added = try await site.waggle("user", "import", users, "--group", "users")
        #expect(added.exitCode == 0, "\(added.errors)")
        #expect(added.errors.contains("'_User' has no field for these columns: age"))
        #expect(added.errors.contains("profiles: 2 created, 0 updated, 0 were there"))
        let score = try site.folder.write(
            #"{"objectId":"s1","player":"x","user":"#
                + #"{"__type":"Pointer","className":"_User","objectId":"u1"}}"#, to: "Score.json")
        let moved = try await site.waggle(
            "import", score, "--from", "parse", "--model", "Score", "--owner", "anna")
        #expect(moved.exitCode == 0, "\(moved.errors)")
        for login in ["anna", "bob"] {
            let set = try await site.waggle(
                "user", "set-password", login, "--password-stdin",
                input: PreparedDatabase.password(of: login) + "\n")
            #expect(set.exitCode == 0, "\(set.errors)")
        }
        return server
    }

    /// Otherwise they would get another id at the first sign-in.
    @Test func userWithRefusedProfileIsNotAdded() async throws {
        let site = try await RunningServer.parse().site
        for (city, isAdded) in [("7", false), (#""Bern""#, true)] {
            let users = try site.folder.write(
                #"{"objectId":"u3","username":"carl","city":\#(city)}"#, to: "users.json")
            let finished = try await site.waggle("user", "import", users, "--group", "users")
            #expect(finished.exitCode == (isAdded ? 0 : 1), "\(finished.errors)")
            #expect(finished.errors.contains("added: \(isAdded ? 1 : 0) users"))
            let listed = try await site.waggle("user", "list")
            #expect(listed.output.contains("carl") == isAdded)
        }
    }

    /// Devices, and the objects of a Parse server, have the old ids of users.
    @Test func importedUsersKeepTheirIDs() async throws {
        let server = try await serverWithImportedUsers()
        let anna = try await ParseClient.signedIn("anna", to: server)
        let bob = try await ParseClient.signedIn("bob", to: server)
        #expect([anna.userID, bob.userID] == ["u1", "u2"])
        #expect(try await anna.get("GET", "/users/me")["city"] == "Bern")
        #expect(try await anna.get("GET", "/sessions/me")["user"] == .pointer("_User", "u1"))
        for path in ["/users/u1", "/classes/_User/u1"] {
            let seen = try await bob.get("GET", path)
            #expect(seen["username"] == "anna" && seen["city"] == "Bern")
        }
        let user = JSONValue.pointer("_User", "u1")
        let scores = try await bob.find("Score", ["where": .object(["user": user])])
        #expect(scores.map { $0["user"] } == [user])
        let included = try await bob.get("GET", "/classes/Score/s1", ["include": "user"])
        #expect(included["user"]?.members?["username"] == "anna")
        #expect(try await anna.find("_User").count == 2)
    }

    @Test func importedUsersChangeWhatIsTheirs() async throws {
        let server = try await serverWithImportedUsers()
        let anna = try await ParseClient.signedIn("anna", to: server)
        let bob = try await ParseClient.signedIn("bob", to: server)
        _ = try await anna.get("PUT", "/users/u1", ["city": "Biel", "email": "a@x.org"])
        #expect(try await bob.get("GET", "/users/u1")["city"] == "Biel")
        #expect(try await bob.ask("PUT", "/users/u1", ["city": "Rome"]).parseCode() == 206)
        let all: JSONValue = .object(["read": .boolean(true), "write": .boolean(true)])
        for (id, code) in [("u1", nil), ("u2", 123)] as [(String, Int64?)] {
            let list = JSONValue.object([id: all])
            let answer = try await anna.ask("POST", "/classes/Note", ["text": "x", "ACL": list])
            #expect(answer.status == (code == nil ? 201 : 400), "\(answer.text)")
            #expect(try answer.json().members?["code"] == code.map { .integer($0) })
        }
        _ = try await anna.get("DELETE", "/users/u1")
        #expect(try await bob.ask("GET", "/users/u1").parseCode() == 101)
    }

    /// Without a profile, a user has the times of the account.
    @Test func accountsSessionsAndRolesHaveTimes() async throws {
        let server = try await RunningServer.parseWithoutProfiles(["--parse-accounts", "own"])
        let client = try await ParseClient.signedIn("a", to: server)
        let made = try await client.get("GET", "/users/me")
        let session = try await client.get("GET", "/sessions/me")
        let role = try #require(try await client.find("_Role").first)
        for object in [made, session, role] {
            let times = ["createdAt", "updatedAt"].compactMap { object[$0]?.string }
            #expect(times.count == 2 && times[0] > "2020" && times[0] <= times[1], "\(object)")
        }
        let changed = try await client.get(
            "PUT", "/users/\(client.userID)", ["email": "a@x.org"])
        let me = try await client.get("GET", "/users/me")
        #expect(me["updatedAt"] == changed["updatedAt"] && me["createdAt"] == made["createdAt"])
    }

    /// Clients save a changed user with the object that names it.
    @Test func batchChangesOwnProfileOnly() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        func request(_ method: String, _ path: String, _ body: [String: JSONValue]) -> JSONValue {
            .object([
                "method": .string(method), "path": .string("/parse\(path)"),
                "body": .object(body),
            ])
        }
        let answer = try await a.ask(
            "POST", "/batch",
            [
                "requests": .array([
                    request("PUT", "/users/\(a.userID)", ["city": "Bern", "username": "a"]),
                    request("PUT", "/classes/_User/\(a.userID)", ["city": "Biel"]),
                    request("PUT", "/users/\(b.userID)", ["city": "Rome"]),
                    request("PUT", "/users/\(a.userID)", ["password": "another one"]),
                    request("DELETE", "/users/\(a.userID)", [:]),
                    request("POST", "/users", ["username": "c", "password": "long enough"]),
                    request("POST", "/classes/Note", ["text": "with it"]),
                ])
            ])
        let results = try parseJSON(Array(answer.text.utf8)).elements
        let codes = results.map { $0.members?["error"]?.members?["code"] }
        #expect(codes == [nil, nil, 206, 119, 119, 119, nil], "\(answer.text)")
        #expect(try await a.get("GET", "/users/me")["city"] == "Biel")
        #expect(try await b.get("GET", "/users/me")["city"] == nil)
    }
}
