import Foundation
import JSON
import Testing

/// Lists of many rows, and filters with many conditions.
@Suite(.timeLimit(.minutes(5))) struct AzureListTests {
    private static let table = "/tables/TodoItem"
    private static let rows = 1600

    private func server() async throws -> RunningServer {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = try server.client("a")
        for half in [0..<Self.rows / 2, Self.rows / 2..<Self.rows] {
            _ = try await client.sync(
                half.map { .create(fresh(), of: "todo", ["text": .string("Item \($0)")]) },
                limit: 1)
        }
        return server
    }

    /// These clients have no links: a page with fewer rows than they ask for is the last one.
    @Test func pageIsFullThatSkipsRows() async throws {
        let client = AzureClient(try await server())
        for order in ["", "updatedAt", "text"] {
            var query = [("$skip", "500"), ("$top", "1000")]
            if !order.isEmpty { query.append(("$orderby", order)) }
            let rows = try await client.rows(Self.table, query)
            #expect(Set(rows.map { $0["id"]?.string }).count == 1000, "\(order)")
        }
    }

    @Test func linksLeadToAllRowsThatWereAskedFor() async throws {
        let client = AzureClient.toolkit(try await server())
        for (top, pages) in [(1500, [1000, 500]), (1600, [1000, 600]), (2000, [1000, 600])] {
            var answer = try await client.ask("GET", Self.table, query: [("$top", "\(top)")])
            var counts: [Int] = []
            while true {
                counts.append(try answer.rows().count)
                guard let link = try answer.row()["nextLink"]?.string else { break }
                answer = try await client.ask("GET", "\(Self.table)?\(link)")
            }
            #expect(counts == pages, "\(top)")
        }
    }

    /// A list ends where its rows are too large for one answer. Only clients that follow links may
    /// get the first part of it.
    @Test func listOfLargeRowsIsNotCut() async throws {
        let server = try await RunningServer(
            definition: "TodoItem",
            changing: {
                let end = "</credentials>"
                let options = #"<options><option name="maxLength">400000</option></options>"#
                return $0.replacing(end, with: end + options, maxReplacements: 1)
            }, arguments: "--azure", "--guest", "a")
        let writer = try server.client("a")
        let text = String(repeating: "x", count: 400_000)
        for _ in 0..<4 {
            _ = try await writer.sync(
                (0..<15).map { _ in .create(fresh(), of: "todo", ["text": .string(text)]) },
                limit: 1)
        }
        for version in [nil, "2.0.1"] {
            let client = AzureClient(server, version: version)
            #expect(try await client.rows(Self.table, [("$top", "30")]).count == 30)
        }
        let first = AzureClient(server, version: nil)
        let refused = try await first.ask("GET", Self.table, query: [("$top", "60")])
        #expect(refused.status == 413 && refused.text.contains("$top"))
        let second = AzureClient(server)
        var answer = try await second.ask("GET", Self.table, query: [("$top", "58")])
        var ids = try answer.rows().map { $0["id"]?.string }
        while let link = answer.header("Link") {
            #expect(link.hasPrefix("http://") && link.hasSuffix("; rel=next"), "\(link)")
            let url = try #require(URL(string: String(link.dropLast("; rel=next".count))))
            answer = try await second.ask("GET", "\(url.path)?\(url.query ?? "")")
            ids += try answer.rows().map { $0["id"]?.string }
        }
        #expect(ids.count == 58 && Set(ids).count == 58)
    }

    /// By clients that do not pull, or that say no more than that they do.
    @Test(arguments: [nil, "OL"]) func listFromTimeOnGoesOnByPositions(
        features: String?
    ) async throws {
        let client = AzureClient(try await server(), features: features)
        let query = [
            ("$filter", "updatedAt ge datetimeoffset'1970-01-01T00:00:00.000Z'"),
            ("$orderby", "updatedAt"),
        ]
        var ids: [String] = []
        for (skip, count) in [(0, 50), (50, 50), (100, 50), (1590, 10), (1600, 0)] {
            let rows = try await client.rows(
                Self.table, query + [("$skip", "\(skip)"), ("$top", "50")])
            #expect(rows.count == count, "\(skip)")
            ids += rows.compactMap { $0["id"]?.string }
        }
        #expect(Set(ids).count == 160)
        let page = try await client.ask("GET", Self.table, query: query)
        #expect((page.header("Link") == nil) == (features == "OL"))
    }

    /// The rows have several owners.
    @Test func listWithoutOrderIsByCreation() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        var others = AzureClient(server)
        others.headers["X-ZUMO-AUTH"] = try server.client("b").token
        let client = AzureClient(server)
        let ids = (0..<40).map { "Item \($0)" }
        for (index, id) in ids.enumerated() {
            _ = try await (index.isMultiple(of: 3) ? others : client).row(
                "POST", Self.table, ["id": .string(id)])
        }
        let rows = try await client.rows(Self.table)
        #expect(rows.map { $0["id"]?.string } == ids)
        let later = try await client.rows(Self.table, [("$skip", "30"), ("$top", "5")])
        #expect(later.map { $0["id"]?.string } == Array(ids[30..<35]))
        let counted = try await client.ask(
            "GET", Self.table, query: [("$inlinecount", "allpages"), ("$skip", "30")])
        #expect(try counted.row()["count"] == 40)
        #expect(try counted.rows().map { $0["id"]?.string } == Array(ids[30...]))
    }

    /// A list without `$top` has a page of 50 rows, and a link to the next one.
    @Test func pageOfStandardSizeHasLink() async throws {
        let server = try await server()
        let client = AzureClient(server)
        let page = try await client.ask(
            "GET", Self.table, query: [("$filter", "complete eq false")])
        #expect(try page.rows().count == 50)
        let link = try #require(page.header("Link"))
        #expect(link.contains("$skip=50") && link.contains("filter"), "\(link)")
        let asked = try await client.ask("GET", Self.table, query: [("$top", "50")])
        #expect(asked.header("Link") == nil)
        let first = try await AzureClient(server, version: nil).ask("GET", Self.table)
        #expect(try first.rows().count == 50 && first.header("Link") == nil)
    }

    /// A pull of the third generation is told how many rows it gets, deleted ones among them.
    @Test func pullTellsNumberOfRows() async throws {
        let server = try await server()
        let client = AzureClient.datasync(server)
        _ = try await client.row("POST", Self.table, ["id": "gone", "text": "t"])
        #expect(try await client.ask("DELETE", "\(Self.table)/gone").status == 204)
        func step(after time: String) async throws -> Answer {
            try await client.ask(
                "GET", Self.table,
                query: [
                    ("$filter", "(updatedAt gt cast(\(time),Edm.DateTimeOffset))"),
                    ("$orderby", "updatedAt"), ("$count", "true"), ("__includedeleted", "true"),
                ])
        }
        let first = try await step(after: "1970-01-01T00:00:00.001Z")
        #expect(try first.row()["count"] == .integer(Int64(Self.rows + 1)))
        let last = try await client.rows(
            Self.table, [("$orderby", "updatedAt desc"), ("$top", "3")])
        let time = try #require(last.last?["updatedAt"]?.string)
        let rest = try await step(after: time)
        #expect(try rest.row()["count"] == 3 && rest.rows().count == 3)
        #expect(try rest.row()["nextLink"] == nil)
        #expect(try rest.rows().last?["deleted"] == .boolean(true))
    }

    /// As clients join conditions: each with all before it, in parentheses.
    @Test func filterMayHaveManyAlternatives() async throws {
        let client = AzureClient(try await server())
        let filter = (1..<150).reduce("(text eq 'Item 0')") { "(\($0) or (text eq 'Item \($1)'))" }
        let rows = try await client.rows(Self.table, [("$filter", filter), ("$top", "1000")])
        #expect(rows.count == 150)
    }

    @Test func selectedRowKeepsVersionOfFirstGeneration() async throws {
        let client = AzureClient(
            try await RunningServer(definition: "TodoItem", arguments: "--azure", "--guest", "a"),
            version: nil)
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let rows = try await client.rows(
            "/Tables/todoitem", [("$select", "text"), ("__systemProperties", "__version")])
        #expect(rows.map { Set($0.keys) } == [["id", "text", "__version"]])
        let answer = try await client.ask(
            "GET", "/Tables/todoitem/one",
            query: [("$select", "text"), ("__systemproperties", "*")])
        #expect(answer.header("ETag") == "\"\(try answer.row()["__version"]?.string ?? "")\"")
    }

    /// A registration is told with an id that removes it alone.
    @Test func registrationsAreToldAndRemoved() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = AzureClient(server, version: nil)
        let path = "/push/registrations"
        #expect(try await client.rows(path).isEmpty)
        for platform in ["apns", "gcm"] {
            let answer = try await client.ask(
                "PUT", "\(path)/\(fresh())",
                ["deviceId": .string("\(platform) token"), "platform": .string(platform)])
            #expect(answer.status == 204, "\(answer.text)")
        }
        let held = try await client.rows(path)
        #expect(held.map { $0["deviceId"] } == ["apns token", "gcm token"])
        let query = [("platform", "gcm"), ("deviceId", "gcm token")]
        #expect(try await client.rows(path, query) == [held[1]])
        #expect(try await client.rows(path, [("deviceId", "other")]).isEmpty)
        #expect(try await AzureClient(server, version: nil).rows(path).isEmpty)
        let id = try #require(held[1]["registrationId"]?.string)
        #expect(try await client.ask("DELETE", "\(path)/\(id)").status == 200)
        #expect(try await client.rows(path) == [held[0]])
        // A guest that names no installation has no device, and reads none of another.
        var nameless = client
        nameless.headers["X-ZUMO-INSTALLATION-ID"] = nil
        nameless.headers["X-ZUMO-FEATURES"] = "TT"
        let new: [String: JSONValue] = ["deviceId": "t", "platform": "apns"]
        for (method, target, row) in [
            ("GET", path, nil), ("PUT", "\(path)/x", new), ("DELETE", "\(path)/x", nil),
            ("PUT", "/push/installations/a%20b", ["pushChannel": "t", "platform": "apns"]),
        ] as [(String, String, [String: JSONValue]?)] {
            let refused = try await nameless.ask(method, target, row)
            #expect(refused.status == 400, "\(method) \(target): \(refused.text)")
        }
        // Clients also forget by the id that they were given first.
        #expect(try await client.ask("DELETE", "\(path)/\(fresh())").status == 200)
        #expect(try await client.rows(path).isEmpty)
    }

    /// A client counts characters, not bytes.
    @Test func idHasManyCharacters() async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = AzureClient(server)
        for (id, status) in [
            (String(repeating: "日", count: 255), 201), (String(repeating: "é", count: 256), 400),
        ] {
            let made = try await client.ask(
                "POST", "/tables/todoitem", ["id": .string(id), "text": "t"])
            #expect(made.status == status, "\(made.text)")
        }
        let rows = try await client.rows("/tables/todoitem")
        let id = try #require(rows.first?["id"]?.string)
        #expect(rows.count == 1 && id.count == 255)
        let path = "/tables/todoitem/\(AzureClient.encoded(id))"
        #expect(try await client.row("GET", path)["text"] == "t")
    }

    /// Some clients write the path so, and all take the id from a whole URL.
    @Test(arguments: ["registrationids", "registrationIds"])
    func registrationHasWholeURL(name: String) async throws {
        let server = try await RunningServer(
            definition: "TodoItem", arguments: "--azure", "--guest", "a")
        let client = AzureClient(server, version: nil)
        for root in ["", "/azure/test"] {
            let answer = try await client.ask("POST", "\(root)/push/\(name)")
            #expect(answer.status == 201)
            let location = try #require(answer.header("Location"))
            let prefix = try Regex("http://[^/]+\(root)/push/registrations/[0-9a-f-]{36}")
            #expect(location.wholeMatch(of: prefix) != nil, "\(location)")
        }
    }
}
