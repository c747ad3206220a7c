import Foundation
import JSON
import Testing

/// Relations to rows whose ids are not their guids.
@Suite(.timeLimit(.minutes(5))) struct AzureRelationTests {
    private static let generations = [nil, "2.0.1", "3.0.0"]
    private static let models = [
        ("Folder", ["name TEXT"]), ("Tag", ["name TEXT"]),
        ("Note", ["text TEXT", "folder BELONGS_TO model=Folder"]),
    ]

    /// Only its owner sees a folder.
    private func server() async throws -> RunningServer {
        let site = try await Site(prepared: "Conflicts") { _ in
            versionDocument(Self.models).replacing(
                #"readAllowed="ALL" updateAllowed="ALL" deleteAllowed="ALL""#,
                with: #"readAllowed="OWN" updateAllowed="OWN" deleteAllowed="OWN""#,
                maxReplacements: 1)
        }
        return try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
    }

    private func texts(_ filter: String, by client: AzureClient) async throws -> [String] {
        try await client.rows("/tables/note", [("$filter", filter), ("$orderby", "text")])
            .map { $0["text"]?.string ?? "" }
    }

    private func make(
        _ client: AzureClient, _ table: String, _ id: String, _ values: [String: JSONValue] = [:]
    ) async throws {
        let row = ["id": JSONValue.string(id)].merging(values) { $1 }
        _ = try await client.row("POST", "/tables/\(table)", row)
    }

    /// Tables with a common primary key are usual.
    @Test(arguments: generations) func rowIsFoundByUUIDThatAnotherTableHas(
        version: String?
    ) async throws {
        let client = AzureClient(try await server(), version: version)
        let (id, own) = (fresh(), fresh())
        try await make(client, "tag", id)
        for folder in [id, own, "other"] {
            try await make(client, "folder", folder)
            let note = ["text": JSONValue.string("in \(folder)"), "folder": .string(folder)]
            try await make(client, "note", fresh(), note)
        }
        for folder in [id, own, "other"] {
            let found = ["in \(folder)"]
            #expect(try await texts("folder eq '\(folder)'", by: client) == found)
            #expect(try await texts("folder in ('\(folder)','nobody''s')", by: client) == found)
            let others = try await texts("folder ne '\(folder)'", by: client)
            #expect(others.count == 2 && !others.contains(found[0]), "\(folder): \(others)")
        }
        #expect(try await texts("folder eq guid'\(id)'", by: client) == ["in \(id)"])
    }

    /// The record of one of them has the UUID, and the other one an id.
    @Test(arguments: generations) func rowsOfTwoTablesGetOneUUIDAtOnce(
        version: String?
    ) async throws {
        let client = AzureClient(try await server(), version: version)
        for _ in 0..<10 {
            let id = fresh()
            async let folder: Void = make(client, "folder", id)
            async let tag: Void = make(client, "tag", id)
            async let note: Void = make(client, "note", id)
            _ = try await (folder, tag, note)
            for table in ["folder", "tag", "note"] {
                let row = try await client.row("GET", "/tables/\(table)/\(id)")
                #expect(row["id"]?.string == id)
            }
        }
    }

    /// A client that does not see the folder "hidden", and its owner.
    private func besideHiddenFolder(
        _ version: String?
    ) async throws -> (client: AzureClient, owner: AzureClient) {
        let server = try await server()
        let client = AzureClient(server, version: version)
        var owner = client
        owner.headers["X-ZUMO-AUTH"] = try server.client("b").token
        try await make(owner, "folder", "hidden")
        return (client, owner)
    }

    /// A user who does not see a row cannot find out its id.
    @Test(arguments: generations) func idOfHiddenRowIsThatOfNone(version: String?) async throws {
        let (client, owner) = try await besideHiddenFolder(version)
        try await make(owner, "note", "one", ["text": "t", "folder": "hidden"])
        let guid = try await client.row("GET", "/tables/note/one")["folder"]?.string ?? ""
        #expect(guid != "hidden")
        for (filter, count) in [
            ("folder eq 'ID'", 0), ("folder ne 'ID'", 1), ("folder in ('ID')", 0),
            ("not (folder in ('ID'))", 1), ("folder eq 'ID' or text eq 'x'", 0),
        ] {
            for id in ["hidden", "none"] {
                let told = filter.replacing("ID", with: id)
                #expect(try await texts(told, by: client).count == count, "\(told)")
            }
        }
        #expect(try await texts("folder eq '\(guid)'", by: client) == ["t"])
        #expect(try await texts("folder eq 'hidden'", by: owner) == ["t"])
    }

    /// The same for changes of a row that refers to it.
    @Test(arguments: generations) func idOfHiddenRowIsNotTriedByChange(
        version: String?
    ) async throws {
        let (client, owner) = try await besideHiddenFolder(version)
        try await make(owner, "note", "of-hidden", ["text": "t", "folder": "hidden"])
        try await make(owner, "note", "of-none", ["text": "t"])
        let path = "/tables/note/of-hidden"
        let shown = try await client.row("GET", path)
        // The client may have seen the id before the folder was hidden.
        for id in ["hidden", "none"] {
            let new: [String: JSONValue] = ["text": .string("new \(id)"), "folder": .string(id)]
            let edited = try await client.row("PATCH", path, new)
            #expect(edited["folder"] == shown["folder"] && edited["text"] == new["text"])
            let other = try await client.ask("PATCH", "/tables/note/of-none", new)
            #expect(other.status == 400 && other.text.contains("no record"), "\(other.text)")
            let created = try await client.ask("POST", "/tables/note", new)
            #expect(created.status == 400 && created.text.contains("no record"), "\(created.text)")
        }
        #expect(try await owner.row("GET", path)["folder"] == "hidden")
        try await make(client, "folder", "mine")
        #expect(try await client.row("PATCH", path, ["folder": "mine"])["folder"] == "mine")
        let back = try await client.ask("PATCH", path, ["folder": "hidden"])
        #expect(back.status == 400, "\(back.text)")
        let emptied = try await client.row("PATCH", path, ["folder": ""])
        #expect(emptied["folder"] ?? .null == .null)
    }

    /// Each id counts once, whatever names its model had.
    @Test func listOfIDsIsAsLongAfterRename() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in versionDocument(Self.models) }
        let server = try await RunningServer(
            site: site, environments: 1, arguments: ["--azure", "--guest", "a"])
        let client = AzureClient(server)
        try await make(client, "folder", "id 0")
        try await make(client, "note", "one", ["text": "before", "folder": "id 0"])
        let renamed = versionDocument([
            ("Box<Folder", ["name TEXT"]), ("Tag", ["name TEXT"]),
            ("Note", ["text TEXT", "folder BELONGS_TO model=Box"]),
        ])
        let deployed = try await site.deployAcceptingAll(
            try site.writing(renamed, to: "renamed.xml"))
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        try await make(client, "box", "id 1")
        try await make(client, "note", "two", ["text": "later", "folder": "id 1"])
        let ids = (0..<150).map { "'id \($0)'" }
        for filter in [
            "folder in (\(ids.joined(separator: ",")))",
            ids.map { "folder eq \($0)" }.joined(separator: " or "),
        ] {
            #expect(try await texts(filter, by: client) == ["before", "later"])
        }
    }
}
