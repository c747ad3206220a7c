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

    /// Without a session, a user's own requests are refused; with one that has ended, all are but
    /// that for a new one.
    @Test func endedSessionIsToldEverywhere() async throws {
        let server = try await RunningServer.parse(["--parse-accounts", "own", "--guest", "b"])
        var client = try await ParseClient.signedIn("a", to: server)
        let path = "/users/\(client.userID)"
        let anyone = ParseClient(server)
        for method in ["PUT", "DELETE"] {
            let refused = try await anyone.ask(method, path)
            #expect(try refused.status == 400 && refused.parseCode() == 206, "\(method)")
        }
        _ = try await client.get("POST", "/logout")
        for (method, path) in [
            ("GET", "/config"), ("POST", "/events/AppOpened"), ("POST", "/functions/f"),
            ("POST", "/requestPasswordReset"), ("POST", "/users"), ("PUT", path),
            ("DELETE", path), ("GET", "/classes/Score"), ("POST", "/batch"), ("GET", "/roles"),
            ("GET", "/schemas"), ("POST", "/installations"), ("POST", "/logout"),
        ] {
            let refused = try await client.ask(method, path)
            #expect(try refused.status == 400 && refused.parseCode() == 209, "\(method) \(path)")
        }
        let password = JSONValue.string(PreparedDatabase.password(of: "a"))
        let user = try await client.get("POST", "/login", ["username": "a", "password": password])
        client.token = user["sessionToken"]?.string
        #expect(try await client.ask("GET", "/config").status == 200)
    }

    @Test func sessionsAreFound() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let session = try await client.get("GET", "/sessions/me")
        let id = try #require(session["objectId"]?.string)
        for (condition, count) in [
            ("{}", 1), (#"{"objectId":"\#(id)"}"#, 1), (#"{"objectId":{"$ne":"\#(id)"}}"#, 0),
            (#"{"installationId":{"$in":["\#(client.installation)"]}}"#, 1),
            (#"{"user":\#(JSONValue.pointer("_User", client.userID).text)}"#, 1),
            (#"{"user":\#(JSONValue.pointer("_User", "x").text)}"#, 0),
        ] {
            let filter = try parseJSON(Array(condition.utf8))
            let found = try await client.get(
                "GET", "/classes/_Session", ["where": filter, "count": 1])
            #expect(found["count"] == .integer(Int64(count)), "\(condition)")
            #expect(found["results"] == .array(count == 1 ? [.object(session)] : []))
            let counted = try await client.get(
                "GET", "/sessions", ["where": filter, "count": 1, "limit": 0])
            #expect(counted == ["results": .array([]), "count": .integer(Int64(count))])
        }
        let keys = try await client.find("_Session", ["keys": "user", "order": "-createdAt"])
        #expect(
            keys.map { Set($0.keys) } == [["objectId", "createdAt", "updatedAt", "user"]])
        let order = "user,user,other,objectId,createdAt,-user,updatedAt"
        #expect(try await client.find("_Session", ["order": .string(order)]).count == 1)
        let many = try await client.ask(
            "GET", "/sessions", ["order": .string(order + ",expiresAt")])
        #expect(try many.parseCode() == 102)
        let bad = try await client.ask(
            "GET", "/sessions", ["where": .object(["objectId": .object(["$gt": "a"])])])
        #expect(try bad.parseCode() == 102)
        #expect(try await client.get("GET", "/sessions/\(id)") == session)
        #expect(try await client.ask("DELETE", "/sessions/other").parseCode() == 101)
        #expect(try await client.ask("DELETE", "/sessions/\(id)").text == "{}")
        #expect(try await client.ask("GET", "/users/me").parseCode() == 209)
    }

    /// Also where a client asks for a connection that stays open.
    @Test func liveQueriesAreNotSpoken() async throws {
        let server = try await RunningServer.parse()
        for upgrade in ["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"] {
            let connection = try RawConnection(port: server.port)
            connection.send(
                "GET /parse HTTP/1.1\r\nHost: x\r\n\(upgrade)Sec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
            let answer = await connection.receive(until: "}")
            #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer)")
            #expect(answer.contains(#""code":108"#) && answer.contains(#""error":"#))
        }
        for path in ["/hooks/functions", "/graphql"] {
            let answer = try await ParseClient(server).ask("GET", path)
            #expect(try answer.status == 404 && answer.parseCode() == 101, "\(path)")
        }
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

    /// The key passes by no right: those of its user decide.
    @Test func masterKeyIsUser() async throws {
        let server = try await RunningServer.parseWithMaster()
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

    private static let twoGroups: String = {
        func credentials(_ users: String, _ more: String = "") -> String {
            """
            <credentials><credential role="users-mobile" createAllowed="ALL" readAllowed="\(users)"
              updateAllowed="\(users)" \(more)/><credential role="admins-mobile" createAllowed="ALL"
              readAllowed="ALL" updateAllowed="ALL" \(more)/></credentials>
            """
        }
        return """
            <application xmlns="http://schema.mobeelizer.com/application" application="conflicts"
              vendor="waggle" conflictMode="MANUAL"><devices><device name="mobile"/></devices>
            <groups><group name="users"/><group name="admins"/></groups><roles>
            <role group="users" device="mobile"/><role group="admins" device="mobile"/></roles>
            <models><model name="Note"><fields><field name="text" type="TEXT">
            \(credentials("ALL"))</field></fields>
            \(credentials("OWN", #"deleteAllowed="OWN""#))</model></models></application>
            """
    }()

    /// The definition lets in whom it lets in to the objects of their owner, whoever changes them.
    @Test func accessListIsOfOwner() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in Self.twoGroups }
        let server = try await RunningServer(site: site, arguments: ["--parse"])
        try await server.addChief(to: "admins")
        let a = try await ParseClient.signedIn("a", to: server)
        let chief = try await ParseClient.signedIn("chief", to: server)
        let note = try await a.create("Note", ["text": "of a"])
        func list(_ names: String...) -> JSONValue {
            let rights = JSONValue.object(["read": .boolean(true), "write": .boolean(true)])
            return .object(Dictionary(uniqueKeysWithValues: names.map { ($0, rights) }))
        }
        let narrow = try await chief.ask(
            "PUT", "/classes/Note/\(note)", ["ACL": list("role:admins"), "text": "read"])
        #expect(try narrow.parseCode() == 123, "\(narrow.text)")
        #expect(try await a.get("GET", "/classes/Note/\(note)")["text"] == "of a")
        _ = try await chief.get(
            "PUT", "/classes/Note/\(note)", ["ACL": list("role:admins", a.userID), "text": "read"])
        #expect(try await a.get("GET", "/classes/Note/\(note)")["text"] == "read")
        _ = try await chief.create("Note", ["ACL": list("role:admins")])
    }

    /// The key of any other user is passed over.
    @Test(arguments: ["b", "nobody"]) func masterKeyIsOfAdmin(login: String) async throws {
        let server = try await RunningServer.parse([
            "--parse-master-key", "the master", "--parse-master-user", login,
            "--application-key", "app",
        ])
        var anyone = ParseClient(server)
        let headers = ["X-Parse-Master-Key": "the master"]
        #expect(try await anyone.ask("GET", "/classes/Score", headers: headers).status == 403)
        anyone.key = "app"
        for (method, path) in [("GET", "/schemas"), ("DELETE", "/files/x")] {
            let refused = try await anyone.ask(method, path, headers: headers)
            #expect(refused.status == 403, "\(path) \(refused.text)")
        }
        let found = try await anyone.ask("GET", "/classes/Score", headers: headers)
        #expect(try found.parseCode() == 101)
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

    /// The name of the app, and a key of it or the master key.
    @Test func basicAuthorizationIsUnderstood() async throws {
        let server = try await RunningServer.parseWithMaster([
            "--application-key", "k", "--guest", "a",
        ])
        for (text, path, status) in [
            ("test:javascript-key=k", "/classes/Note", 200),
            ("test:javascript-key=x", "/classes/Note", 403), ("test:the master", "/schemas", 200),
            ("test:another", "/schemas", 403), ("other:javascript-key=k", "/classes/Note", 403),
        ] {
            let code = Data(text.utf8).base64EncodedString()
            let answer = try await server.request(
                "GET", "/parse\(path)", headers: ["Authorization": "Basic \(code)"])
            #expect(answer.status == status, "\(text) \(answer.text)")
        }
    }

    /// The hosted service had another address than the server.
    @Test func addressOfHostedServiceIsServed() async throws {
        let server = try await RunningServer.parse()
        var client = try await ParseClient.signedIn("a", to: server)
        client.prefix = "/1"
        let made = try await client.ask("POST", "/classes/Score", ["player": "a"])
        let id = try #require(try made.json().members?["objectId"]?.string)
        #expect(made.header("Location")?.hasSuffix("/1/classes/Score/\(id)") == true)
        for (base, status) in [("/1", 200), ("/parse", 400)] {
            let request = JSONValue.object([
                "method": "PUT", "path": .string("\(base)/classes/Score/\(id)"),
                "body": .object(["player": .string(base)]),
            ])
            let done = try await client.ask("POST", "/batch", ["requests": .array([request])])
            #expect(done.status == status, "\(done.text)")
        }
        #expect(try await client.get("GET", "/classes/Score/\(id)")["player"] == "/1")
        client.manner = .body
        let file = try await client.get("POST", "/files/a.txt", ["base64": "aGFsbG8="])
        let url = file["url"]?.string.flatMap { URLComponents(string: $0) }
        let path = try #require(url?.percentEncodedPath)
        #expect(path.hasPrefix("/1/files/"))
        #expect(try await server.request("GET", path).text == "hallo")
    }

    /// The client for Swift takes an object with such a text for an error.
    @Test func misreadFieldIsLoggedOnce() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in
            parseDefinition.replacing(#"w:alias="owner""#, with: #"w:alias="message""#)
        }
        let server = try await RunningServer(site: site, arguments: ["--parse"])
        for _ in 0..<2 {
            #expect(try await ParseClient(server).ask("GET", "/config").status == 200)
        }
        let lines = try server.log().split(separator: "\n").filter { $0.contains("Note.message") }
        #expect(lines.count == 1 && lines[0].contains("for errors"), "\(lines)")
    }

    private static let allowedHeaders: Set<String> = [
        "X-Parse-Master-Key", "X-Parse-REST-API-Key", "X-Parse-Javascript-Key",
        "X-Parse-Client-Key", "X-Parse-Windows-Key", "X-Parse-Application-Id",
        "X-Parse-Client-Version", "X-Parse-Session-Token", "X-Parse-Installation-Id",
        "X-Parse-Revocable-Session", "X-Parse-Request-Id", "X-Requested-With", "Authorization",
        "If-Match", "Content-Type", "Pragma", "Cache-Control",
    ]

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
            let exposed = answer.header("Access-Control-Expose-Headers") ?? ""
            #expect(
                exposed == "X-Parse-Job-Status-Id, X-Parse-Push-Status-Id, ETag, Retry-After")
            let allowed = answer.header("Access-Control-Allow-Headers") ?? ""
            #expect(Set(allowed.split(separator: ", ").map(String.init)) == Self.allowedHeaders)
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
}
