import JSON
import Testing

@Suite("Ids of objects of Parse")
struct ParseIDTests {
    /// Swift's comparison of strings takes them for the same.
    private static let ids = ["id\u{E9}", "ide\u{301}"]

    @Test func equivalentIDsAreOfTwoObjects() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        func batch(_ method: String, _ bodies: [JSONValue]) async throws {
            let requests = zip(Self.ids, bodies).map { id, body in
                let path = method == "POST" ? "" : "/\(id)"
                return JSONValue.object([
                    "method": .string(method), "path": .string("/parse/classes/Game\(path)"),
                    "body": body,
                ])
            }
            let answer = try await client.ask("POST", "/batch", ["requests": .array(requests)])
            #expect(!answer.text.contains("error"), "\(answer.text)")
        }
        try await batch("POST", Self.ids.map { .object(["objectId": .string($0)]) })
        try await batch("PUT", [.object(["name": "1"]), .object(["name": "2"])])
        let both = JSONValue.object(["$in": .array(Self.ids.map { .string($0) })])
        let found = try await client.find(
            "Game", ["where": .object(["objectId": both]), "order": "name"])
        #expect(found.map { $0["name"] } == ["1", "2"])
        #expect(
            found.map { $0["objectId"]?.string.map { Array($0.utf8) } }
                == Self.ids.map { Array($0.utf8) })
    }

    /// SQLite ends a text with the zero byte.
    @Test(
        arguments: [
            "a\u{0}b", 5, .array([]), .string(String(repeating: "a", count: 256)),
        ] as [JSONValue])
    func illegalIDIsRefused(id: JSONValue) async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let answer = try await client.ask("POST", "/classes/Game", ["objectId": id])
        #expect(try answer.parseCode() == 104, "\(answer.text)")
        #expect(try await client.find("Game").isEmpty)
    }

    @Test func locationIsAddress() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let made = try await client.ask("POST", "/classes/Game", ["objectId": "a?b#c/[\u{FC}]"])
        let path = "/classes/Game/a%3Fb%23c%2F%5B%C3%BC%5D"
        #expect(made.header("Location")?.hasSuffix(path) == true)
    }
}
