import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Clients of Parse keep objects, arrays and bytes")
struct ParseJSONTests {
    private static func json(_ text: String) throws -> JSONValue {
        try parseJSON(Array(text.utf8))
    }

    private static func operation(_ name: String, _ objects: JSONValue...) -> JSONValue {
        .object(["__op": .string(name), "objects": .array(objects)])
    }

    private static let meta = #"{"size":{"w":3,"h":2.5},"tags":["red","new"],"note":"a"}"#

    /// To a native client, the value is one text.
    @Test(arguments: ParseClient.Manner.allCases)
    func valuesLive(manner: ParseClient.Manner) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server, manner: manner)
        let meta = try Self.json(Self.meta)
        let seal = JSONValue.object(["__type": "Bytes", "base64": "AAEC"])
        let id = try await client.create("Score", ["player": "A", "meta": meta, "seal": seal])
        let made = try await client.get("GET", "/classes/Score/\(id)")
        #expect(made["meta"] == meta && made["seal"] == seal)
        let records = try await server.client("a").sync().records.filter { $0.model == "Score" }
        #expect(
            records.first?.fields?["meta"]
                == #"{"note":"a","size":{"h":2.5,"w":3},"tags":["red","new"]}"#)
        #expect(records.first?.fields?["seal"] == "AAEC")
        let done = try await client.get("PUT", "/classes/Score/\(id)", ["meta": .null])
        #expect(done["meta"] == nil)
        #expect(try await client.get("GET", "/classes/Score/\(id)")["meta"] == nil)
    }

    /// The answer has the whole value, as the edits leave it.
    @Test func editsAreAnswered() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create(
            "Score", ["player": "A", "meta": try Self.json(Self.meta)])
        _ = try await client.get("PUT", "/classes/Score/\(id)", ["meta.k": 1])
        let steps: [([String: JSONValue], String)] = [
            (
                ["meta.size.w": .object(["__op": "Increment", "amount": 2])],
                #"{"k":1,"note":"a","size":{"h":2.5,"w":5},"tags":["red","new"]}"#
            ),
            (
                [
                    "meta.tags": Self.operation("AddUnique", "new", "old"), "meta.note": "b",
                    "meta.k": .object(["__op": "Delete"]),
                ], #"{"note":"b","size":{"h":2.5,"w":5},"tags":["red","new","old"]}"#
            ),
            (
                ["meta.tags": Self.operation("Remove", "new"), "meta.size": 1],
                #"{"note":"b","size":1,"tags":["red","old"]}"#
            ),
            (["meta": .array([1])], "[1]"), (["meta": Self.operation("Add", 1, 2)], "[1,1,2]"),
            (["meta": Self.operation("Remove", 1)], "[2]"),
        ]
        for (members, expected) in steps {
            let done = try await client.get("PUT", "/classes/Score/\(id)", members)
            let shown = try await client.get("GET", "/classes/Score/\(id)")["meta"]
            #expect(try shown == Self.json(expected), "\(members)")
            let isEdit = members != ["meta": .array([1])]
            #expect(done["meta"] == (isEdit ? shown : nil), "\(members)")
        }
    }

    /// In an object that is not there, there is nothing to remove.
    @Test func keyOfMissingObjectIsRemoved() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let removal = JSONValue.object(["__op": "Delete"])
        let id = try await client.create("Score", ["player": "A", "meta.k": removal])
        let path = "/classes/Score/\(id)"
        #expect(try await client.get("GET", path)["meta"] == nil)
        let done = try await client.get(
            "PUT", path, ["meta.k": removal, "meta.l.m": removal, "player": "B"])
        #expect(done["meta"] == nil && done["updatedAt"] != nil)
        let shown = try await client.get("GET", path)
        #expect(shown["meta"] == nil && shown["player"] == "B")
        _ = try await client.get("PUT", path, ["meta.k": removal, "meta.l": 1])
        #expect(try await client.get("GET", path)["meta"] == .object(["l": 1]))
    }

    /// None is lost, and a repeat is not made again.
    @Test func editsOfManyAreAllMade() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create("Game", ["name": "Go"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                let element = JSONValue.integer(Int64(number))
                group.addTask {
                    for _ in 1...2 {
                        _ = try await client.get(
                            "PUT", "/classes/Game/\(id)",
                            [
                                "moves": Self.operation("Add", element)
                            ], requestID: "request-\(number)")
                    }
                }
            }
            try await group.waitForAll()
        }
        guard case .array(let moves)? = try await client.get("GET", "/classes/Game/\(id)")["moves"]
        else {
            Issue.record("there are no moves")
            return
        }
        #expect(moves.count == 12 && Set(moves).count == 12)
    }

    private static let questions = [
        (#"{"meta.size.w":3}"#, "a"), (#"{"meta.size.h":{"$gt":2}}"#, "a"),
        (#"{"meta.tags":"red"}"#, "ab"), (#"{"meta.tags":{"$all":["red","new"]}}"#, "a"),
        (#"{"meta.tags":{"$regex":"^re"}}"#, "ab"),
        (#"{"meta.tags":{"$regex":"EW$","$options":"i"}}"#, "a"),
        (#"{"meta.tags":{"$all":[{"$regex":"^n"},{"$regex":"^\\Qre\\E"}]}}"#, "a"),
        (#"{"meta.tags":{"$in":["new","blue"]}}"#, "a"), (#"{"meta.tags":["red"]}"#, "b"),
        (#"{"meta.tags":{"$containedBy":["red","x"]}}"#, "b"),
        (#"{"meta.tags":{"$ne":"new"}}"#, "bc"), (#"{"meta":null}"#, "c"),
        (#"{"meta.note":{"$exists":true}}"#, "a"), (#"{"meta.tags":{"$nin":["red"]}}"#, "c"),
        (#"{"meta":{"tags":["red"]}}"#, "b"), (#"{"$or":[{"meta.note":"a"},{"meta":null}]}"#, "ac"),
        (#"{"seal":{"__type":"Bytes","base64":"AAEC"}}"#, "b"),
    ]

    @Test func conditionsLookInside() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let seal = JSONValue.object(["__type": "Bytes", "base64": "AAEC"])
        let scores: [String: [String: JSONValue]] = [
            "a": ["meta": try Self.json(Self.meta)],
            "b": ["meta": try Self.json(#"{"tags":["red"]}"#), "seal": seal], "c": [:],
        ]
        for (player, members) in scores {
            _ = try await client.create(
                "Score", members.merging(["player": .string(player)]) { $1 })
        }
        for (question, players) in Self.questions {
            let found = try await client.find(
                "Score", ["where": try Self.json(question), "order": "player"])
            #expect(
                found.compactMap { $0["player"]?.string }.joined() == players, "\(question)")
        }
        #expect(try await client.find("Score", ["order": "-meta,-player"]).count == 3)
    }

    private static let mistakes: [(String, Int64)] = [
        (#"{"meta":1}"#, 111), (#"{"meta":"[]"}"#, 111), (#"{"meta":{"__type":"Date"}}"#, 111),
        (#"{"meta":{"__op":"Increment","amount":1}}"#, 111),
        (#"{"meta":{"__op":"Add","objects":[1]}}"#, 111), (#"{"meta.a.b":1}"#, 111),
        (#"{"meta":{},"meta.a":1}"#, 111), (#"{"points.a":1}"#, 111), (#"{"none.a":1}"#, 119),
        (#"{"meta..a":1}"#, 105), (#"{"meta.a":{"__op":"Multiply"}}"#, 108),
        (#"{"seal":{"__type":"Bytes","base64":"A"}}"#, 142),
        (#"{"seal":{"__type":"Bytes","base64":"AAAAAAA="}}"#, 142), (#"{"seal":"AAAA"}"#, 111),
        (#"{"meta.b":{"__op":"Add","objects":["\#(String(repeating: "x", count: 1000))"]}}"#, 142),
    ]

    @Test func mistakesHaveCodes() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let meta = JSONValue.object(["a": 1])
        let id = try await client.create("Score", ["player": "a", "meta": meta])
        for (body, code) in Self.mistakes {
            guard case .object(let members) = try Self.json(body) else { continue }
            let answer = try await client.ask("PUT", "/classes/Score/\(id)", members)
            #expect(try answer.parseCode() == code, "\(body) \(answer.text)")
        }
        #expect(try await client.get("GET", "/classes/Score/\(id)")["meta"] == meta)
    }

    /// Neither ends the process, and neither is echoed.
    @Test(arguments: [(105, 1, 33), (105, 1, 200_000), (116, 1001, 1)] as [(Int64, Int, Int)])
    func costlyKeysAreRefused(code: Int64, count: Int, steps: Int) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create("Score", ["player": "a"])
        let rest = String(repeating: ".a", count: steps)
        var members: [String: JSONValue] = ["player": "b"]
        for number in 0..<count { members["meta.k\(number)\(rest)"] = 1 }
        for (method, path) in [("PUT", "/classes/Score/\(id)"), ("POST", "/classes/Score")] {
            let answer = try await client.ask(method, path, members)
            #expect(try answer.parseCode() == code, "\(method) \(answer.text.prefix(200))")
            #expect(answer.text.utf8.count < 300)
        }
        #expect(try await client.get("GET", "/classes/Score/\(id)")["player"] == "a")
    }

    /// The paths of an include, and the keys of the value in which objects stand after it.
    private static let includes: [(String, Set<String>)] = [
        ("meta.best", ["best"]), ("meta.best.host", ["best", "host"]),
        ("meta.best,meta.all", ["best", "all"]), ("meta.all", ["all"]), ("meta", []), ("*", []),
        ("player", []), ("meta.note", []),
    ]

    /// Pointers are replaced where a path ends or goes on, but not those to objects that are not
    /// there or that the user does not see.
    @Test func pointersInsideAreIncluded() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let host = try await client.create("Game", ["name": "Chess"])
        let game = try await client.create(
            "Game", ["name": "Go", "host": .pointer("Game", host)])
        let (there, gone) = (JSONValue.pointer("Game", game), JSONValue.pointer("Game", "none"))
        let other = try await ParseClient.signedIn("b", to: server)
        let hidden = JSONValue.pointer("Note", try await other.create("Note", ["text": "x"]))
        let meta = JSONValue.object([
            "best": there, "all": .array([gone, .array([there]), hidden]), "note": "n",
        ])
        let id = try await client.create("Score", ["player": "A", "meta": meta])
        for (paths, keys) in Self.includes {
            let found = try await client.get(
                "GET", "/classes/Score/\(id)", ["include": .string(paths)])
            let value = try #require(found["meta"]?.members)
            let best = try #require(value["best"]?.members)
            #expect((best["name"] == "Go") == keys.contains("best"), "\(paths)")
            #expect(
                (best["host"]?.members?["name"] == "Chess") == keys.contains("host"), "\(paths)")
            guard case .array(let all)? = value["all"], case .array(let inner) = all[1] else {
                Issue.record("\(paths): \(value)")
                continue
            }
            #expect(all[0] == gone && all[2] == hidden, "\(paths)")
            #expect((inner[0].members?["name"] == "Go") == keys.contains("all"), "\(paths)")
        }
        let list = try await client.create("Score", ["player": "A", "meta": .array([there])])
        let found = try await client.get("GET", "/classes/Score/\(list)", ["include": "meta"])
        guard case .array(let objects)? = found["meta"] else { throw Unexpected("\(found)") }
        #expect(objects.first?.members?["name"] == "Go")
    }

    /// Many objects, and large ones many times, are refused.
    @Test(arguments: [(1001, 1), (1, 400)])
    func includeIsLimited(different: Int, times: Int) async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let large = JSONValue.object(["text": .string(String(repeating: "x", count: 60_000))])
        let game = try await client.create("Game", ["name": "Go", "plan": large])
        let pointers = (0..<different * times).map {
            JSONValue.pointer("Game", different == 1 ? game : "none\($0)")
        }
        let id = try await client.create("Game", ["moves": .array(pointers)])
        let answer = try await client.ask("GET", "/classes/Game/\(id)", ["include": "moves"])
        #expect(try answer.parseCode() == 154, "\(answer.text.prefix(200))")
    }

    /// Hidden values are missing from answers, and cannot be edited.
    @Test func hiddenValuesStayHidden() async throws {
        let server = try await RunningServer.parse()
        let own = try await ParseClient.signedIn("a", to: server)
        let other = try await ParseClient.signedIn("b", to: server)
        let id = try await own.create("Game", ["plan": .object(["first": "x"])])
        let condition = JSONValue.object(["plan.first": "x"])
        #expect(try await own.find("Game", ["where": condition]).count == 1)
        #expect(try await other.find("Game", ["where": condition]).isEmpty)
        let answer = try await other.ask("PUT", "/classes/Game/\(id)", ["plan.first": "y"])
        #expect(try answer.parseCode() == 119)
        let shown = try await own.get("GET", "/classes/Game/\(id)")["plan"]
        #expect(shown == .object(["first": "x"]))
    }
}
