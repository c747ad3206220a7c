import JSON
import Testing

/// Clients of the Community Toolkit, which leave out columns that are false, zero or null, and
/// cannot read null into a type that has none.
@Suite(.timeLimit(.minutes(5))) struct AzureToolkitTests {
    private static let table = "/tables/todoitem"
    private static let item = "/tables/todoitem/one"

    /// With columns that get another value than nothing, or that clients may not change.
    private func server() async throws -> RunningServer {
        let fields = [
            ("urgent", "BOOLEAN", #"defaultValue="true""#, "ALL"),
            ("stars", "INTEGER", #"required="true" defaultValue="3""#, "ALL"),
            ("fixed", "INTEGER", "", "NONE"),
        ].map { name, type, more, update in
            """
            <field name="\(name)" type="\(type)" \(more)><credentials><credential
              role="users-mobile" createAllowed="ALL" readAllowed="ALL" updateAllowed="\(update)"/>
            </credentials></field>
            """
        }
        let site = try await Site(prepared: "TodoItem") {
            $0.replacing("      </fields>", with: fields.joined() + "</fields>")
        }
        return try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
    }

    private func versions(_ row: [String: JSONValue]) -> [String: String] {
        ["If-Match": "\"\(row["version"]?.string ?? "")\""]
    }

    @Test func newRowIsAsClientMeansIt() async throws {
        let server = try await server()
        let created = try await AzureClient.toolkit(server).row(
            "POST", Self.table, ["id": "one", "text": "t"])
        #expect(
            Set(created.keys)
                == [
                    "id", "text", "complete", "urgent", "stars", "updatedAt", "version", "deleted",
                ])
        #expect(created["urgent"] == .boolean(false) && created["stars"] == 0)
        #expect(created["complete"] == .boolean(false))
        let other = try await AzureClient.datasync(server).row(
            "POST", Self.table, ["id": "two", "text": "t"])
        #expect(other["urgent"] == .boolean(true) && other["stars"] == 3)
    }

    @Test func valueThatIsLeftOutIsRemoved() async throws {
        let server = try await server()
        let (toolkit, datasync) = (AzureClient.toolkit(server), AzureClient.datasync(server))
        let whole: [String: JSONValue] = [
            "id": "one", "text": "t", "complete": .boolean(true), "urgent": .boolean(true),
            "stars": 5, "fixed": 7,
        ]
        let created = try await datasync.row("POST", Self.table, whole)
        // Other clients write every column that they know.
        let kept = try await datasync.row(
            "PUT", Self.item, ["id": "one", "text": "new"], headers: versions(created))
        #expect(kept["complete"] == .boolean(true) && kept["stars"] == 5)
        let edited = try await toolkit.row(
            "PUT", Self.item, ["id": "one", "text": "new"], headers: versions(kept))
        #expect(edited["complete"] == .boolean(false) && edited["urgent"] == nil)
        #expect(edited["stars"] == 0)
        #expect(edited["fixed"] == 7)
        let stored = try await datasync.row("GET", Self.item)
        #expect(stored["urgent"] == .null && stored["stars"] == 0)

        let stale = try await toolkit.ask(
            "PUT", Self.item, ["id": "one", "text": "x"], headers: versions(kept))
        #expect(stale.status == 412)
        #expect(try stale.row()["urgent"] == nil)
    }

    /// The column is there, whichever client asks for it.
    @Test func itemThatIsNotCompleteIsFound() async throws {
        let server = try await server()
        let (toolkit, second) = (AzureClient.toolkit(server), AzureClient(server))
        let filter = [("$filter", "complete eq false")]
        let created = try await toolkit.row("POST", Self.table, ["id": "one", "text": "t"])
        #expect(try await second.rows(Self.table, filter).map { $0["id"] } == ["one"])
        let checked = try await toolkit.row(
            "PUT", Self.item, ["id": "one", "text": "t", "complete": .boolean(true)],
            headers: versions(created))
        #expect(try await second.rows(Self.table, filter).isEmpty)
        _ = try await toolkit.row(
            "PUT", Self.item, ["id": "one", "text": "t"], headers: versions(checked))
        #expect(try await second.rows(Self.table, filter).map { $0["id"] } == ["one"])
    }

    @Test func listHasNoNull() async throws {
        let server = try await server()
        let toolkit = AzureClient.toolkit(server)
        _ = try await toolkit.row("POST", Self.table, ["id": "one", "complete": .boolean(true)])
        for query in [[], [("$orderby", "text")], [("$orderby", "updatedAt")]] {
            let row = try #require(try await toolkit.rows(Self.table, query).first)
            #expect(row["text"] == nil && row["complete"] == .boolean(true), "\(query)")
        }
    }

    @Test func replacedRowComesBackAsClientMeansIt() async throws {
        let server = try await server()
        let toolkit = AzureClient.toolkit(server)
        let created = try await toolkit.row(
            "POST", Self.table, ["id": "one", "complete": .boolean(true), "stars": 2])
        _ = try await toolkit.ask("DELETE", Self.item, headers: versions(created))
        let back = try await toolkit.row(
            "PUT", Self.item + "?__includedeleted=true", ["id": "one", "text": "again"])
        #expect(back["complete"] == .boolean(false) && back["stars"] == 0)
    }

    /// The client does not mean to remove a value that the user does not see.
    @Test func hiddenFieldStays() async throws {
        let server = try await RunningServer(
            definition: "Permissions", arguments: "--azure", "--guest", "a")
        let table = "/tables/permissionsentity"
        let owner = AzureClient.toolkit(server)
        var reader = owner
        reader.headers["X-ZUMO-AUTH"] = try server.client("b").token
        let row = try await owner.row("POST", table, ["id": "one", "title": "t", "director": "d"])
        #expect(row["version"] != nil)
        _ = try await reader.row(
            "PUT", table + "/one", ["id": "one", "title": "new"], headers: versions(row))
        let stored = try await owner.row("GET", table + "/one")
        #expect(stored["director"] == "d" && stored["title"] == "new")
        _ = try await owner.row("PUT", table + "/one", ["id": "one", "title": "new"])
        #expect(try await owner.row("GET", table + "/one")["director"] == nil)
    }
}
