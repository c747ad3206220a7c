import Foundation
import JSON
import Testing

@Suite("Clients of Parse make and change accounts")
struct ParseAccountTests {
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
            (["username": "d", "password": "short"], 142),
        ] as [([String: JSONValue], Int64)] {
            let refused = try await ParseClient(server).ask(
                "POST", "/users", form.merging(members) { $1 })
            #expect(try refused.parseCode() == code, "\(members) \(refused.text)")
        }
        #expect(
            try await ParseClient(server).ask(
                "POST", "/login", ["username": "d", "password": "a long password"]
            ).parseCode() == 101)
        let short = try await ParseClient(server).ask(
            "POST", "/users", ["username": "d", "password": "short"])
        #expect(short.text.contains("at least 8 characters"), "\(short.text)")
    }

    /// Clients keep the answer to a sign-up as their user.
    @Test func signUpTellsWhatClientCannotKnow() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in
            parseDefinition.replacing(
                #"name="city" type="TEXT""#, with: #"name="city" type="TEXT" defaultValue="Bonn""#)
        }
        let server = try await RunningServer(site: site, arguments: ["--parse"] + Self.signUp)
        let form: [String: JSONValue] = ["username": "cora", "password": "a long password"]
        let made = try await ParseClient(server).get("POST", "/users", form)
        #expect(Set(made.keys) == ["objectId", "createdAt", "sessionToken", "city"])
        #expect(made["city"] == "Bonn")
        let data = JSONValue.object([
            "anonymous": .object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        var client = ParseClient(server)
        let anonymous = try await client.get(
            "POST", "/users", ["authData": data, "city": "Ulm"])
        client.token = anonymous["sessionToken"]?.string
        let me = try await client.get("GET", "/users/me")
        #expect(anonymous["username"] == me["username"] && anonymous["city"] == nil)
        #expect(me["username"] != nil && me["city"] == "Ulm")
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

    /// Nobody else gets the id of a profile that was deleted with its user.
    @Test func loginOfFormerProfileIsTaken() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        let form: [String: JSONValue] = ["username": "cora", "password": "a long password"]
        var cora = ParseClient(server)
        let made = try await cora.get("POST", "/users", form.merging(["city": "Ulm"]) { $1 })
        cora.token = made["sessionToken"]?.string
        let id = try #require(made["objectId"]?.string)
        #expect(try await cora.ask("DELETE", "/users/\(id)").text == "{}")
        cora.token = nil
        for more in [[:], ["city": "Ulm"]] as [[String: JSONValue]] {
            let refused = try await cora.ask("POST", "/users", form.merging(more) { $1 })
            #expect(try refused.parseCode() == 202, "\(refused.text)")
            #expect(try await cora.ask("POST", "/login", form).parseCode() == 101)
        }
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
        let other = try await ParseClient.signedIn("b", to: server)
        _ = try await other.get("PUT", "/users/\(other.userID)", ["email": "taken@b.c"])
        for (members, code) in [
            (["password": "x"], 142), (["sky": "x"], 119), (["email": "taken@B.c"], 203),
            (["email": 5], 111), (["password": 5], 111), (["ACL": .object([:])], 123),
        ] as [([String: JSONValue], Int64)] {
            let form = ["email": "new@b.c", "city": "Ulm"].merging(members) { $1 }
            let refused = try await client.ask("PUT", "/users/\(client.userID)", form)
            #expect(try refused.parseCode() == code, "\(members) \(refused.text)")
            let me = try await client.get("GET", "/users/me")
            #expect(me["email"] == nil && me["city"] == nil, "\(members)")
        }
    }

    @Test(arguments: [JSONValue.null, .object(["__op": "Delete"])])
    func mailIsRemoved(value: JSONValue) async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        let client = try await ParseClient.signedIn("a", to: server)
        let path = "/users/\(client.userID)"
        _ = try await client.get("PUT", path, ["email": "a@b.c"])
        _ = try await client.get("PUT", path, ["email": value, "city": "Ulm"])
        let me = try await client.get("GET", "/users/me")
        #expect(me["email"] == nil && me["city"] == "Ulm")
    }

    /// A list that the definition does not keep is refused before anything is done.
    @Test func accessListOfUserIsChecked() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        let form: [String: JSONValue] = ["username": "cora", "password": "a long password"]
        var anyone = ParseClient(server)
        let narrow = JSONValue.object([:])
        let refused = try await anyone.ask("POST", "/users", form.merging(["ACL": narrow]) { $1 })
        #expect(try refused.parseCode() == 123)
        #expect(try await anyone.ask("POST", "/login", form).parseCode() == 101)
        let open = JSONValue.object(["*": .object(["read": .boolean(true)])])
        #expect(
            try await anyone.ask("POST", "/users", form.merging(["ACL": open]) { $1 }).parseCode()
                == 123, "the user may not write")
        let removed = JSONValue.object(["__op": "Delete"])
        let made = try await anyone.get("POST", "/users", form.merging(["ACL": removed]) { $1 })
        anyone.token = made["sessionToken"]?.string
        let id = try #require(made["objectId"]?.string)
        let kept = JSONValue.object([
            "*": .object(["read": .boolean(true)]), id: .object(["write": .boolean(true)]),
        ])
        for list in [kept, removed, .null] {
            let done = try await anyone.ask("PUT", "/users/\(id)", ["ACL": list, "city": "Ulm"])
            #expect(done.status == 200, "\(done.text)")
        }
        let own = JSONValue.object([id: .object(["read": .boolean(true), "write": .boolean(true)])])
        let late = try await anyone.ask("PUT", "/users/\(id)", ["ACL": own, "email": "c@b.c"])
        #expect(try late.parseCode() == 123)
        #expect(try await anyone.get("GET", "/users/me")["email"] == nil)
    }

    /// Without a model of users, there is no place for columns.
    @Test func columnsWithoutModelAreRefused() async throws {
        let server = try await RunningServer.parseWithoutProfiles(Self.signUp)
        var client = ParseClient(server)
        let form: [String: JSONValue] = [
            "username": "cora", "password": "a long password", "email": "cora@b.c",
        ]
        let refused = try await client.ask("POST", "/users", form.merging(["city": "Ulm"]) { $1 })
        #expect(try refused.parseCode() == 119, "\(refused.text)")
        #expect(try await client.ask("POST", "/login", form).parseCode() == 101)
        let made = try await client.get("POST", "/users", form)
        client.token = made["sessionToken"]?.string
        let id = try #require(made["objectId"]?.string)
        #expect(try await client.get("GET", "/users/\(id)")["email"] == "cora@b.c")
        for (condition, count) in [
            (#"{"username":{"$ne":"dora"}}"#, 1), (#"{"username":{"$nin":["cora"]}}"#, 0),
            (#"{"email":"cora@b.c"}"#, 1), (#"{"city":{"$exists":false}}"#, 1),
        ] {
            let found = try await client.find(
                "_User", ["where": try parseJSON(Array(condition.utf8))])
            #expect(found.count == count, "\(condition)")
        }
    }

    // MARK: - Signing in by mail

    /// A name that is a login is nothing else, and a mail address of several users is nobody's.
    @Test func mailAddressSignsIn() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        let client = ParseClient(server)
        let password = JSONValue.string("a long password")
        for (login, mail) in [
            ("anna", "anna@x.org"), ("bert", "eve@x.org"), ("eve@x.org", "e@x.org"),
        ] {
            _ = try await client.get(
                "POST", "/users",
                ["username": .string(login), "password": password, "email": .string(mail)])
        }
        for login in ["c", "d"] {
            let added = try await server.site.waggle(
                "user", "add", login, "--group", "users", "--mail", "both@x.org",
                "--password-stdin", input: "a long password")
            #expect(added.exitCode == 0, "\(added.errors)")
        }
        for (key, name, login) in [
            ("username", "anna@x.org", "anna"), ("username", "ANNA@x.org", "anna"),
            ("email", "anna@x.org", "anna"), ("username", "eve@x.org", "eve@x.org"),
            ("username", "both@x.org", nil), ("username", "na@x.org", nil),
            ("username", "nobody@x.org", nil), ("email", "%@x.org", nil),
        ] as [(String, String, String?)] {
            for path in ["/login", "/verifyPassword"] {
                let answer = try await client.ask(
                    "POST", path, [key: .string(name), "password": password])
                #expect(answer.status == (login == nil ? 404 : 200), "\(name) \(answer.text)")
                let user = try answer.json().members?["username"]?.string
                #expect(user == login, "\(name)")
            }
        }
        let wrong = try await client.ask(
            "POST", "/login", ["username": "anna@x.org", "password": "another password"])
        #expect(try wrong.parseCode() == 101)
    }

    // MARK: - Repeats

    @Test func signUpCanBeRepeated() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        var client = ParseClient(server)
        let form: [String: JSONValue] = [
            "username": "cora", "password": "a long password", "city": "Ulm",
        ]
        let first = try await client.ask("POST", "/users", form, requestID: "one")
        let again = try await client.ask("POST", "/users", form, requestID: "one")
        #expect(first.status == 201 && again.status == 201, "\(again.text)")
        let (one, other) = (try first.json().members, try again.json().members)
        #expect(one?["objectId"] == other?["objectId"] && one?["createdAt"] == other?["createdAt"])
        client.token = other?["sessionToken"]?.string
        #expect(try await client.get("GET", "/users/me")["city"] == "Ulm")
        client.token = nil
        #expect(try await client.ask("POST", "/users", form).parseCode() == 202)
        let guess = form.merging(["password": "another password"]) { $1 }
        let refused = try await client.ask("POST", "/users", guess, requestID: "one")
        #expect(try refused.parseCode() == 202)
    }

    /// The first change has ended the session with which the repeat comes.
    @Test func changeOfPasswordCanBeRepeated() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own"])
        var client = try await ParseClient.signedIn("a", to: server)
        let path = "/users/\(client.userID)"
        let form: [String: JSONValue] = ["password": "another password"]
        let first = try await client.get("PUT", path, form, requestID: "one")
        let again = try await client.get("PUT", path, form, requestID: "one")
        #expect(try await client.ask("PUT", path, form, requestID: "two").parseCode() == 209)
        #expect(try await client.ask("PUT", path, form).parseCode() == 209)
        for token in [first, again].map({ $0["sessionToken"]?.string }) {
            client.token = token
            #expect(try await client.get("GET", "/users/me")["username"] == "a")
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

    /// Clients end the service of an anonymous user who takes a name.
    @Test func anonymousUserStaysOne() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        var client = ParseClient(server)
        let data = JSONValue.object([
            "anonymous": .object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        ])
        let made = try await client.get("POST", "/users", ["authData": data])
        client.token = made["sessionToken"]?.string
        let path = "/users/\(made["objectId"]?.string ?? "")"
        let ended = JSONValue.object(["anonymous": .null])
        let named = try await client.ask(
            "PUT", path,
            ["username": "cora", "password": "a long password", "authData": ended])
        #expect(try named.parseCode() == 119 && named.text.contains("get no name"), "\(named.text)")
        #expect(try await client.ask("POST", "/users", ["authData": data]).status == 200)
        _ = try await client.get("PUT", path, ["authData": .object([:]), "city": "Ulm"])
        // Others have no service that could end.
        let b = try await ParseClient.signedIn("b", to: server)
        let own = "/users/\(b.userID)"
        _ = try await b.get("PUT", own, ["authData": ended, "city": "Bern"])
        #expect(try await b.get("GET", "/users/me")["city"] == "Bern")
        let other = JSONValue.object(["other": .object(["id": "x"])])
        #expect(try await b.ask("PUT", own, ["authData": other]).parseCode() == 252)
    }

    /// Nothing of a sign-up is dropped. Clients send a null for a service that ends.
    @Test func nameBesideServiceIsKeptOrRefused() async throws {
        let server = try await RunningServer.parse(Self.signUp)
        let client = ParseClient(server)
        let anonymous = JSONValue.object(["id": "4f0c1a52-9f1e-4a7e-8d62-3f4f3e6f0a10"])
        for (login, services, code) in [
            ("cora", [:], nil), ("dora", ["anonymous": .null], nil),
            ("emil", ["anonymous": anonymous], 252), ("emil", ["other": .object([:])], 252),
            ("emil", ["anonymous": anonymous, "other": .null], 252),
        ] as [(String, [String: JSONValue], Int64?)] {
            let form: [String: JSONValue] = [
                "username": .string(login), "password": "a long password",
            ]
            let answer = try await client.ask(
                "POST", "/users", form.merging(["authData": .object(services)]) { $1 })
            #expect(answer.status == (code == nil ? 201 : 400), "\(services) \(answer.text)")
            if let code { #expect(try answer.parseCode() == code) }
            let opened = try await client.ask("POST", "/login", form)
            #expect(opened.status == (code == nil ? 200 : 404), "\(services) \(opened.text)")
        }
        let alone = JSONValue.object(["anonymous": anonymous, "other": .null])
        let made = try await client.ask("POST", "/users", ["authData": alone, "username": ""])
        #expect(made.status == 201, "\(made.text)")
    }
}
