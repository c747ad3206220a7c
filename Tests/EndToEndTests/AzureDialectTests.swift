import JSON
import SyncProtocol
import Testing

/// Requests and answers in which the generations of the clients of Azure Mobile differ.
@Suite(.timeLimit(.minutes(5))) struct AzureDialectTests {
    private static let table = "/tables/todoitem"
    private static let generations = [nil, "2.0.1", "3.0.0"]

    private func server() async throws -> RunningServer {
        try await RunningServer(definition: "TodoItem", arguments: "--azure", "--guest", "a")
    }

    /// Clients read the status and the text of a refusal from its body.
    @Test func refusalHasTextsOfGeneration() async throws {
        let server = try await server()
        let clients = Self.generations.map { AzureClient(server, version: $0) }
        let missing = "An item with id 'nobody' does not exist."
        for (client, wanted) in zip(
            clients,
            [
                ["code": 404, "error": .string("Error: \(missing)")],
                ["error": "The item does not exist"],
                ["type": "about:blank", "status": 404, "title": .string(missing)],
            ] as [[String: JSONValue]])
        {
            let answer = try await client.ask("GET", Self.table + "/nobody")
            #expect(answer.status == 404)
            #expect(try answer.row() == wanted)
            #expect(answer.header("Cache-Control")?.contains("no-transform") == true)
        }
        for (client, keys) in zip(
            clients, [["code", "error"], ["error"], ["status", "title", "type"]])
        {
            let answer = try await client.ask("DELETE", Self.table)
            #expect(answer.status == 405 && answer.header("Allow")?.contains("GET") == true)
            #expect(try answer.row().keys.sorted() == keys)
        }
        let table = try await clients[0].ask("GET", "/tables/nothing")
        #expect(try table.row()["error"] == "Error: Table 'nothing' does not exist.")
    }

    /// Also of a request whose query cannot be read.
    @Test func unreadableQueryIsToldInShapeOfGeneration() async throws {
        let server = try await server()
        for (version, key) in [(nil, "code"), ("2.0.1", "error"), ("3.0.0", "title")]
            as [(String?, String)]
        {
            let client = AzureClient(server, version: version)
            let answer = try await server.request(
                "GET", Self.table + "?$filter=%FF", headers: client.headers)
            #expect(answer.status == 400)
            #expect(try answer.row()[key] != nil, "\(answer.text)")
        }
    }

    /// Some clients show the text to people, who know the names and values of the app.
    @Test func refusalHasWordsOfTable() async throws {
        let client = AzureClient(try await server())
        let flag = try await client.ask("POST", Self.table, ["complete": "yes"])
        #expect(flag.status == 400)
        #expect(try flag.row()["error"]?.string == "'complete' takes true or false")
        let dates = AzureClient(
            try await RunningServer(definition: "Dates", arguments: "--azure", "--guest", "a"))
        let occasion = try await dates.ask(
            "POST", "/tables/occasion",
            ["kind": "birthday", "name": "Mum", "date": "27.11.2026"])
        #expect(
            try occasion.row()["error"]?.string
                == "'date' takes a time such as 2026-11-21T06:00:10.469Z")
        let gift = try await dates.ask("POST", "/tables/gift", ["occasion": 4, "idea": "a book"])
        #expect(
            try gift.row()["error"]?.string == "'occasion' takes the id of a row of 'Occasion'")
        // An empty text is no row, which a gift needs.
        let none = try await dates.ask("POST", "/tables/gift", ["occasion": "", "idea": "a book"])
        #expect(try none.row()["error"]?.string == "'occasion' is required, give it a value")
    }

    /// A single row is no list, and has what clients cannot do without.
    @Test func singleRowIsNoList() async throws {
        let server = try await server()
        for version in Self.generations {
            let client = AzureClient(server, version: version)
            let made = try await client.row("POST", Self.table, ["text": "t"])
            let path = Self.table + "/" + (made["id"]?.string ?? "")
            for (name, value) in [
                ("$top", "1"), ("$skip", "1"), ("$filter", "complete"), ("$orderby", "text"),
                ("$inlinecount", "allpages"),
            ] {
                let answer = try await client.ask("GET", path, query: [(name, value)])
                #expect(answer.status == 400, "\(name) \(answer.text)")
            }
            guard version != nil else { continue }
            let rows = try await client.rows(Self.table, [("$select", "text")])
            #expect(
                rows.allSatisfy {
                    $0["deleted"] == .boolean(false) && $0["updatedAt"]?.string != nil
                })
        }
    }

    /// Some clients cannot send all methods.
    @Test func methodIsOverridden() async throws {
        let client = AzureClient(try await server(), version: nil)
        let path = Self.table + "/one"
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        for method in ["PUT", "MERGE"] {
            let answer = try await client.row(
                "POST", path, ["text": .string(method)],
                headers: ["X-HTTP-Method-Override": method])
            #expect(answer["text"]?.string == method)
        }
        let get = ["X-HTTP-Method-Override": "GET"]
        #expect(try await client.row("POST", path, headers: get)["text"] == "MERGE")
        let list = try await client.ask("POST", Self.table, headers: get)
        #expect(try list.status == 200 && list.rows().count == 1)
        let weak = try await client.ask(
            "PATCH", path, ["text": "x"], headers: ["If-Match": "W/\"AAAAAAAAAAE=\""])
        #expect(weak.status == 400)
        let deleted = try await client.ask(
            "POST", path, headers: ["X-HTTP-Method-Override": "DELETE"])
        #expect(deleted.status == 204)
        #expect(try await client.ask("GET", path).status == 404)
    }

    /// The first generation sends a body with `GET`, and none of its types. Some clients want the
    /// length of each answer.
    @Test func answersHaveLengthsWhateverIsSent() async throws {
        let server = try await server()
        let head = "Host: x\r\nX-ZUMO-INSTALLATION-ID: i\r\n"
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET \(Self.table) HTTP/1.1\r\n\(head)Content-Length: 4\r\n\r\nbody"
                + "POST \(Self.table) HTTP/1.1\r\n\(head)Connection: close\r\n"
                + "Content-Length: 12\r\n\r\n{\"text\":\"t\"}")
        let answers = await connection.receiveAll()
        let heads = answers.ranges(of: "HTTP/1.1 ").map { answers[$0.upperBound...].prefix(3) }
        #expect(heads == ["200", "201"], "\(answers)")
        #expect(answers.lowercased().ranges(of: "content-length: ").count == 2, "\(answers)")
        #expect(!answers.lowercased().contains("chunked"))
    }

    /// There is nothing to parse, and no version of a row that is gone.
    @Test(arguments: [nil, "2.0.1", "3.0.0"] as [String?])
    func answerWithoutBodyHasNoTypeAndNoLength(version: String?) async throws {
        let server = try await server()
        let client = AzureClient(server, version: version)
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let token: [String: JSONValue] = ["pushChannel": "t", "platform": "gcm"]
        for (method, path, body) in [
            ("DELETE", Self.table + "/one", nil), ("OPTIONS", Self.table, nil),
            ("PUT", "/push/installations/x", token), ("DELETE", "/push/installations/x", nil),
        ] as [(String, String, [String: JSONValue]?)] {
            let answer = try await client.ask(method, path, body)
            #expect(answer.status == 204 && answer.body.isEmpty, "\(method) \(path)")
            for name in ["Content-Type", "Content-Length", "Transfer-Encoding", "ETag"] {
                #expect(answer.header(name) == nil, "\(method) \(path): \(name)")
            }
            #expect(answer.header("Cache-Control")?.contains("no-cache") == true)
            #expect(answer.header("x-zumo-server-version") == "waggle")
        }
    }

    // MARK: - Open conflicts

    /// The row shows what stands, a disputed tombstone is a deleted row, and the conflict stays
    /// open for whoever may resolve it.
    @Test(arguments: ["2.0.1", "3.0.0"])
    func openConflictIsNotShown(version: String) async throws {
        let server = try await server()
        let (one, other) = (try server.client("a"), try server.client("b"))
        let (edited, deleted) = (fresh(), fresh())
        for guid in [edited, deleted] {
            try await one.push(.create(guid, of: "todo", ["text": "t"]))
        }
        try await one.push(.update(edited, of: "todo", from: 1, ["text": "mine"]))
        try await one.push(.delete(deleted, of: "todo", from: 1))
        for guid in [edited, deleted] {
            let late = try await other.push(.update(guid, of: "todo", from: 1, ["text": "theirs"]))
            #expect(late.outcome == .conflicted)
        }
        let client = AzureClient(server, version: version)
        let rows = try await client.rows(Self.table)
        #expect(rows.map { $0["id"]?.string } == [edited] && rows[0]["text"] == "mine")
        let path = "\(Self.table)/\(edited)"
        let row = try await client.row("GET", path)
        #expect(row["text"] == "mine" && row["deleted"] == .boolean(false))
        var pull = AzurePull(.dotNet, server, path: Self.table)
        pull.rows[deleted] = ["id": .string(deleted)]
        try await pull.pull()
        #expect(pull.rows.keys.sorted() == [edited])
        let update = try await client.update(path, row.merging(["text": "new"]) { $1 })
        #expect(update.status == 200, "\(update.text)")
        let record = try await one.record(edited)
        #expect(record.conflicted && record.fields?["text"] == "new")
    }
}
