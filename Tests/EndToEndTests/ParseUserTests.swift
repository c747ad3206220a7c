import Foundation
import JSON
import Testing

@Suite("Clients of Parse sign in")
struct ParseUserTests {
    @Test(arguments: ParseClient.Manner.allCases)
    func sessionBeginsAndEnds(manner: ParseClient.Manner) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: manner)
        #expect(client.token?.hasPrefix("r:") == true)
        let me = try await client.get("GET", "/users/me")
        #expect(me["username"] == "a" && me["objectId"] == .string(client.userID))
        #expect(me["sessionToken"]?.string == client.token)
        let session = try await client.get("GET", "/sessions/me")
        #expect(session["user"] == .pointer("_User", client.userID))
        #expect(session["expiresAt"]?.members?["__type"] == "Date")
        #expect(session["createdWith"]?.members?["action"] == "login")
        #expect(try await client.ask("POST", "/logout").text == "{}")
        let answer = try await client.ask("GET", "/users/me")
        #expect(try answer.status == 400 && answer.parseCode() == 209)
    }

    @Test func guestActsForWhoIsNotSignedIn() async throws {
        let server = try await RunningServer.parse(["--guest", "a"])
        let guest = ParseClient(server)
        let note = try await guest.create("Note", ["text": "of a"])
        let a = try await ParseClient.signedIn("a", to: server)
        #expect(try await a.get("GET", "/classes/Note/\(note)")["text"] == "of a")
        let b = try await ParseClient.signedIn("b", to: server)
        #expect(try await b.ask("GET", "/classes/Note/\(note)").parseCode() == 101)
        #expect(try await guest.ask("GET", "/users/me").parseCode() == 209)
        // It is stored with every change.
        for id in ["x y", String(repeating: "x", count: 129)] {
            var odd = guest
            odd.installation = id
            let refused = try await odd.ask("POST", "/classes/Note", ["text": "x"])
            #expect(refused.status == 400, "\(refused.text)")
        }
        let refused = ParseClient(try await RunningServer.parse())
        #expect(try await refused.ask("GET", "/classes/Note").parseCode() == 101)
    }

    @Test func everyRequestNeedsKey() async throws {
        let server = try await RunningServer.parse(["--guest", "a", "--application-key", "k"])
        var client = ParseClient(server)
        for key in [nil, "", "K"] {
            client.key = key
            let answer = try await client.ask("GET", "/classes/Note")
            #expect(answer.status == 403 && answer.text.contains("unauthorized"))
        }
        client.key = "k"
        #expect(try await client.ask("GET", "/classes/Note").status == 200)
    }

    @Test func wrongPasswordIs101() async throws {
        let client = ParseClient(try await RunningServer.parse())
        let wrong = try await client.ask("GET", "/login", ["username": "a", "password": "x"])
        #expect(try wrong.status == 404 && wrong.parseCode() == 101)
        #expect(try await client.ask("POST", "/login", ["password": "x"]).parseCode() == 200)
        #expect(try await client.ask("POST", "/login", ["username": "a"]).parseCode() == 201)
    }

    /// The profile is made at the first sign-in, and belongs to its user.
    @Test func profileIsOwn() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        _ = try await a.get("PUT", "/users/\(a.userID)", ["city": "Bern", "username": "a"])
        #expect(try await a.get("GET", "/users/me")["city"] == "Bern")
        let seen = try await b.get("GET", "/users/\(a.userID)")
        #expect(seen["city"] == "Bern" && seen["username"] == "a" && seen["sessionToken"] == nil)
        #expect(try await b.ask("PUT", "/users/\(a.userID)", ["city": "x"]).parseCode() == 206)
        let score = try await a.create(
            "Score", ["player": "a", "user": .pointer("_User", a.userID)])
        let found = try await b.get("GET", "/classes/Score/\(score)", ["include": "user"])
        #expect(found["user"]?.members?["city"] == "Bern")
    }

    @Test func accountsAreOperators() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        for (method, path, members, code) in [
            ("POST", "/users", ["username": "c", "password": "p"], 119),
            ("POST", "/users", ["authData": .object(["anonymous": .object(["id": "1"])])], 252),
            ("PUT", "/users/\(client.userID)", ["password": "p"], 119),
            ("DELETE", "/users/\(client.userID)", [:], 119),
            ("POST", "/requestPasswordReset", ["email": "a@b"], 108),
            ("POST", "/loginAs", ["userId": "x"], 119), ("POST", "/functions/f", [:], 141),
            ("POST", "/roles", ["name": "x"], 119),
        ] as [(String, String, [String: JSONValue], Int64)] {
            let answer = try await client.ask(method, path, members)
            #expect(try answer.status == 400 && answer.parseCode() == code, "\(method) \(path)")
        }
        for path in ["/schemas", "/schemas/Score", "/push", "/serverInfo", "/purge/Score"] {
            #expect(try await client.ask("POST", path).status == 403)
        }
    }

    // MARK: - Accounts of users

    private static let signUp = ["--parse-accounts", "sign-up", "--parse-sign-up-group", "users"]

    @Test func userSignsUp() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        var client = ParseClient(server)
        let form: [String: JSONValue] = [
            "username": "Cora", "password": "a long password", "email": "cora@example.org",
            "city": "Bern",
        ]
        let answer = try await client.ask("POST", "/users", form)
        #expect(answer.status == 201)
        let made = try #require(try answer.json().members)
        #expect(Set(made.keys) == ["objectId", "createdAt", "sessionToken"])
        client.token = made["sessionToken"]?.string
        let me = try await client.get("GET", "/users/me")
        #expect(me["username"] == "Cora" && me["city"] == "Bern")
        #expect(me["email"] == "cora@example.org")
        for (members, code) in [
            (["username": "cora"], 202), (["username": "d e"], 142), (["username": ""], 200),
            (["username": "d", "password": ""], 201), (["username": "d", "email": "d"], 125),
            (["username": "d"], 203), (["username": "d", "email": "d@d", "sky": "x"], 119),
        ] as [([String: JSONValue], Int64)] {
            let refused = try await ParseClient(server).ask(
                "POST", "/users", form.merging(members) { $1 })
            #expect(try refused.parseCode() == code, "\(members) \(refused.text)")
        }
        #expect(
            try await ParseClient(server).ask(
                "POST", "/login", ["username": "d", "password": "a long password"]
            ).parseCode() == 101)
    }

    @Test func userKeepsAccount() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        var client = try await ParseClient.signedIn("a", to: server)
        let path = "/users/\(client.userID)"
        let former = client.token
        let changed = try await client.get(
            "PUT", path, ["password": "another password", "email": "a@b.c", "city": "Ulm"])
        client.token = changed["sessionToken"]?.string
        #expect(client.token != nil && client.token != former)
        #expect(try await client.get("GET", "/users/me")["city"] == "Ulm")
        client.token = former
        #expect(try await client.ask("GET", "/users/me").parseCode() == 209)
        client.token = changed["sessionToken"]?.string
        let b = try await ParseClient.signedIn("b", to: server)
        #expect(try await b.ask("PUT", path, ["password": "x"]).parseCode() == 206)
        #expect(try await b.ask("DELETE", path).parseCode() == 206)
        #expect(
            try await b.ask("PUT", "/users/\(b.userID)", ["email": "A@B.C"]).parseCode() == 203)
        let other = try await client.ask("POST", "/users", ["username": "x", "password": "y"])
        #expect(try other.parseCode() == 119)
        #expect(try await client.ask("DELETE", path).text == "{}")
        #expect(try await client.ask("GET", "/users/me").parseCode() == 209)
    }

    /// Each answer tells whether somebody has the address.
    @Test func mailAddressesAreTriedRarely() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        let client = try await ParseClient.signedIn("a", to: server)
        var answers: [Answer] = []
        for number in 0...20 {
            answers.append(
                try await client.ask(
                    "PUT", "/users/\(client.userID)",
                    ["email": .string("a\(number)@example.org")]))
        }
        #expect(answers.dropLast().allSatisfy { $0.status == 200 })
        #expect(answers.last?.status == 429)
        #expect(answers.last?.header("Retry-After") != nil)
    }

    /// Taken logins count too. The wires at both addresses count together.
    @Test func accountsOfAddressAreLimited() async throws {
        let server = try await RunningServer.parse(
            Self.signUp + ["--parse-sign-ups-per-hour", "2"])
        var client = ParseClient(server)
        var answers: [Answer] = []
        for (prefix, login) in [("/parse", "dora"), ("/1", "dora"), ("/parse", "emil")] {
            client.prefix = prefix
            answers.append(
                try await client.ask(
                    "POST", "/users",
                    ["username": .string(login), "password": "a long password"]))
        }
        #expect(answers.map(\.status) == [201, 400, 429])
        #expect(answers.last?.header("Retry-After") != nil)
    }

    /// Records stay, and belong to whoever has the login.
    @Test func loginOfFormerOwnerIsTaken() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        let a = try await ParseClient.signedIn("a", to: server)
        _ = try await a.create("Note", ["text": "private"])
        #expect(try await a.ask("DELETE", "/users/\(a.userID)").text == "{}")
        let form: [String: JSONValue] = ["username": "a", "password": "a long password"]
        let refused = try await ParseClient(server).ask("POST", "/users", form)
        #expect(try refused.parseCode() == 202, "\(refused.text)")
    }

    /// Some clients send all that they know of a user.
    @Test func whatUserHasAlreadyIsNoChange() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        var client = ParseClient(server)
        let data = JSONValue.object([
            "anonymous": .object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        let made = try await client.ask("POST", "/users", ["authData": data]).json().members
        client.token = made?["sessionToken"]?.string
        let id = try await client.get("GET", "/users/me")["objectId"]?.string ?? ""
        _ = try await client.get("PUT", "/users/\(id)", ["authData": data, "city": "Bern"])
        #expect(try await client.get("GET", "/users/me")["city"] == "Bern")
        let other = JSONValue.object([
            "anonymous": .object(["id": "00000000-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        #expect(
            try await client.ask("PUT", "/users/\(id)", ["authData": other]).parseCode() == 119)
    }

    /// A refusal leaves all as it was.
    @Test func refusedChangeOfAccountIsNone() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        let client = try await ParseClient.signedIn("a", to: server)
        for members in [["password": "x"], ["sky": "x"]] as [[String: JSONValue]] {
            let form = members.merging(["email": "new@b.c"]) { $1 }
            let refused = try await client.ask("PUT", "/users/\(client.userID)", form)
            #expect(refused.status == 400, "\(refused.text)")
            #expect(try await client.get("GET", "/users/me")["email"] == nil)
        }
    }

    @Test func anonymousUserIsKnownAgain() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        var client = ParseClient(server)
        let data = JSONValue.object([
            "anonymous": .object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        let first = try await client.ask("POST", "/users", ["authData": data])
        #expect(first.status == 201)
        let again = try await client.ask("POST", "/users", ["authData": data])
        #expect(again.status == 200)
        let (one, other) = (try first.json().members, try again.json().members)
        #expect(one?["objectId"] == other?["objectId"])
        client.token = other?["sessionToken"]?.string
        _ = try await client.create("Note", ["text": "mine"])
        let short = JSONValue.object(["anonymous": .object(["id": "1"])])
        #expect(try await client.ask("POST", "/users", ["authData": short]).parseCode() == 252)
    }

    /// The key passes by no right: those of its user decide.
    @Test func masterKeyIsUser() async throws {
        let server = try await RunningServer.parse([
            "--parse-master-key", "the master", "--parse-master-user", "b",
        ])
        let a = try await ParseClient.signedIn("a", to: server)
        let note = try await a.create("Note", ["text": "of a"])
        let score = try await a.create("Score", ["player": "a"])
        let anyone = ParseClient(server)
        func ask(_ path: String, _ key: String) async throws -> Answer {
            try await anyone.ask("GET", path, headers: ["X-Parse-Master-Key": key])
        }
        #expect(try await ask("/classes/Score/\(score)", "the master").status == 200)
        #expect(try await ask("/classes/Note/\(note)", "the master").parseCode() == 101)
        #expect(try await ask("/classes/Score/\(score)", "another").parseCode() == 101)
    }

    @Test func appIsEnvironment() async throws {
        let server = try await RunningServer.parse()
        var client = ParseClient(server)
        client.application = "other"
        let answer = try await client.ask("GET", "/config")
        #expect(answer.status == 403 && answer.text == #"{"error":"unauthorized"}"#)
        client.application = "test"
        #expect(try await client.ask("GET", "/config").text == #"{"params":{}}"#)
        client.prefix = "/1"
        #expect(try await client.ask("GET", "/config").status == 200)
        let health = try await server.request("GET", "/parse/health")
        #expect(health.text == #"{"status":"ok"}"#)
    }

    /// Pages of every origin may read every answer.
    @Test func answersHaveHeadersForPages() async throws {
        let server = try await RunningServer.parse()
        for (method, path, status) in [
            ("OPTIONS", "/classes/Score", 200), ("GET", "/classes/Score", 403),
            ("GET", "/health", 200),
        ] {
            let answer = try await server.request(method, "/parse\(path)")
            #expect(answer.status == status)
            #expect(answer.header("Access-Control-Allow-Origin") == "*")
            #expect(
                answer.header("Access-Control-Expose-Headers")
                    == "X-Parse-Job-Status-Id, X-Parse-Push-Status-Id")
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    /// A field cannot be called `owner`, but clients know it by that name; so with models.
    @Test func clientsKnowAliases() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let id = try await client.create("Note", ["owner": "me"])
        let filter = JSONValue.object(["owner": "me"])
        let found = try await client.find("Note", ["where": filter, "keys": "owner"])
        #expect(found.map { $0["objectId"] } == [.string(id)])
        #expect(found.map { $0["owner"] } == ["me"])
        #expect(try await client.ask("POST", "/classes/Note", ["owner_": "x"]).parseCode() == 119)

        let first = try await client.create("Memory", [:])
        let pointer = JSONValue.object([
            "__type": "Pointer", "className": "Memory", "objectId": .string(first),
        ])
        let second = try await client.create("Memory", ["holder": pointer])
        let held = try await client.find("Memory", ["where": .object(["holder": pointer])])
        #expect(held.map { $0["objectId"] } == [.string(second)])
        #expect(held.first?["holder"] == pointer)
        #expect(try await client.ask("GET", "/classes/Keepsake").parseCode() == 119)
    }

    @Test func wireIsOffByDefault() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        #expect(try await server.request("GET", "/parse/health").status == 404)
    }

    // MARK: - Files

    @Test(arguments: ["test", "test@2", "the/app?"])
    func fileIsShownByLinkOfItsUser(application: String) async throws {
        let server = try await RunningServer.parse(["--parse-applications", "the/app?=test@2"])
        var client = try await ParseClient.signedIn("a", to: server)
        client.application = application
        let bytes = Data((0..<200_000).map { UInt8($0 % 251) })
        let uploaded = try await server.request(
            "POST", "/parse/files/a%20b.png", body: bytes,
            headers: [
                "X-Parse-Application-Id": application,
                "X-Parse-Session-Token": try #require(client.token),
                "Content-Type": "image/png",
            ])
        #expect(uploaded.status == 201, "\(uploaded.text)")
        let file = try #require(try uploaded.json().members)
        let name = try #require(file["name"]?.string)
        #expect(name.hasSuffix("_a b.png"))
        let picture = JSONValue.object(["__type": "File", "name": .string(name)])
        let id = try await client.create("Score", ["player": "a", "picture": picture])
        let found = try await client.get("GET", "/classes/Score/\(id)")
        let url = try #require(found["picture"]?.members?["url"]?.string)
        let path = try #require(URLComponents(string: url)?.percentEncodedPath)
        let contents = try await server.request("GET", path)
        #expect(contents.status == 200 && contents.body == bytes)
        #expect(contents.header("Content-Disposition") == "attachment")
        _ = try await client.get("POST", "/logout")
        #expect(try await server.request("GET", path).parseCode() == 209)
        #expect(try await server.request("GET", "/parse/files/test/x/y.png").parseCode() == 101)
    }

    @Test func fileOfPageIsBase64() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: .body)
        let file = try await client.get(
            "POST", "/files/a.txt",
            [
                "base64": "aGFsbG8=", "_ContentType": "text/plain",
            ])
        let url = try #require(file["url"]?.string)
        let path = try #require(URLComponents(string: url)?.percentEncodedPath)
        #expect(try await server.request("GET", path).text == "hallo")
        #expect(try await client.ask("POST", "/files/-a", ["base64": ""]).parseCode() == 122)
        let anyone = ParseClient(server, manner: .body)
        #expect(try await anyone.ask("POST", "/files/a", ["base64": ""]).parseCode() == 130)
    }
}
