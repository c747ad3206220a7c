import JSON
import Testing

@Suite("Nothing is lost under a reserved name of Parse")
struct ParseReservedNameTests {
    private typealias Case = (members: [String: JSONValue], code: Int64?)

    private static let cases: [Case] = [
        (["className": "Game"], nil), (["className": .null], nil), (["className": "Maths"], 105),
        (["__type": "Object"], nil), (["__type": "board"], 105), (["_kind": "board"], 105),
        (["createdAt": "2026-11-21T05:58:23.176Z", "updatedAt": .null], nil),
    ]

    private func check(_ answer: Answer, _ example: Case) throws {
        let code = answer.status < 300 ? nil : try answer.parseCode()
        #expect(code == example.code, "\(example.members) \(answer.text)")
    }

    @Test func otherValueIsRefused() async throws {
        let client = try await ParseClient.signedIn("a", to: try await RunningServer.parse())
        let id = try await client.create("Game", ["name": "Go"])
        let changes =
            [
                (["objectId": .string(id)], nil), (["objectId": .null], nil),
                (["objectId": "b"], 105),
            ] as [Case]
        for example in Self.cases {
            try check(try await client.ask("POST", "/classes/Game", example.members), example)
        }
        for example in Self.cases + changes {
            try check(try await client.ask("PUT", "/classes/Game/\(id)", example.members), example)
        }
        let game = try await client.get("GET", "/classes/Game/\(id)")
        #expect(game["name"] == "Go" && game["createdAt"] != "2026-11-21T05:58:23.176Z")
    }

    @Test(arguments: ["own", "sign-up"]) func usersHaveTheirOwn(accounts: String) async throws {
        let server = try await RunningServer.parse(
            ["--parse-accounts", accounts, "--parse-sign-up-group", "users"])
        let client = try await ParseClient.signedIn("a", to: server)
        let form: [String: JSONValue] = ["username": "cora", "password": "a long password"]
        for example in [
            (["className": "_User"], nil), (["className": "10b"], 105), (["objectId": "b"], 105),
            (["sessionToken": "r:old"], nil),
        ] as [Case] {
            let path = "/users/\(client.userID)"
            try check(try await client.ask("PUT", path, example.members), example)
            guard accounts == "sign-up", example.code != nil else { continue }
            let members = form.merging(example.members) { $1 }
            try check(try await ParseClient(server).ask("POST", "/users", members), example)
        }
    }

    /// Only users have a token there.
    @Test func tokenOfOtherClassIsValue() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in
            parseDefinition.replacing(#"w:alias="owner""#, with: #"w:alias="sessionToken""#)
        }
        let server = try await RunningServer(site: site, arguments: ["--parse"])
        let client = try await ParseClient.signedIn("a", to: server)
        let id = try await client.create("Note", ["sessionToken": "row 7"])
        #expect(try await client.get("GET", "/classes/Note/\(id)")["sessionToken"] == "row 7")
        let refused = try await client.ask("POST", "/classes/Game", ["sessionToken": "row 7"])
        #expect(try refused.parseCode() == 119, "\(refused.text)")
    }
}
