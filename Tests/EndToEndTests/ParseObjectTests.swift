import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Clients of Parse create, find, update and delete objects")
struct ParseObjectTests {
    @Test(arguments: ParseClient.Manner.allCases)
    func objectLives(manner: ParseClient.Manner) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: manner)
        let answer = try await client.ask(
            "POST", "/classes/Score", ["player": "Anna", "points": 11, "price": .decimal("1.5")])
        #expect(answer.status == 201)
        let made = try #require(try answer.json().members)
        let id = try #require(made["objectId"]?.string)
        let created = try #require(made["createdAt"]?.string)
        #expect(id.wholeMatch(of: /[A-Za-z0-9]{10}/) != nil)
        #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(made["cheated"] == .boolean(false))
        #expect(answer.header("Location")?.hasSuffix("/parse/classes/Score/\(id)") == true)

        let path = "/classes/Score/\(id)"
        #expect(
            try await client.get("GET", path) == [
                "objectId": .string(id), "createdAt": .string(created),
                "updatedAt": .string(created), "player": "Anna", "points": 11,
                "price": .decimal("1.5"), "cheated": .boolean(false),
            ])
        let updated = try await client.get("PUT", path, ["points": 12, "price": .null])
        #expect(try #require(updated["updatedAt"]?.string) > created)
        let found = try await client.find("Score", ["where": .object(["points": 12])])
        #expect(found.map { $0["objectId"] } == [.string(id)] && found[0]["price"] == nil)
        #expect(try await client.ask("DELETE", path).text == "{}")
        for method in ["GET", "DELETE", "PUT"] {
            let gone = try await client.ask(method, path, method == "PUT" ? ["points": 1] : [:])
            #expect(try gone.status == 404 && gone.parseCode() == 101)
        }
    }

    /// Nobody has to, but a client that names the state it knows overwrites no other.
    @Test func staleChangeIsRefusedOnRequest() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let made = try await client.ask("POST", "/classes/Score", ["player": "A", "points": 1])
        let id = try #require(try made.json().members?["objectId"]?.string)
        let path = "/classes/Score/\(id)"
        let first = try #require(made.header("ETag"))
        #expect(try await client.ask("GET", path).header("ETag") == first)
        let add = JSONValue.object(["__op": "Increment", "amount": 2])
        let added = try await client.ask("PUT", path, ["points": add], headers: ["If-Match": first])
        #expect(added.status == 200 && added.header("ETag") == "\"2\"")
        #expect(try added.json().members?["points"] == 3)
        for (method, tag, status) in [
            ("PUT", first, 412), ("DELETE", first, 412), ("PUT", "\"\(Int64.min)\"", 412),
            ("DELETE", "\"\(Int64.max)\"", 412), ("PUT", "7", 400), ("PUT", "*", 200),
            ("DELETE", "\"3\"", 200),
        ] {
            let answer = try await client.ask(
                method, path, method == "PUT" ? ["player": "B"] : [:], headers: ["If-Match": tag])
            #expect(answer.status == status, "\(method) \(tag) \(answer.text)")
            guard status == 412 else { continue }
            #expect(try answer.parseCode() == 142)
            #expect(try answer.json().members?["object"]?.members?["points"] == 3)
        }
    }

    /// Kept in the history of the record, as of any other client.
    @Test func nativeClientsSeeSameRecord() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create("Score", ["player": "Anna", "objectId": "my id"])
        #expect(id == "my id")
        let records = try await server.client("a").sync().records.filter { $0.model == "Score" }
        #expect(records.map { $0.fields?["player"] } == ["Anna"])
        let guid = try #require(records.first?.guid)
        let game = try await client.create("Game", ["name": "Go"])
        _ = try await client.get(
            "PUT", "/classes/Score/\(guid)", ["game": .pointer("Game", game)])
        let found = try await client.find("Score")
        #expect(found.map { $0["objectId"] } == ["my id"])
        #expect(found.map { $0["game"] } == [.pointer("Game", game)])
    }

    /// Apps compare pointers with ids that they have, whatever became of the object.
    @Test func pointerKeepsID() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in
            // Users see their own notes only.
            parseDefinition.replacing(">Keepsake</option>", with: ">Note</option>")
        }
        let server = try await RunningServer(
            site: site, arguments: ["--parse", "--parse-accounts", "own"])
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        let note = JSONValue.pointer("Note", try await a.create("Note", ["text": "of a"]))
        let memory = try await a.create("Memory", ["holder": note])
        #expect(try await b.get("GET", "/classes/Memory/\(memory)")["holder"] == note)
        let host = try await b.create("Game", ["name": "Go"])
        let pointer = JSONValue.pointer("Game", host)
        let game = try await b.create("Game", ["host": pointer])
        let user = JSONValue.pointer("_User", a.userID)
        let score = try await b.create("Score", ["player": "b", "user": user])
        _ = try await b.get("DELETE", "/classes/Game/\(host)")
        _ = try await a.get("DELETE", "/users/\(a.userID)")
        #expect(try await b.get("GET", "/classes/Game/\(game)")["host"] == pointer)
        #expect(try await b.get("GET", "/classes/Score/\(score)")["user"] == user)
        let found = try await b.find("Game", ["where": .object(["host": pointer])])
        #expect(found.map { $0["host"] } == [pointer])
    }

    struct Mistake: Sendable {
        let code: Int64
        var status = 400
        var path = "/classes/Score"
        let members: [String: JSONValue]

        init(
            _ code: Int64, _ members: [String: JSONValue], status: Int = 400,
            path: String = "/classes/Score"
        ) {
            self.code = code
            self.members = members
            self.status = status
            self.path = path
        }
    }

    static let mistakes = [
        Mistake(142, [:]), Mistake(111, ["player": 1]), Mistake(119, ["player": "a", "x": 1]),
        Mistake(105, ["player": "a", "_x": 1]), Mistake(142, ["player": "a", "points": 1001]),
        Mistake(137, ["player": "a", "code": "taken"]),
        Mistake(137, ["player": "a", "objectId": "taken"]),
        Mistake(106, ["player": "a", "game": .pointer("Game", "none")]),
        Mistake(111, ["player": "a", "game": .pointer("Score", "none")]),
        Mistake(108, ["player": .object(["__op": "Multiply"])]),
        Mistake(111, ["player": "a", "code": .object(["__op": "Add", "objects": .array([])])]),
        Mistake(119, ["a": 1], path: "/classes/Unknown"),
        Mistake(123, ["player": "a", "ACL": .object([:])]),
        Mistake(101, ["player": "a"], status: 404, path: "/classes/Score/none"),
    ]

    @Test func mistakesHaveCodes() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        _ = try await client.create("Score", ["player": "a", "code": "taken", "objectId": "taken"])
        for mistake in Self.mistakes {
            let answer = try await client.ask(
                mistake.path.hasSuffix("none") ? "PUT" : "POST", mistake.path, mistake.members)
            #expect(
                try answer.status == mistake.status && answer.parseCode() == mistake.code,
                "\(mistake.members) \(answer.text)")
        }
        #expect(try await client.find("Score").count == 1)
    }

    @Test func wrongTypeIsNamed() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        for (members, text) in [
            (["player": 1], "player; expected String but got Number"),
            (["player": "a", "points": "1"], "points; expected Number but got String"),
            (["player": "a", "at": .array([])], "at; expected Date but got Array"),
            (["player": "a", "place": .object([:])], "place; expected GeoPoint but got Object"),
            (["player": "a", "meta": "[]"], "meta; expected Object or Array but got String"),
            (
                ["player": "a", "points": .decimal("3.5")],
                "points; expected a whole Number of 64 bits"
            ),
            (
                ["player": "a", "game": .pointer("Score", "x")],
                "game; expected a Pointer to an object of its class"
            ),
            (
                ["player": "a", "at": .object(["__type": "Date", "iso": "today"])],
                "at; expected a Date such as 2026-11-21T05:58:23.176Z"
            ),
        ] as [([String: JSONValue], String)] {
            let answer = try await client.ask("POST", "/classes/Score", members)
            let error = try answer.json().members?["error"]?.string
            #expect(error == "schema mismatch for Score.\(text)")
        }
    }

    /// Others may see a score, not change it; they see no note at all.
    @Test func rightsAreThoseOfDefinition() async throws {
        let server = try await RunningServer.parse()
        let own = try await ParseClient.signedIn("a", to: server)
        let other = try await ParseClient.signedIn("b", to: server)
        let score = try await own.create("Score", ["player": "a", "secret": "s"])
        let note = try await own.create("Note", ["text": "t"])
        let refused = try await other.ask("PUT", "/classes/Score/\(score)", ["player": "b"])
        #expect(try refused.status == 400 && refused.parseCode() == 119)
        for method in ["GET", "PUT", "DELETE"] {
            let answer = try await other.ask(method, "/classes/Note/\(note)")
            #expect(try answer.status == 404 && answer.parseCode() == 101)
        }
        #expect(try await other.find("Note").isEmpty)
        #expect(try await other.find("Score").map { $0["secret"] } == [nil])
        let bySecret = ["where": JSONValue.object(["secret": "s"])]
        #expect(try await other.find("Score", bySecret).isEmpty)
        #expect(try await own.find("Score", bySecret).count == 1)
        let anyone = ParseClient(server)
        #expect(try await anyone.ask("GET", "/classes/Score").parseCode() == 101)
    }

    @Test func accessListThatIsKeptIsAccepted() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let own = JSONValue.object([
            client.userID: .object(["read": .boolean(true), "write": .boolean(true)])
        ])
        _ = try await client.create("Note", ["text": "t", "ACL": own])
        #expect(try await client.find("Note").map { $0["ACL"] } == [nil])
        let narrow = try await client.ask("POST", "/classes/Score", ["player": "a", "ACL": own])
        #expect(try narrow.parseCode() == 123)
    }

    /// Each addition is decided on what the one before it wrote, and each is told its own sum.
    @Test func incrementsAddUp() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create(
            "Score",
            [
                "player": "a", "points": .object(["__op": "Increment", "amount": 1]),
            ])
        let increment: [String: JSONValue] = [
            "points": .object(["__op": "Increment", "amount": 2])
        ]
        let told = try await withThrowingTaskGroup(of: JSONValue.self) { group in
            for _ in 1...10 {
                group.addTask {
                    try await client.get("PUT", "/classes/Score/\(id)", increment)["points"]
                        ?? .null
                }
            }
            return try await group.reduce(into: Set<JSONValue>()) { $0.insert($1) }
        }
        let sums = (1...10).map { JSONValue.integer(Int64(1 + 2 * $0)) }
        #expect(told == Set(sums))
        #expect(try await client.find("Score").map { $0["points"] } == [21])
        let excess = try await client.ask(
            "PUT", "/classes/Score/\(id)",
            ["points": .object(["__op": "Increment", "amount": 1000])])
        #expect(try excess.parseCode() == 142)
    }

    // MARK: - Repeats

    @Test func repeatGetsFirstAnswer() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let request = ["player": JSONValue.string("a")]
        let first = try await client.get("POST", "/classes/Score", request, requestID: "r1")
        #expect(try await client.get("POST", "/classes/Score", request, requestID: "r1") == first)
        let id = try #require(first["objectId"]?.string)
        let increment: [String: JSONValue] = [
            "points": .object(["__op": "Increment", "amount": 2])
        ]
        let path = "/classes/Score/\(id)"
        let sum = try await client.get("PUT", path, increment, requestID: "r2")
        #expect(sum["points"] == 2)
        #expect(try await client.get("PUT", path, increment, requestID: "r2") == sum)
        // A later change of another request is none of the repeat's.
        _ = try await client.get("PUT", path, increment)
        let again = try await client.get("PUT", path, increment, requestID: "r2")
        #expect(again["points"] == 2)
        #expect(try #require(again["updatedAt"]?.string) <= #require(sum["updatedAt"]?.string))
        #expect(try await client.find("Score").map { $0["points"] } == [4])
        for _ in 1...2 {
            _ = try await client.get("DELETE", "/classes/Score/\(id)", requestID: "r3")
        }
    }

    /// Apps that make the ids of requests themselves may make the same ones.
    @Test func repeatIsOfOneUserAndInstallation() async throws {
        let server = try await RunningServer.parse()
        let a = try await ParseClient.signedIn("a", to: server)
        let b = try await ParseClient.signedIn("b", to: server)
        let other = try await ParseClient.signedIn("a", to: server, installation: "tablet")
        var ids: [JSONValue?] = []
        for client in [a, b, other, a] {
            ids.append(
                try await client.get(
                    "POST", "/classes/Score", ["player": "x"], requestID: "1")["objectId"])
        }
        #expect(Set(ids).count == 3 && ids[0] == ids[3], "\(ids)")
        #expect(try await a.find("Score").count == 3)
    }

    /// Some clients save all fields, with numbers as they read them.
    @Test func roundedNumberIsNoChange() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let amount = JSONValue.decimal("1234567890123456.789")
        let id = try await client.create("Score", ["player": "a", "price": amount])
        let path = "/classes/Score/\(id)"
        let rounded = JSONValue.decimal("1234567890123456.8")
        let done = try await client.ask("PUT", path, ["player": "a", "price": rounded])
        #expect(done.header("ETag") == "\"1\"")
        #expect(try await client.get("GET", path)["price"] == amount)
        // Nor does it need the right to change the field.
        let stake: [String: JSONValue] = ["stake": .decimal("12345678901234567.125")]
        let game = try await client.create("Game", stake)
        let other = try await ParseClient.signedIn("b", to: server)
        for (sent, code) in [(12_345_678_901_234_568, nil), (1, 119)] as [(Int64, Int64?)] {
            let answer = try await other.ask(
                "PUT", "/classes/Game/\(game)", ["name": "Go", "stake": .integer(sent)])
            #expect(answer.status == (code == nil ? 200 : 400), "\(answer.text)")
            if let code { #expect(try answer.parseCode() == code) }
        }
        let shown = try await client.get("GET", "/classes/Game/\(game)")
        #expect(shown["stake"] == stake["stake"] && shown["name"] == "Go")
    }

    /// The client for iOS sends one id with everything; another body is another request.
    @Test func idOfAllRequestsRepeatsNothing() async throws {
        let server = try await RunningServer.parse()
        var client = try await ParseClient.signedIn("a", to: server)
        for player in ["a", "b"] {
            _ = try await client.get(
                "POST", "/classes/Score", ["player": .string(player)], requestID: "r")
        }
        client.version = "i6.1.1"
        for _ in 1...2 {
            _ = try await client.get("POST", "/classes/Score", ["player": "c"], requestID: "r")
        }
        #expect(try await client.find("Score").count == 4)
    }

    // MARK: - Batches

    @Test func batchIsDoneInOrder() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let answer = try await client.ask(
            "POST", "/batch",
            [
                "requests": .array([
                    .request("POST", "Score", ["player": "a", "game": .pointer("Game", "g")]),
                    .request("POST", "Game", ["objectId": "g", "name": "Go"]),
                    .request("PUT", "Game/g", ["name": "Chess"]),
                    .request("DELETE", "Game/none"), .request("POST", "Score", ["player": 1]),
                    .request("DELETE", "Game/50%"),
                ])
            ])
        guard case .array(let results) = try answer.json() else { throw Unexpected(answer.text) }
        #expect(
            results.map { $0.members?["success"] != nil }
                == [true, true, true, false, false, false])
        #expect(results[3].members?["error"]?.members?["code"] == 101)
        #expect(results[4].members?["error"]?.members?["code"] == 111)
        #expect(results[5].members?["error"]?.members?["code"] == 102)
        #expect(try await client.find("Game").map { $0["name"] } == ["Chess"])
        let found = try await client.find("Score", ["include": "game"])
        #expect(found.first?["game"]?.members?["name"] == "Chess")
    }

    @Test func transactionIsAllOrNothing() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        func send(_ requests: JSONValue...) async throws -> Answer {
            try await client.ask(
                "POST", "/batch",
                ["requests": .array(requests), "transaction": .boolean(true)])
        }
        let good = JSONValue.request("POST", "Game", ["objectId": "g"])
        let failed = try await send(good, .request("PUT", "Game/none", ["name": "x"]))
        #expect(try failed.status == 400 && failed.parseCode() == 101)
        #expect(try await client.find("Game").isEmpty)
        #expect(try await send(good).status == 200)
        #expect(try await client.find("Game").count == 1)
    }

    @Test func batchPathBeginsWithAddress() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        for path in ["/classes/Game", "/1/classes/Game", "parse/classes/Game"] {
            let answer = try await client.ask(
                "POST", "/batch",
                [
                    "requests": .array([
                        .object(["method": "POST", "path": .string(path), "body": .object([:])])
                    ])
                ])
            #expect(try answer.parseCode() == 107, "\(path)")
        }
    }
}

extension JSONValue {
    /// A request of a batch.
    fileprivate static func request(
        _ method: String, _ path: String, _ body: [String: JSONValue] = [:]
    ) -> JSONValue {
        .object([
            "method": .string(method), "path": .string("/parse/classes/\(path)"),
            "body": .object(body),
        ])
    }
}
