import JSON
import SyncProtocol
import Testing

@Suite("Clients of Parse find objects")
struct ParseFindTests {
    /// Scores `s0` to `s9` with points 0 to 9, of games `go` and `chess` in turn; the last has no
    /// points.
    private func scores() async throws -> ParseClient {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        _ = try await client.create("Game", ["objectId": "go", "name": "Go"])
        _ = try await client.create(
            "Game", ["objectId": "chess", "name": "Chess", "host": .pointer("Game", "go")])
        for number in 0..<10 {
            var members: [String: JSONValue] = [
                "objectId": .string("s\(number)"), "player": .string("player \(number)"),
                "game": .pointer("Game", number.isMultiple(of: 2) ? "go" : "chess"),
            ]
            if number < 9 { members["points"] = .integer(Int64(number)) }
            _ = try await client.create("Score", members)
        }
        return client
    }

    private func ids(
        _ client: ParseClient, _ filter: String, _ more: [String: JSONValue] = [:]
    ) async throws -> [String] {
        let json = try parseJSON(Array(filter.utf8))
        let parameters = ["where": json, "order": "player"].merging(more) { $1 }
        return try await client.find("Score", parameters).compactMap { $0["objectId"]?.string }
    }

    private static let cases: [(String, [Int])] = [
        (#"{"points":{"$gte":7}}"#, [7, 8]), (#"{"points":{"$lt":1.5}}"#, [0, 1]),
        (#"{"points":{"$in":[1,3,77]}}"#, [1, 3]), (#"{"points":{"$exists":false}}"#, [9]),
        (#"{"points":null}"#, [9]), (#"{"points":{"$nin":[0,1,2,3,4,5,6]}}"#, [7, 8, 9]),
        (#"{"objectId":{"$in":["s1","s2","none"]}}"#, [1, 2]), (#"{"objectId":"s4"}"#, [4]),
        (#"{"player":{"$regex":"^\\Qplayer 3\\E"}}"#, [3]),
        (#"{"player":{"$regex":"r 5$"}}"#, [5]),
        (#"{"$or":[{"points":1},{"points":{"$gt":7}}]}"#, [1, 8]),
        (#"{"$nor":[{"points":{"$gt":1}},{"objectId":"s0"}]}"#, [1, 9]),
        (
            #"{"game":{"__type":"Pointer","className":"Game","objectId":"go"},"points":{"$gt":5}}"#,
            [6, 8]
        ),
        (
            #"{"game":{"$inQuery":{"className":"Game","where":{"name":"Chess"}}},"points":3}"#,
            [3]
        ),
        (
            #"{"game":{"$notInQuery":{"className":"Game","where":{"name":"Chess"}}},"points":2}"#,
            [2]
        ),
        (
            """
            {"points":{"$select":{"query":{"className":"Score","where":{"objectId":"s3"}},
            "key":"points"}}}
            """, [3]
        ),
        (
            """
            {"game":{"$inQuery":{"className":"Game","where":{"name":{"$select":{"query":
            {"className":"Score","where":{"objectId":"s3"}},"key":"game.name"}}}}},"points":5}
            """, [5]
        ),
        // All conditions of a key hold together.
        (
            """
            {"game":{"$inQuery":{"className":"Game","where":{"name":"Chess"}},"$in":[
            {"__type":"Pointer","className":"Game","objectId":"go"}]}}
            """, []
        ),
        (
            """
            {"game":{"$inQuery":{"className":"Game","where":{"name":"Chess"}},"$exists":true},
            "points":{"$in":[3,4],"$select":{"query":{"className":"Score",
            "where":{"objectId":{"$in":["s3","s5"]}}},"key":"points"}}}
            """, [3]
        ),
        (
            """
            {"points":{"$nin":[0,1,4,6,7,8],"$ne":5,"$dontSelect":{"query":{"className":"Score",
            "where":{"objectId":"s2"}},"key":"points"},"$exists":true}}
            """, [3]
        ),
        (#"{"points":{"$ne":3},"other":1}"#, []),
        (#"{"createdAt":{"$gt":"2100-01-01T00:00:00.000Z"}}"#, []),
    ]

    @Test func conditions() async throws {
        let client = try await scores()
        for (filter, numbers) in Self.cases {
            #expect(try await ids(client, filter) == numbers.map { "s\($0)" }, "\(filter)")
        }
    }

    @Test func orderLimitAndSkip() async throws {
        let client = try await scores()
        #expect(try await ids(client, "{}", ["order": "points", "limit": 2]) == ["s9", "s0"])
        #expect(try await ids(client, "{}", ["order": "-points", "limit": 2]) == ["s8", "s7"])
        #expect(
            try await ids(client, "{}", ["order": "-points", "skip": 8]) == ["s0", "s9"])
        #expect(try await ids(client, "{}", ["skip": 10]).isEmpty)
        let counted = try await client.get(
            "GET", "/classes/Score", ["limit": 0, "count": 1, "where": .object([:])])
        #expect(counted == ["results": .array([]), "count": 10])
    }

    @Test func keysAndIncludes() async throws {
        let client = try await scores()
        let filter = JSONValue.object(["objectId": "s1"])
        let some = try await client.find("Score", ["where": filter, "keys": "points"])
        #expect(some.first?.keys.sorted() == ["createdAt", "objectId", "points", "updatedAt"])
        let others = try await client.find(
            "Score", ["where": filter, "excludeKeys": "points,game"])
        #expect(others.first?["points"] == nil && others.first?["player"] != nil)
        let plain = try await client.find("Score", ["where": filter])
        #expect(plain.first?["game"] == .pointer("Game", "chess"))
        let included = try await client.find("Score", ["where": filter, "include": "game.host"])
        let game = try #require(included.first?["game"]?.members)
        #expect(game["__type"] == "Object" && game["className"] == "Game")
        #expect(game["host"]?.members?["name"] == "Go")
        let one = try await client.get("GET", "/classes/Score/s1", ["include": "*"])
        #expect(one["game"]?.members?["host"] == .pointer("Game", "go"))
    }

    /// The parameters, and the keys of the game and of its host beside those of every object; nil
    /// for a pointer.
    private static let innerKeys: [([String: JSONValue], String?, String?)] = [
        (["keys": "game.name"], "name", nil), (["keys": "game.host.name"], "host", "name"),
        (["keys": "game.name,player,game.host"], "host,name", nil),
        (["keys": "game.name", "include": "game.host"], "name", nil),
        (["excludeKeys": "game.name"], "host,players,scores", nil),
        (["excludeKeys": "game.host.name"], "host,name,players,scores", "players,scores"),
        (
            ["excludeKeys": "game.name", "include": "game.host"], "host,players,scores",
            "name,players,scores"
        ),
        (["keys": "game", "excludeKeys": "game.host"], "name,players,scores", nil),
        (["keys": "game,player"], nil, nil),
    ]

    @Test func keysOfIncludedObjects() async throws {
        let client = try await scores()
        func keys(_ json: JSONValue?) -> String? {
            guard let members = json?.members, members["__type"] == "Object" else { return nil }
            let always = ["__type", "className", "objectId", "createdAt", "updatedAt"]
            #expect(always.allSatisfy { members[$0] != nil })
            return members.keys.filter { !always.contains($0) }.sorted().joined(separator: ",")
        }
        for (parameters, game, host) in Self.innerKeys {
            let found = try await client.get("GET", "/classes/Score/s1", parameters)
            #expect(keys(found["game"]) == game, "\(parameters)")
            #expect(keys(found["game"]?.members?["host"]) == host, "\(parameters)")
            #expect((found["points"] == nil) == (parameters["keys"] != nil), "\(parameters)")
        }
    }

    /// A deletion leaves a pointer that dangles: the key of an include is left out.
    @Test func includeOfMissingObjectIsLeftOut() async throws {
        let client = try await scores()
        _ = try await client.get("DELETE", "/classes/Score/s0")
        _ = try await client.get("DELETE", "/classes/Game/go")
        let found = try await client.find(
            "Score", ["where": .object(["objectId": "s2"]), "include": "game"])
        #expect(found.count == 1 && found.first?["game"] == nil)
    }

    /// Only native clients can set it. Clients of Parse read years of four digits only.
    @Test func dateBeyondFourDigitsIsNearest() async throws {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        let native = try server.client("a")
        let change = ChangeMessage(
            id: "1", action: .create, model: "Score",
            guid: "00000000-0000-4000-8000-000000000001",
            fields: ["player": "a", "at": .integer(253_402_300_800_000)])
        #expect(try await native.sync([change]).outcomes.map(\.outcome) == [.accepted])
        var score = try #require(try await client.find("Score").first)
        #expect(score["at"]?.members?["iso"] == "9999-12-31T23:59:59.999Z")
        score["player"] = "b"
        _ = try await client.get("PUT", "/classes/Score/\(change.guid)", score)
        let record = try await native.sync().records.first { $0.guid == change.guid }
        #expect(record?.fields?["at"] == .integer(253_402_300_800_000))
        #expect(record?.fields?["player"] == "b")
    }

    /// They are about the database behind a Parse server.
    @Test func preferencesArePassedOver() async throws {
        let client = try await scores()
        let parameters: [String: JSONValue] = [
            "readPreference": "SECONDARY", "includeReadPreference": "SECONDARY", "hint": "_id_",
        ]
        #expect(try await client.find("Score", parameters).count == client.find("Score").count)
        let one = try await client.get("GET", "/classes/Score/s1", parameters)
        #expect(one["objectId"] == "s1")
    }

    /// An id may have characters that a path cannot have, also in that of a batch.
    @Test func pathsAreDecoded() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        _ = try await client.create("Game", ["objectId": "Mum's 1/2", "name": "Go"])
        let path = "classes/Game/Mum%27s%201%2F2"
        #expect(try await client.get("GET", "/\(path)")["name"] == "Go")
        let request = JSONValue.object([
            "method": "PUT", "path": .string("/parse/\(path)"),
            "body": .object(["name": "Chess"]),
        ])
        let answer = try await client.ask("POST", "/batch", ["requests": .array([request])])
        #expect(answer.text.contains("success"), "\(answer.text)")
        #expect(try await client.get("GET", "/\(path)")["name"] == "Chess")
    }

    /// Each id that a request names is looked up.
    @Test(arguments: [(10_000, nil), (10_001, 154)] as [(Int, Int64?)])
    func requestNamesLimitedNumberOfObjects(count: Int, code: Int64?) async throws {
        let client = try await ParseClient.signedIn(
            "a", to: try await RunningServer.parse(), manner: .body)
        let conditions = (0..<count / 100 + 1).map { part in
            let ids = (100 * part..<min(count, 100 * part + 100)).map {
                JSONValue.string("id\($0)")
            }
            return JSONValue.object(["objectId": .object(["$in": .array(ids)])])
        }
        let answer = try await client.ask(
            "GET", "/classes/Score", ["where": .object(["$or": .array(conditions)])])
        if let code { #expect(try answer.parseCode() == code, "\(answer.text)") }
        #expect(code == nil ? !answer.text.contains("names at most") : answer.status == 400)
    }

    @Test(arguments: [
        (102, #"{"player":{"$text":1}}"#), (102, #"{"player":{"$regex":"a.b"}}"#),
        (102, #"{"$or":1}"#), (107, "[]"),
    ])
    func badCondition(code: Int64, filter: String) async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let answer = try await client.ask(
            "GET", "/classes/Score", ["where": try parseJSON(Array(filter.utf8))])
        #expect(try answer.status == 400 && answer.parseCode() == code)
        for path in ["/classes/Score", "/classes/Score/s1"] {
            #expect(try await client.ask("GET", path, ["x": 1]).parseCode() == 102)
        }
    }
}
