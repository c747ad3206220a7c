import Foundation
import JSON
import Testing

/// Changes at the same time, and changes that are repeated because their answers were lost.
@Suite(.timeLimit(.minutes(5))) struct AzureChangeTests {
    private static let table = "/tables/todoitem"
    private static let item = "/tables/todoitem/one"
    private static let versions = [nil, "2.0.1", "3.0.0"]

    private func server() async throws -> RunningServer {
        try await RunningServer(definition: "TodoItem", arguments: "--azure", "--guest", "a")
    }

    private func tag(_ row: [String: JSONValue]) -> [String: String] {
        ["If-Match": "\"\(row["version"]?.string ?? "")\""]
    }

    // MARK: - At the same time

    /// The statuses of requests that are sent at once.
    private func statuses(
        _ count: Int, _ send: @escaping @Sendable (Int) async throws -> Answer
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask { try await send(number).status }
            }
            var statuses: [Int] = []
            for try await status in group { statuses.append(status) }
            return statuses.sorted()
        }
    }

    /// Without a version, a change is made from the row as it is then; `*` is no version.
    @Test(arguments: versions) func updatesWithoutVersionAreAllMade(version: String?) async throws {
        let server = try await server()
        let client = AzureClient(server, version: version)
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let method = version == "3.0.0" ? "PUT" : "PATCH"
        let updated = try await statuses(40) { number in
            try await client.ask(
                method, Self.item, ["id": "one", "text": .string("text \(number)")],
                headers: number.isMultiple(of: 2) ? [:] : ["If-Match": "*"])
        }
        #expect(updated == Array(repeating: 200, count: 40))
        let gone = version == "3.0.0" ? 410 : 404
        let deleted = try await statuses(10) { _ in try await client.ask("DELETE", Self.item) }
        #expect(deleted == [204] + Array(repeating: gone, count: 9))
    }

    // MARK: - Repeats

    /// These clients do not say that they have a queue.
    @Test func insertOfThirdGenerationIsRepeated() async throws {
        let server = try await server()
        for client in [AzureClient.toolkit(server), .datasync(server)] {
            let id = fresh()
            let new: [String: JSONValue] = ["id": .string(id), "text": "t"]
            let created = try await client.ask("POST", Self.table, new)
            #expect(created.status == 201)
            let again = try await client.ask("POST", Self.table, new)
            #expect(again.status == 201)
            #expect(try again.row() == created.row())
            #expect(again.header("ETag") == created.header("ETag"))
            let other = try await client.ask(
                "POST", Self.table, ["id": .string(id), "text": "other"])
            #expect(other.status == 409)
            #expect(try other.row() == created.row())
            // A row that was deleted is no new one.
            #expect(try await client.ask("DELETE", "\(Self.table)/\(id)").status == 204)
            #expect(try await client.ask("POST", Self.table, new).status == 409)
        }
    }

    /// A client that inserts the same row after its deletion means a new one: it may not take the
    /// outcome of the first insert for that of the second.
    @Test(arguments: versions) func insertAfterDeletionIsNoRepeat(version: String?) async throws {
        let client = AzureClient(try await server(), version: version, features: "OL")
        let new: [String: JSONValue] = ["id": "one", "text": "t"]
        let created = try await client.row("POST", Self.table, new)
        #expect(try await client.row("POST", Self.table, new) == created)
        #expect(try await client.ask("DELETE", Self.item).status == 204)
        for _ in 0..<2 {
            let again = try await client.ask("POST", Self.table, new)
            #expect(again.status == 409, "\(again.text)")
            #expect(try again.row()["id"] == "one")
        }
        // By another client too.
        let other = AzureClient(client.server, version: version, features: "OL")
        #expect(try await other.ask("POST", Self.table, new).status == 409)
    }

    /// Also without a queue, as long as the request has a version.
    @Test(arguments: ["2.0.1", "3.0.0"]) func deletionIsRepeated(version: String) async throws {
        let client = AzureClient(try await server(), version: version)
        let created = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let edited = try await client.row(
            "PATCH", Self.item, ["id": "one", "text": "new"], headers: tag(created))
        for _ in 0..<2 {
            let answer = try await client.ask("DELETE", Self.item, headers: tag(edited))
            #expect(answer.status == 204, "\(answer.text)")
        }
        // This one was never made.
        let gone = version == "3.0.0" ? 410 : 404
        for headers in [tag(created), [:]] {
            #expect(try await client.ask("DELETE", Self.item, headers: headers).status == gone)
        }
        // The update was, before the row was deleted.
        let update = try await client.ask(
            "PATCH", Self.item, ["id": "one", "text": "new"], headers: tag(created))
        #expect(update.status == 200)
        #expect(try update.row()["deleted"] == .boolean(true))
        let other = try await client.ask(
            "PATCH", Self.item, ["id": "one", "text": "newer"], headers: tag(created))
        #expect(other.status == gone)
    }

    /// The first generation gets the row that stands, unless the queue shall go on.
    @Test func staleDeletionOfDeletedRowIsToldInFirstGeneration() async throws {
        let client = AzureClient(try await server(), version: nil)
        let created = try await client.row(
            "POST", Self.table + "?__systemproperties=*", ["id": "one", "text": "t"])
        let old = ["If-Match": "\"\(created["__version"]?.string ?? "")\""]
        #expect(try await client.ask("DELETE", Self.item).status == 204)
        for method in ["DELETE", "PATCH"] {
            let answer = try await client.ask(
                method, Self.item, method == "PATCH" ? ["text": "new"] : nil, headers: old)
            #expect(answer.status == 412, "\(answer.text)")
            #expect(try answer.row()["id"] == "one" && answer.header("ETag") != nil)
        }
        #expect(try await client.ask("DELETE", Self.item).status == 404)
        let offline = try await client.ask(
            "DELETE", Self.item, headers: old.merging(["X-ZUMO-FEATURES": "OL"]) { $1 })
        #expect(offline.status == 204)
    }

    @Test func undeletionIsRepeated() async throws {
        let server = try await server()
        let (client, other) = (AzureClient.toolkit(server), AzureClient.datasync(server))
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        #expect(try await client.ask("DELETE", Self.item).status == 204)
        let tombstone = try await client.row("GET", Self.item + "?__includedeleted=true")
        let path = Self.item + "?__includedeleted=true"
        let again: [String: JSONValue] = ["id": "one", "text": "again"]
        let first = try await client.row("PUT", path, again, headers: tag(tombstone))
        #expect(first["text"] == "again")
        #expect(try await client.row("PUT", path, again, headers: tag(tombstone)) == first)
        let stale = try await client.ask(
            "PUT", path, ["id": "one", "text": "else"], headers: tag(tombstone))
        #expect(stale.status == 412)
        _ = try await other.row("PUT", Self.item, ["id": "one", "text": "of another"])
        let late = try await client.row("PUT", path, again, headers: tag(tombstone))
        #expect(late["text"] == "of another")
    }

    /// The second generation may send the version in the body, which the third passes over.
    @Test(arguments: ["2.0.1", "3.0.0"]) func versionMayBeInBody(version: String) async throws {
        let client = AzureClient(try await server(), version: version)
        let created = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        let theirs = try await client.row("PATCH", Self.item, ["text": "theirs"])
        func patch(_ version: JSONValue?) async throws -> Answer {
            try await client.ask(
                "PATCH", Self.item, ["text": "mine", "version": version ?? .null])
        }
        let stale = try await patch(created["version"])
        guard version == "2.0.1" else { return #expect(stale.status == 200, "\(stale.text)") }
        #expect(stale.status == 409)
        #expect(try stale.row() == theirs)
        #expect(stale.header("ETag") == "\"\(theirs["version"]?.string ?? "")\"")
        #expect(try await patch(theirs["version"]).status == 200)
    }

    /// The queue joins an edit with the insert that waits, whose answer may have been lost.
    @Test(arguments: [nil, "2.0.1"] as [String?])
    func insertIsRepeatedWithLaterEdit(version: String?) async throws {
        let server = try await server()
        let client = AzureClient(server, version: version, features: "OL")
        _ = try await client.row("POST", Self.table, ["id": "one", "text": "a"])
        let edit: [String: JSONValue] = ["id": "one", "text": "b", "complete": .boolean(true)]
        let edited = try await client.row("POST", Self.table, edit)
        #expect(edited["text"] == "b" && edited["complete"] == .boolean(true))
        #expect(try await client.row("POST", Self.table, edit) == edited)
        let other = AzureClient(server, version: version, features: "OL")
        #expect(try await other.ask("POST", Self.table, edit).status == 409)
        _ = try await other.row("PATCH", Self.item, ["text": "of another"])
        let late = try await client.ask("POST", Self.table, ["id": "one", "text": "c"])
        #expect(late.status == 409, "\(late.text)")
        #expect(try late.row()["text"] == "of another")
    }

    /// Clients store the answer, and must not take the row for an empty one.
    @Test(arguments: versions) func repeatTellsThatRowIsGone(version: String?) async throws {
        let site = try await Site(prepared: "TodoItem") {
            let rest = "\n                    deleteAllowed"
            return $0.replacing(
                "readAllowed=\"ALL\" updateAllowed=\"ALL\"\(rest)",
                with: "readAllowed=\"OWN\" updateAllowed=\"OWN\"\(rest)")
        }
        try await site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        let server = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        let client = AzureClient(server, version: version, features: "OL")
        let id = fresh()
        let new: [String: JSONValue] = ["id": .string(id), "text": "t"]
        _ = try await client.row("POST", Self.table, new)
        let given = try await server.client("b").ask(
            "PATCH", "/v1/test/records/todo/\(id)/ownership", body: Data(#"{"owner": "b"}"#.utf8))
        #expect(given.status == 200, "\(given.text)")
        let again = try await client.ask("POST", Self.table, new)
        #expect(again.status == 201 && again.header("ETag") != nil, "\(again.text)")
        let row = try again.row()
        #expect(row["id"]?.string == id && row["text"] == nil)
        #expect(row[version == nil ? "__deleted" : "deleted"] == .boolean(true))
    }

    // MARK: - Modes

    /// The client settles a conflict, whatever the mode; only changes of other columns are merged.
    @Test(arguments: ["MANUAL", "MERGE", "OVERWRITE", "DISCARD"])
    func staleChangeIsRefused(mode: String) async throws {
        let server = try await RunningServer(
            definition: "TodoItem",
            changing: {
                $0.replacing("w:alias=\"T", with: "w:conflictMode=\"\(mode)\" w:alias=\"T")
            },
            arguments: "--azure", "--guest", "a")
        let client = AzureClient(server)
        let created = try await client.row("POST", Self.table, ["id": "one", "text": "t"])
        var other = created
        other["text"] = "of another"
        #expect(try await client.update(Self.item, other).status == 200)
        var mine = created
        mine["text"] = "mine"
        let refused = try await client.update(Self.item, mine)
        #expect(refused.status == 412)
        #expect(try refused.row()["text"] == "of another")
        mine = created
        mine["complete"] = .boolean(true)
        let beside = try await client.update(Self.item, mine)
        #expect(beside.status == (mode == "MERGE" ? 200 : 412), "\(beside.text)")
        #expect(try beside.row()["text"] == "of another")
        let deletion = try await client.ask("DELETE", Self.item, headers: tag(created))
        #expect(deletion.status == 412)
    }

    /// Nothing is overwritten, so that nothing is to be settled.
    @Test(arguments: versions) func staleEditToStandingValuesSucceeds(
        version: String?
    ) async throws {
        let client = AzureClient(try await server(), version: version)
        let made = try await client.ask("POST", Self.table, ["id": "one", "text": "t"])
        let seen = ["If-Match": made.header("ETag") ?? ""]
        let theirs = try await client.row("PATCH", Self.item, ["text": "same"])
        let mine = try await client.ask("PATCH", Self.item, ["text": "same"], headers: seen)
        #expect(mine.status == 200, "\(mine.text)")
        #expect(try mine.row() == theirs)
        let other = try await client.ask("PATCH", Self.item, ["text": "other"], headers: seen)
        #expect(other.status == 412)
    }

    // MARK: - Columns with names of system properties

    /// The id and the system properties are the row's own, whatever the definition has.
    @Test(arguments: versions) func systemNamesAreNoColumns(version: String?) async throws {
        let fields = ["id", "version", "updatedAt", "createdAt", "deleted"].map { name in
            """
            <field name="own\(name)" type="TEXT" w:alias="\(name)"><credentials><credential
              role="users-mobile" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"/>
            </credentials></field>
            """
        }
        let site = try await Site(prepared: "TodoItem") {
            $0.replacing("      </fields>", with: fields.joined() + "</fields>")
        }
        let server = try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
        let client = AzureClient(server, version: version)
        let path = version == nil ? Self.table + "?__systemproperties=*" : Self.table
        var row = try await client.row(
            "POST", path, ["id": "one", "text": "t", "createdAt": "mine"])
        #expect(row["id"] == "one")
        #expect((row["createdAt"] == "mine") == (version == nil))
        if version != nil {
            #expect(row["updatedAt"]?.string?.hasSuffix("Z") == true)
            #expect(row["deleted"] == .boolean(false))
            row["text"] = "new"
            let updated = try await client.update(Self.item, row)
            #expect(updated.status == 200)
            #expect(try updated.row()["version"] != row["version"])
        } else {
            #expect(row["__createdAt"]?.string?.hasSuffix("Z") == true)
        }
        let query = version == nil ? [("__systemproperties", "*")] : []
        let listed = try await client.rows(Self.table, query + [("$filter", "id eq 'one'")])
        #expect(listed.count == 1 && listed[0]["id"] == "one")
        #expect(listed[0].keys.count { $0.lowercased() == "deleted" } == 1)
        var pull = AzurePull(.dotNet, server, path: Self.table)
        try await pull.pull()
        #expect(pull.rows.keys.sorted() == ["one"])
    }
}
