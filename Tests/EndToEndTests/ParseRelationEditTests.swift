import JSON
import SyncProtocol
import Testing

/// A game and two scores, the first of which is in its relation.
private struct Related {
    let client: ParseClient
    let scores: [JSONValue]
    let game: String

    var path: String { "/classes/Game/\(game)" }

    init(_ server: RunningServer) async throws {
        client = try await ParseClient.signedIn("a", to: server)
        var scores: [JSONValue] = []
        for player in ["0", "1"] {
            let id = try await client.create("Score", ["player": .string(player)])
            scores.append(.pointer("Score", id))
        }
        self.scores = scores
        game = try await client.create("Game", ["name": "Go"])
        _ = try await put("Add", 0)
    }

    func edit(_ name: String, _ number: Int) -> JSONValue {
        let operation: JSONValue = .object([
            "__op": .string("\(name)Relation"), "objects": .array([scores[number]]),
        ])
        return .object(["scores": operation])
    }

    func put(
        _ name: String, _ number: Int, requestID: String? = nil, ifMatch tag: String? = nil
    ) async throws -> Answer {
        try await client.ask(
            "PUT", path, edit(name, number).members ?? [:],
            requestID: requestID, headers: tag.map { ["If-Match": $0] } ?? [:])
    }

    /// The players of the scores in the relation, one of each pair.
    func players(of game: String? = nil) async throws -> [String] {
        let related = JSONValue.object([
            "object": .pointer("Game", game ?? self.game), "key": "scores",
        ])
        return try await client.find(
            "Score", ["where": .object(["$relatedTo": related]), "order": "player"]
        ).compactMap { $0["player"]?.string }
    }
}

@Suite("Edits of relations by clients of Parse")
struct ParseRelationEditTests {
    /// Somebody else undoes it before the client sends it again, because the answer was lost.
    @Test(arguments: [("Remove", "Add", 0), ("Add", "Remove", 0), ("Add", "Remove", 1)])
    func repeatedEditIsDoneOnce(first: String, other: String, number: Int) async throws {
        let related = try await Related(try await RunningServer.parse())
        for id in ["first", nil, "first"] as [String?] {
            let answer = try await related.put(
                id == nil ? other : first, number, requestID: id)
            #expect(answer.status == 200, "\(answer.text)")
        }
        #expect(try await related.players() == (other == "Add" ? ["0"] : number == 0 ? [] : ["0"]))
    }

    /// Pairs that are there beforehand are not all that a transaction has to know.
    @Test(arguments: [
        ([("Remove", 0), ("Add", 0)], ["0"]), ([("Add", 1), ("Remove", 1)], ["0"]),
        ([("Add", 1), ("Add", 1)], ["0", "1"]), ([("Remove", 0), ("Add", 1)], ["1"]),
    ])
    func transactionEditsInOrder(edits: [(String, Int)], players: [String]) async throws {
        let server = try await RunningServer.parse()
        let related = try await Related(server)
        let requests = edits.map { name, number in
            JSONValue.object([
                "method": "PUT", "path": .string("/parse\(related.path)"),
                "body": related.edit(name, number),
            ])
        }
        let answer = try await related.client.ask(
            "POST", "/batch", ["requests": .array(requests), "transaction": .boolean(true)])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await related.players() == players)
        let pairs = try await server.client("a").sync().records.filter { $0.model == "GameScore" }
        #expect(pairs.filter { !$0.deleted }.count == players.count)
    }

    @Test func transactionRelatesItsNewObject() async throws {
        let related = try await Related(try await RunningServer.parse())
        let requests: [JSONValue] = [
            .object([
                "method": "POST", "path": "/parse/classes/Game",
                "body": .object(["objectId": "new"]),
            ]),
            .object([
                "method": "PUT", "path": "/parse/classes/Game/new", "body": related.edit("Add", 1),
            ]),
        ]
        let answer = try await related.client.ask(
            "POST", "/batch", ["requests": .array(requests), "transaction": .boolean(true)])
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await related.players(of: "new") == ["1"])
    }

    @Test func staleEditIsRefusedOnRequest() async throws {
        let related = try await Related(try await RunningServer.parse())
        _ = try await related.client.get("PUT", related.path, ["name": "Chess"])
        let refused = try await related.put("Add", 1, ifMatch: "\"1\"")
        #expect(try refused.status == 412 && refused.parseCode() == 142, "\(refused.text)")
        #expect(try refused.json().members?["object"]?.members?["name"] == "Chess")
        #expect(try await related.players() == ["0"])
        let done = try await related.put("Add", 1, ifMatch: "\"2\"")
        #expect(done.status == 200 && done.header("ETag") == "\"2\"", "\(done.text)")
        #expect(try await related.players() == ["0", "1"])
    }
}
