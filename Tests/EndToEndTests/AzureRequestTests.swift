import Foundation
import JSON
import Testing

/// Requests of the clients of Azure Mobile and their answers, in all three generations.
@Suite(.timeLimit(.minutes(5))) struct AzureRequestTests {
    private static let table = "/tables/todoitem"
    private static let generations = [nil, "2.0.1", "3.0.0"]

    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(
            site: try await Site(prepared: "TodoItem"),
            arguments: ["--azure"] + (arguments.isEmpty ? ["--guest", "a"] : arguments))
    }

    @Test(arguments: generations) func rowHasShapeOfGeneration(version: String?) async throws {
        let client = AzureClient(try await server(), version: version)
        let answer = try await client.ask("POST", Self.table, ["text": "Buy eggs"])
        #expect(answer.status == 201)
        let row = try answer.row()
        let names: [String] =
            switch version {
            case nil: ["text", "complete", "id"]
            case "2.0.1"?:
                ["text", "complete", "id", "createdAt", "updatedAt", "version", "deleted"]
            default: ["text", "complete", "id", "updatedAt", "version", "deleted"]
            }
        #expect(Set(row.keys) == Set(names))
        #expect(row["complete"] == .boolean(false) && row["text"] == "Buy eggs")
        let id = try #require(row["id"]?.string)
        #expect(answer.header("Location")?.hasSuffix("/tables/todoitem/\(id)") == true)
        if let time = row["updatedAt"]?.string {
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        }
    }

    struct Refusal: Sendable {
        let method: String
        let path: String
        var row: [String: JSONValue]?
        var query: [(String, String)] = []
        var headers: [String: String] = [:]
        /// The statuses by generation.
        let statuses: [Int]
    }

    private static let refusals = [
        Refusal(method: "GET", path: "/tables/nothing", statuses: [404, 404, 404]),
        Refusal(method: "GET", path: table + "/nobody", statuses: [404, 404, 404]),
        Refusal(method: "GET", path: table + "/gone", statuses: [404, 404, 410]),
        Refusal(method: "PATCH", path: table + "/gone", row: [:], statuses: [404, 404, 410]),
        Refusal(method: "DELETE", path: table + "/gone", statuses: [404, 404, 410]),
        Refusal(
            method: "DELETE", path: table + "/gone", headers: ["X-ZUMO-FEATURES": "OL"],
            statuses: [204, 204, 204]),
        Refusal(method: "POST", path: table, row: ["id": "there"], statuses: [409, 409, 409]),
        Refusal(method: "POST", path: table, row: ["id": "a+b"], statuses: [400, 400, 400]),
        Refusal(method: "POST", path: table, row: ["id": 7], statuses: [400, 400, 400]),
        Refusal(method: "POST", path: table, row: ["ID": "x"], statuses: [400, 400, 400]),
        Refusal(method: "POST", path: table, row: ["colour": "x"], statuses: [400, 400, 400]),
        Refusal(method: "POST", path: table, row: ["colour": .null], statuses: [201, 201, 201]),
        Refusal(method: "POST", path: table, row: ["text": 7], statuses: [400, 400, 400]),
        Refusal(
            method: "PATCH", path: table + "/there", row: ["id": "other"],
            statuses: [400, 400, 400]),
        Refusal(
            method: "PATCH", path: table + "/there", row: ["text": "x"],
            headers: ["If-Match": "\"AAAAAAAAAAk=\""], statuses: [412, 412, 412]),
        Refusal(
            method: "PATCH", path: table + "/there", row: ["text": "x"],
            headers: ["If-Match": "none"], statuses: [400, 400, 400]),
        // The lowest version that the form can have.
        Refusal(
            method: "PATCH", path: table + "/there", row: ["text": "x"],
            headers: ["If-Match": "\"gAAAAAAAAAA=\""], statuses: [412, 412, 412]),
        // A version of another server is none that the client has seen here.
        Refusal(
            method: "PATCH", path: table + "/there", row: ["text": "x"],
            headers: ["If-Match": "\"none\""], statuses: [412, 412, 412]),
        Refusal(
            method: "POST", path: table + "/there", headers: ["X-HTTP-Method-Override": "TRACE"],
            statuses: [400, 400, 400]),
        Refusal(
            method: "POST", path: table, headers: ["X-HTTP-Method-Override": "DELETE"],
            statuses: [400, 400, 400]),
        Refusal(
            method: "POST", path: table, row: ["__other": .null], statuses: [400, 400, 400]),
        // A name without underscores is that of a column in the first generation.
        Refusal(
            method: "POST", path: table, row: ["createdAt": "x"], statuses: [400, 201, 201]),
        Refusal(
            method: "PATCH", path: table + "/nobody", row: ["text": "x"],
            headers: ["X-ZUMO-FEATURES": "OL", "X-ZUMO-VERSION": "ZUMO/2.0 (lang=Cordova)"],
            statuses: [409, 409, 409]),
        Refusal(method: "GET", path: table, query: [("$top", "-1")], statuses: [400, 400, 400]),
        Refusal(method: "GET", path: table, query: [("$top", "1001")], statuses: [400, 400, 200]),
        Refusal(method: "GET", path: table, query: [("$skip", "-1")], statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, query: [("$skip", "\(Int.max)")],
            statuses: [200, 200, 200]),
        Refusal(method: "GET", path: table, query: [("$what", "1")], statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table,
            query: [("$filter", "1" + String(repeating: " add 1", count: 2500) + " eq 2")],
            statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, query: [("$filter", "text eq")], statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, query: [("$filter", "colour eq 1")],
            statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, query: [("$select", "text,colour")],
            statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, query: [("$orderby", "version")],
            statuses: [400, 400, 400]),
        Refusal(method: "GET", path: "/api/mine", statuses: [404, 404, 404]),
        Refusal(method: "POST", path: "/api/mine/more", statuses: [404, 404, 404]),
        Refusal(method: "GET", path: "/tables", statuses: [404, 404, 404]),
        Refusal(method: "GET", path: table + "/there/x", statuses: [404, 404, 404]),
        Refusal(method: "GET", path: "/.auth/what", statuses: [404, 404, 404]),
        Refusal(method: "PUT", path: "/push/what/ever", row: [:], statuses: [404, 404, 404]),
        Refusal(method: "PUT", path: "/push/registrations/x", row: [:], statuses: [400, 400, 400]),
        Refusal(
            method: "GET", path: table, headers: ["X-ZUMO-AUTH": "nonsense"],
            statuses: [401, 401, 401]),
        Refusal(
            method: "GET", path: table, headers: ["X-ZUMO-MASTER": "key"],
            statuses: [401, 401, 401]),
        Refusal(method: "OPTIONS", path: table, statuses: [204, 204, 204]),
    ]

    @Test func refusalsHaveStatusAndShapeOfGeneration() async throws {
        let server = try await server()
        for (index, version) in Self.generations.enumerated() {
            let client = AzureClient(server, version: version)
            for id in ["there", "gone"] {
                _ = try await client.ask("POST", Self.table, ["id": .string(id), "text": "t"])
            }
            _ = try await client.ask("DELETE", Self.table + "/gone")
            for refusal in Self.refusals {
                let answer = try await client.ask(
                    refusal.method, refusal.path, refusal.row, query: refusal.query,
                    headers: refusal.headers)
                let told: Comment = "\(refusal), \(version ?? "first"): \(answer.text)"
                #expect(answer.status == refusal.statuses[index], told)
                guard answer.status >= 400 else { continue }
                let body = try answer.row()
                let isProblem = answer.header("Content-Type")?.contains("problem") == true
                #expect(isProblem == (version == "3.0.0" && body["id"] == nil), told)
                #expect((body["error"] ?? body["title"] ?? body["id"])?.string != nil, told)
            }
        }
    }

    @Test func otherVersionIsRefused() async throws {
        let client = AzureClient(try await server(), version: "9.0.0")
        #expect(try await client.ask("GET", Self.table).status == 400)
    }

    // MARK: - Lost answers

    @Test func repeatGetsFirstOutcome() async throws {
        let client = AzureClient(try await server(), features: "OL")
        let item: [String: JSONValue] = ["id": "one", "text": "t"]
        let created = try await client.row("POST", Self.table, item)
        #expect(try await client.row("POST", Self.table, item) == created)
        // Another client has an installation of its own.
        #expect(
            try await AzureClient(client.server, features: "OL").ask(
                "POST", Self.table, ["id": "one", "text": "other"]
            ).status == 409)

        var edited = created
        edited["text"] = "edited"
        let first = try await client.update(Self.table + "/one", edited).row()
        let again = try await client.update(Self.table + "/one", edited)
        #expect(again.status == 200)
        #expect(try again.row() == first)
        edited["text"] = "not seen"
        #expect(try await client.update(Self.table + "/one", edited).status == 412)
    }

    /// Clients send whole rows, with null for what they may not see.
    @Test func hiddenFieldIsNotHarmedByWholeRow() async throws {
        let server = try await RunningServer(
            definition: "Permissions", arguments: "--azure", "--guest", "a")
        let table = "/tables/permissionsentity"
        let (owner, reader) = (AzureClient(server), AzureClient(server))
        let row = try await owner.row("POST", table, ["title": "t", "director": "d"])
        let path = "\(table)/\(row["id"]?.string ?? "")"
        let token = try server.client("b").token
        var seen = try await reader.row("GET", path, headers: ["X-ZUMO-AUTH": token])
        #expect(seen["director"] == nil)
        seen["title"] = "new"
        seen["director"] = .null
        let answer = try await reader.row("PATCH", path, seen, headers: ["X-ZUMO-AUTH": token])
        #expect(answer["title"] == "new")
        #expect(try await owner.row("GET", path)["director"] == "d")
    }

    // MARK: - Ids and versions

    /// Relations are shown by the ids that clients gave, and other values as clients know them.
    @Test func relationNamesIDOfOtherRow() async throws {
        let client = AzureClient(
            try await RunningServer(definition: "Dates", arguments: "--azure", "--guest", "a"))
        let date = "2026-11-21T06:00:10.469Z"
        let occasion = try await client.row(
            "POST", "/tables/Occasion",
            ["id": "Mum's", "kind": "birthday", "name": "Mum", "date": .string(date)])
        #expect(occasion["date"]?.string == date)
        let gift = try await client.row(
            "POST", "/tables/gift", ["occasion": "Mum's", "idea": "a book"])
        #expect(gift["occasion"] == "Mum's" && gift["bought"] == .boolean(false))
        for (filter, count) in [
            ("occasion eq 'Mum''s'", 1), ("occasion eq 'Dad''s'", 0),
            ("occasion in ('Mum''s')", 1), ("occasion eq null", 0),
        ] {
            let rows = try await client.rows("/tables/gift", [("$filter", filter)])
            #expect(rows.count == count)
            #expect(rows.allSatisfy { $0["occasion"]?.string == "Mum's" }, "\(filter)")
        }
        let computed = try await client.ask(
            "GET", "/tables/gift", query: [("$filter", "startswith(occasion,'Mum')")])
        #expect(computed.status == 400 && computed.text.contains("ids of other rows"))
        let lost = try await client.ask(
            "POST", "/tables/gift", ["occasion": "nobody's", "idea": "a book"])
        #expect(lost.status == 400)
        #expect(lost.text.contains(#""causes":[{"code":"notFound""#))
    }

    @Test(arguments: generations) func idInOtherCaseIsTaken(version: String?) async throws {
        let client = AzureClient(try await server(), version: version)
        let id = "D265929E-B17B-42D1-8FAB-D0ADF26486FA"
        #expect(try await client.row("POST", Self.table, ["id": .string(id)])["id"]?.string == id)
        let other = try await client.ask(
            "POST", Self.table, ["id": .string(id.lowercased())])
        #expect(other.status == (version == "3.0.0" ? 400 : 409), "\(other.text)")
    }

    @Test func staleDeletionIsRefusedWithRow() async throws {
        let client = AzureClient(try await server(), version: "3.0.0")
        let row = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let edited = try await client.row(
            "PUT", Self.table + "/one", ["id": "one", "text": "edited"])
        let early = try await client.ask(
            "DELETE", Self.table + "/one",
            headers: ["If-Unmodified-Since": "Thu, 01 Jan 1970 00:00:01 GMT"])
        #expect(early.status == 412)
        for (version, status) in [(row["version"], 412), (edited["version"], 204)] {
            let answer = try await client.ask(
                "DELETE", Self.table + "/one",
                headers: ["If-Match": "\"\(version?.string ?? "")\""])
            #expect(answer.status == status)
            if status == 412 { #expect(try answer.row() == edited) }
        }
        #expect(try await client.ask("GET", Self.table + "/one").status == 410)
    }

    /// By `POST` in the first two generations, by `deleted` or a replacement in the third.
    @Test(arguments: generations) func deletedRowIsUndeleted(version: String?) async throws {
        let client = AzureClient(try await server(), version: version)
        let path = Self.table + "/one"
        let row = try await client.row(
            "POST", Self.table, ["id": "one", "text": "t", "complete": .boolean(true)])
        #expect(try await client.ask("DELETE", path).status == 204)
        let isThird = version == "3.0.0"
        let stale = try await client.ask(
            isThird ? "PATCH" : "POST", path, ["deleted": .boolean(false)],
            headers: ["If-Match": "\"AAAAAAAAAAE=\""])
        #expect(stale.status == (isThird ? 410 : 412), "\(stale.text)")
        let back =
            isThird
            ? try await client.row("PATCH", path, ["deleted": .boolean(false), "text": "new"])
            : try await client.row("POST", path)
        #expect(back["text"] == (isThird ? "new" : "t") && back["complete"] == .boolean(true))
        #expect(try await client.row("GET", path) == back)
        #expect(try await client.rows(Self.table).count == 1)
        guard isThird else {
            return #expect(try await client.row("POST", path) == back)
        }
        #expect(try await client.ask("DELETE", path).status == 204)
        let replaced = try await client.row(
            "PUT", path + "?__includedeleted=true", ["id": "one", "text": "again"])
        #expect(replaced["text"] == "again" && row["id"] == replaced["id"])
    }

    @Test func undeletionNeedsRights() async throws {
        let site = try await Site(prepared: "TodoItem") {
            $0.replacing(
                "updateAllowed=\"ALL\"\n                    deleteAllowed=\"ALL\"",
                with: "updateAllowed=\"OWN\"\n                    deleteAllowed=\"OWN\"")
        }
        let server = try await RunningServer(
            site: site, arguments: ["--azure", "--guest", "a"])
        let (owner, other) = (AzureClient(server), AzureClient(server))
        _ = try await owner.row("POST", Self.table, ["id": "one", "text": "t"])
        #expect(try await owner.ask("DELETE", Self.table + "/one").status == 204)
        let token = try server.client("b").token
        let refused = try await other.ask(
            "POST", Self.table + "/one", headers: ["X-ZUMO-AUTH": token])
        #expect(refused.status == 403)
        #expect(try await owner.row("POST", Self.table + "/one")["text"] == "t")
    }

    @Test func firstGenerationAsksForSystemProperties() async throws {
        let client = AzureClient(try await server(), version: nil)
        let row = try await client.row(
            "POST", Self.table + "?__systemproperties=version,__updatedAt", ["text": "t"])
        #expect(Set(row.keys) == ["id", "text", "complete", "__version", "__updatedAt"])
        let override = try await client.ask(
            "POST", Self.table + "/\(row["id"]?.string ?? "")", ["text": "new"],
            headers: ["X-HTTP-Method-Override": "PATCH"])
        #expect(try override.row()["text"] == "new")
        let rows = try await client.rows(Self.table, [("__systemproperties", "*")])
        #expect(rows.first?["__deleted"] == .boolean(false))
    }

    // MARK: - Questions

    @Test func questionIsAnswered() async throws {
        let client = AzureClient(try await server())
        for (text, complete) in [
            ("Amélie", true), ("American Beauty", false), ("it's", true), ("zoo", false),
        ] {
            _ = try await client.row(
                "POST", Self.table, ["text": .string(text), "complete": .boolean(complete)])
        }
        _ = try await client.row("POST", Self.table, [:])
        for (filter, wanted) in [
            ("complete eq true", ["Amélie", "it's"]), ("(complete)", ["Amélie", "it's"]),
            ("complete eq 0", ["", "American Beauty", "zoo"]),
            ("not complete", ["", "American Beauty", "zoo"]), ("text eq null", [""]),
            ("text ne 'zoo'", ["Amélie", "American Beauty", "it's"]),
            ("not (text eq 'zoo')", ["Amélie", "American Beauty", "it's"]),
            ("text eq 'it''s'", ["it's"]),
            ("startswith(tolower(text),'am')", ["Amélie", "American Beauty"]),
            ("substringof('oo',text) or length(text) eq 4", ["it's", "zoo"]),
            ("substringof('BEAUTY',text)", ["American Beauty"]),
            ("startswith(text,'aM') or endswith(text,'OO')", ["Amélie", "American Beauty", "zoo"]),
            ("indexof(text,'BEAUTY') eq 9", ["American Beauty"]),
            ("tolower(text) ne null", ["Amélie", "American Beauty", "it's", "zoo"]),
            ("trim(text) eq null", [""]), ("text in ('zoo','x')", ["zoo"]),
            (
                "createdAt gt datetime'2001-01-01T00:00:00Z'",
                ["", "Amélie", "American Beauty", "it's", "zoo"]
            ),
        ] {
            let rows = try await client.rows(
                Self.table, [("$filter", filter), ("$orderby", "text")])
            #expect(rows.map { $0["text"]?.string ?? "" } == wanted, "\(filter)")
        }
        let counted = try await client.ask(
            "GET", Self.table,
            query: [
                ("$top", "2"), ("$skip", "1"), ("$inlinecount", "allpages"),
                ("$orderby", "text desc"), ("$select", "text"),
            ])
        #expect(try counted.row()["count"] == 5)
        #expect(try counted.rows().map { $0["text"] } == ["it's", "American Beauty"])
    }

    // MARK: - Ids

    /// Otherwise a user could take the id by which a client of Parse knows another one.
    @Test(arguments: generations) func idsOfUsersAreNotChosen(version: String?) async throws {
        let server = try await RunningServer.parse(["--azure", "--guest", "a"])
        let client = AzureClient(server, version: version)
        for name in ["_User", "_user"] {
            let path = "/tables/\(name)"
            #expect(try await client.ask("POST", path, ["id": "u1"]).status == 400)
            #expect(try await client.ask("POST", path, ["id": .string(fresh())]).status == 400)
            #expect(try await client.ask("POST", path, ["city": "Bern"]).status == 201)
        }
        #expect(try await client.ask("POST", "/tables/game", ["id": "u1"]).status == 201)
    }

    // MARK: - Environments

    @Test func pathMayNameEnvironment() async throws {
        var client = AzureClient(try await server())
        let row = try await client.row("POST", Self.table, ["text": "t"])
        client.prefix = "/azure/test"
        #expect(try await client.rows(Self.table) == [row])
    }
}
