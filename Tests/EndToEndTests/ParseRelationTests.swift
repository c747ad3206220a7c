import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Clients of Parse relate objects")
struct ParseRelationTests {
    private static func operation(_ name: String, _ objects: JSONValue...) -> JSONValue {
        .object(["__op": .string(name), "objects": .array(objects)])
    }

    private static func related(_ className: String, _ id: String, _ key: String) -> JSONValue {
        .object([
            "$relatedTo": .object(["object": .pointer(className, id), "key": .string(key)])
        ])
    }

    private func players(
        of scores: [String: JSONValue], for client: ParseClient
    ) async throws -> [String] {
        try await client.find("Score", scores.merging(["order": "player"]) { $1 })
            .compactMap { $0["player"]?.string }
    }

    /// A client that has only read a pointer asks for the class of the object, with the key of the
    /// relation.
    @Test func keyRedirectsToClassOfRelation() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let score = try await client.create("Score", ["player": "a"])
        let game = try await client.create(
            "Game",
            ["name": "Go", "scores": Self.operation("AddRelation", .pointer("Score", score))])
        let found = try await client.find(
            "Game",
            ["where": Self.related("Game", game, "scores"), "redirectClassNameForKey": "scores"])
        #expect(found.map { $0["objectId"] } == [.string(score)])
        #expect(found.map { $0["className"] } == ["Score"] && found[0]["player"] == "a")
        let games = try await client.find("Game", ["redirectClassNameForKey": "name"])
        #expect(games.map { $0["objectId"] } == [.string(game)])
    }

    /// The answer to an addition is lost, and another client removes one of the objects before the
    /// addition is repeated.
    @Test func repeatedAdditionIsDoneOnce() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, installation: "one")
        var scores: [JSONValue] = []
        for player in ["a", "b"] {
            scores.append(
                .pointer("Score", try await client.create("Score", ["player": .string(player)])))
        }
        let path = "/classes/Game/\(try await client.create("Game", ["name": "Go"]))"
        let added = ["scores": Self.operation("AddRelation", scores[0], scores[1])]
        _ = try await client.get("PUT", path, added, requestID: "added")
        _ = try await client.get(
            "PUT", path, ["scores": Self.operation("RemoveRelation", scores[0])])
        _ = try await client.get("PUT", path, added, requestID: "added")
        let condition = ["where": Self.related("Game", String(path.dropFirst(14)), "scores")]
        #expect(try await players(of: condition, for: client) == ["b"])
    }

    @Test(arguments: ParseClient.Manner.allCases)
    func relationLives(manner: ParseClient.Manner) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: manner)
        var scores: [JSONValue] = []
        for player in ["a", "b", "c"] {
            let id = try await client.create("Score", ["player": .string(player)])
            scores.append(.pointer("Score", id))
        }
        let game = try await client.create(
            "Game", ["name": "Go", "scores": Self.operation("AddRelation", scores[0])])
        let path = "/classes/Game/\(game)"
        let mark = JSONValue.object(["__type": "Relation", "className": "Score"])
        #expect(try await client.get("GET", path)["scores"] == mark)
        let condition = ["where": Self.related("Game", game, "scores")]
        #expect(try await players(of: condition, for: client) == ["a"])

        // Twice is once, and a whole-object PUT sends the mark back.
        for _ in 0..<2 {
            let done = try await client.get(
                "PUT", path,
                ["scores": Self.operation("AddRelation", scores[0], scores[1], scores[1])])
            #expect(done["updatedAt"] != nil)
        }
        _ = try await client.get("PUT", path, ["scores": mark, "name": "Chess"])
        #expect(try await players(of: condition, for: client) == ["a", "b"])
        let batch = JSONValue.object([
            "__op": "Batch",
            "ops": .array([
                Self.operation("AddRelation", scores[2]),
                Self.operation("RemoveRelation", scores[0]),
            ]),
        ])
        _ = try await client.get("PUT", path, ["scores": batch])
        #expect(try await players(of: condition, for: client) == ["b", "c"])
        let pairs = try await server.client("a").sync().records.filter { $0.model == "GameScore" }
        #expect(pairs.filter { !$0.deleted }.count == 2)
    }

    /// From either end, and beside other conditions.
    @Test func relationIsCondition() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let ids = [
            try await client.create("Score", ["player": "a"]),
            try await client.create("Score", ["player": "b"]),
        ]
        let scores = ids.map { JSONValue.pointer("Score", $0) }
        let game = try await client.create(
            "Game", ["name": "Go", "scores": Self.operation("AddRelation", scores[0])])
        for (score, names) in [(scores[0], ["Go"]), (scores[1], [])] {
            let games = try await client.find("Game", ["where": .object(["scores": score])])
            #expect(games.compactMap { $0["name"]?.string } == names)
        }
        for (player, count) in [("a", 1), ("b", 0)] {
            let both = JSONValue.object([
                "player": .string(player),
                "$relatedTo": .object(["object": .pointer("Game", game), "key": "scores"]),
            ])
            #expect(try await players(of: ["where": both], for: client).count == count)
        }
    }

    /// A condition on a relation takes several pointers, and all of its operators hold.
    @Test func relationIsComparedWithSeveral() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        var scores: [JSONValue] = []
        for player in ["a", "b", "c"] {
            let id = try await client.create("Score", ["player": .string(player)])
            scores.append(.pointer("Score", id))
        }
        for (name, added) in [("Chess", scores[0...1]), ("Go", scores[1...2]), ("Mill", [])] {
            let operation = JSONValue.object([
                "__op": "AddRelation", "objects": .array(Array(added)),
            ])
            _ = try await client.create("Game", ["name": .string(name), "scores": operation])
        }
        let none = JSONValue.pointer("Score", "none")
        let byQuery = JSONValue.object([
            "className": "Score", "where": .object(["player": "c"]),
        ])
        for (condition, names) in [
            (["$in": .array([scores[0], none])], ["Chess"]),
            (["$in": .array([scores[0], scores[2]])], ["Chess", "Go"]),
            (["$all": .array([scores[0], scores[1]])], ["Chess"]),
            (["$all": .array([scores[0], scores[2]])], []),
            (["$all": .array([scores[0], none])], []),
            (["$nin": .array([scores[0]])], ["Go", "Mill"]),
            (["$ne": scores[2]], ["Chess", "Mill"]),
            (["$eq": scores[2], "$nin": .array([scores[0]])], ["Go"]), (["$in": .array([])], []),
            (["$in": .array([scores[1]]), "$inQuery": byQuery], ["Go"]),
        ] as [([String: JSONValue], [String])] {
            let filter = JSONValue.object(["scores": .object(condition)])
            let games = try await client.find("Game", ["where": filter, "order": "name"])
            #expect(games.compactMap { $0["name"]?.string } == names, "\(condition)")
        }
        for condition in [["$gt": scores[0]], ["$in": scores[0]], ["$in": .array([1])]]
            as [[String: JSONValue]]
        {
            let filter = JSONValue.object(["scores": .object(condition)])
            let answer = try await client.ask("GET", "/classes/Game", ["where": filter])
            #expect(try answer.parseCode() == 102)
        }
    }

    /// The pairs of deleted objects stay, and do not count.
    @Test func deletedObjectsDoNotCount() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        func batch(_ requests: [JSONValue]) async throws -> [JSONValue] {
            let answer = try await client.ask("POST", "/batch", ["requests": .array(requests)])
            guard case .array(let done) = try answer.json() else { throw Unexpected(answer.text) }
            return done.compactMap { $0.members?["success"] }
        }
        let game = try await client.create("Game", ["name": "Go"])
        var ids: [String] = []
        for size in [200, 200, 200, 200, 201] {
            let creation = JSONValue.object([
                "method": "POST", "path": "/parse/classes/Score",
                "body": .object(["player": "a"]),
            ])
            let made = try await batch(Array(repeating: creation, count: size))
            let new = made.compactMap { $0.members?["objectId"]?.string }
            for some in [new.prefix(100), new.dropFirst(100)] {
                let pointers = some.map { JSONValue.pointer("Score", $0) }
                let add = JSONValue.object(["__op": "AddRelation", "objects": .array(pointers)])
                _ = try await client.get("PUT", "/classes/Game/\(game)", ["scores": add])
            }
            ids += new
        }
        let condition: [String: JSONValue] = [
            "where": Self.related("Game", game, "scores"), "limit": 1, "count": 1,
        ]
        #expect(try await client.ask("GET", "/classes/Score", condition).parseCode() == 154)
        let deleted = try await batch(
            ids.prefix(900).map { id in
                .object([
                    "method": "DELETE", "path": .string("/parse/classes/Score/\(id)"),
                ])
            })
        #expect(ids.count == 1001 && deleted.count == 900)
        #expect(try await client.get("GET", "/classes/Score", condition)["count"] == 101)
    }

    /// The rights on pairs decide, also behind the objects that everybody sees.
    @Test func rightsAreThoseOfPairs() async throws {
        let server = try await RunningServer.parse()
        let own = try await ParseClient.signedIn("a", to: server)
        let other = try await ParseClient.signedIn("b", to: server)
        let score = JSONValue.pointer("Score", try await own.create("Score", ["player": "a"]))
        let game = try await own.create(
            "Game",
            [
                "name": "Go", "scores": Self.operation("AddRelation", score),
                "players": Self.operation("AddRelation", .pointer("_User", own.userID)),
            ])
        let condition = ["where": Self.related("Game", game, "scores")]
        #expect(try await players(of: condition, for: own) == ["a"])
        #expect(try await players(of: condition, for: other) == [])
        let users = ["where": Self.related("Game", game, "players")]
        #expect(try await other.find("_User", users).count == 1)
        let answer = try await other.ask(
            "PUT", "/classes/Game/\(game)",
            ["players": Self.operation("RemoveRelation", .pointer("_User", own.userID))])
        #expect(try answer.parseCode() == 119)
        #expect(try await own.find("_User", users).count == 1)
    }

    /// An answer is read after the changes that it is about. An error of that read would let the
    /// client send changes again that are stored.
    @Test func failedReadIsNoRefusal() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let score = JSONValue.pointer("Score", try await client.create("Score", ["player": "a"]))
        let game = try await client.create("Game", ["name": "Go", "moves": .array([1])])
        // The edit removes what is not there. One without an effect is answered from the record, so
        // the first request causes one find, and each of the others one before its changes and one
        // after them. All requests of a batch together may cause 300.
        let edit = Self.operation("Remove", 99)
        let relate = JSONValue.object([
            "scores": Self.operation("AddRelation", score), "moves": edit,
        ])
        let path = JSONValue.string("/parse/classes/Game/\(game)")
        let plain = JSONValue.object([
            "method": "PUT", "path": path, "body": .object(["moves": edit]),
        ])
        let requests =
            [plain]
            + (0..<160).map { _ in
                JSONValue.object(["method": "PUT", "path": path, "body": relate])
            }
        let answer = try await client.ask("POST", "/batch", ["requests": .array(requests)])
        guard case .array(let results) = try answer.json() else { throw Unexpected(answer.text) }
        let done = results.compactMap { $0.members?["success"]?.members }
        #expect(done.allSatisfy { $0["updatedAt"] != nil })
        #expect(done.first?["moves"] == .array([1]))
        #expect(done.last?["moves"] == nil)
        #expect(results.contains { $0.members?["error"]?.members?["code"] == 154 })
        let shown = try await client.get("GET", "/classes/Game/\(game)")
        #expect(shown["moves"] == .array([1]))
    }

    /// Also if it is about pairs only, which are looked up beforehand.
    @Test func batchOfOneIsAnsweredAsBatch() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let score = JSONValue.pointer("Score", try await client.create("Score", ["player": "a"]))
        let add = JSONValue.object([
            "method": "PUT", "path": "/parse/classes/Game/none",
            "body": .object(["scores": Self.operation("AddRelation", score)]),
        ])
        let unreadable = JSONValue.object(["method": "GET", "path": "/parse/classes/Game"])
        for (requests, codes) in [([add], [101]), ([unreadable, add], [107, 101])]
            as [([JSONValue], [JSONValue?])]
        {
            let answer = try await client.ask("POST", "/batch", ["requests": .array(requests)])
            guard case .array(let results) = try answer.json() else {
                throw Unexpected(answer.text)
            }
            #expect(answer.status == 200)
            #expect(results.map { $0.members?["error"]?.members?["code"] } == codes)
        }
        let whole = try await client.ask(
            "POST", "/batch", ["requests": .array([add]), "transaction": .boolean(true)])
        #expect(try whole.status == 400 && whole.parseCode() == 101, "\(whole.text)")
    }

    /// A transaction is done as a whole, or not at all.
    @Test func transactionHasRelations() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let score = try await client.create("Score", ["player": "a"])
        let game = try await client.create("Game", ["name": "Go"])
        func put(_ body: [String: JSONValue]) -> JSONValue {
            .object([
                "method": "PUT", "path": .string("/parse/classes/Game/\(game)"),
                "body": .object(body),
            ])
        }
        func add(_ id: String) -> JSONValue {
            put(["scores": Self.operation("AddRelation", .pointer("Score", id))])
        }
        let condition = ["where": Self.related("Game", game, "scores")]
        for (id, isDone) in [("none", false), (score, true)] {
            let answer = try await client.ask(
                "POST", "/batch",
                [
                    "requests": .array([put(["name": "Chess"]), add(score), add(id)]),
                    "transaction": .boolean(true),
                ])
            #expect(answer.status == (isDone ? 200 : 400), "\(answer.text)")
            let shown = try await client.get("GET", "/classes/Game/\(game)")
            #expect(shown["name"] == (isDone ? "Chess" : "Go"))
            let count = try await players(of: condition, for: client).count
            #expect((count > 0) == isDone)
        }
    }

    /// An operation is done as a whole; the others of its batch are not touched.
    @Test func mistakesChangeNothing() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let game = try await client.create("Game", ["name": "Go"])
        let path = "/classes/Game/\(game)"
        let none = Self.operation("AddRelation", .pointer("Score", "none"))
        let many = JSONValue.object([
            "__op": "AddRelation",
            "objects": .array((0...1000).map { .pointer("Score", "none\($0)") }),
        ])
        for (members, code) in [
            (["name": "Chess", "scores": none], 106),
            (["name": "Chess", "scores": 1], 111), (["name": "Chess", "scores": many], 116),
            (
                ["name": "Chess", "scores": Self.operation("AddRelation", .pointer("Game", game))],
                111
            ),
            (["name": "Chess", "scores": Self.operation("Add", .pointer("Score", "none"))], 111),
        ] as [([String: JSONValue], Int64)] {
            let answer = try await client.ask("PUT", path, members)
            #expect(try answer.parseCode() == code, "\(members) \(answer.text)")
        }
        let missing = try await client.ask("PUT", "/classes/Game/none", ["scores": none])
        #expect(missing.status == 404)
        #expect(try await client.get("GET", path)["name"] == "Go")
        let requests: [JSONValue] = [
            .object([
                "method": "PUT", "path": .string("/parse\(path)"),
                "body": .object(["name": "Chess", "scores": none]),
            ]),
            .object([
                "method": "PUT", "path": .string("/parse\(path)"),
                "body": .object(["moves": .array([1])]),
            ]),
        ]
        let answer = try await client.ask("POST", "/batch", ["requests": .array(requests)])
        guard case .array(let results) = try answer.json() else { throw Unexpected(answer.text) }
        #expect(results.map { $0.members?["error"] != nil } == [true, false])
        let shown = try await client.get("GET", path)
        #expect(shown["name"] == "Go" && shown["moves"] == .array([1]))
    }
}
