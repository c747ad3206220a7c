import Foundation
import JSON
import Testing

/// Clients send null for a column that they know but may not have seen, or leave it out, although
/// the user may see it by now.
@Suite(.timeLimit(.minutes(5))) struct AzureHiddenValueTests {
    private static let table = "/tables/todoitem"

    private static func secret(reading: String) -> String {
        """
        <field name="secret" type="TEXT"><credentials><credential role="users-mobile"
          createAllowed="ALL" readAllowed="\(reading)" updateAllowed="OWN"/>
        </credentials></field>
        """
    }

    /// With a column that only the owner of a row sees, unless it is said.
    private func server(reading: String = "OWN") async throws -> RunningServer {
        let site = try await Site(prepared: "TodoItem") {
            $0.replacing("      </fields>", with: Self.secret(reading: reading) + "</fields>")
        }
        try await site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        return try await RunningServer(site: site, arguments: ["--azure", "--guest", "a"])
    }

    /// A row of user b.
    private struct Item {
        let path: String
        let id: JSONValue
    }

    private func item(of owner: AzureClient) async throws -> Item {
        let row = try await owner.row(
            "POST", Self.table, ["id": .string(fresh()), "text": "t", "secret": "PRECIOUS"])
        let id = try #require(row["id"])
        return Item(path: "\(Self.table)/\(id.string ?? "")", id: id)
    }

    private func owner(_ server: RunningServer) throws -> AzureClient {
        var owner = AzureClient(server)
        owner.headers["X-ZUMO-AUTH"] = try server.client("b").token
        return owner
    }

    private func readers(_ server: RunningServer) -> [AzureClient] {
        [
            AzureClient(server, version: nil, features: "OL"), AzureClient(server, features: "OL"),
            .datasync(server), .toolkit(server),
        ]
    }

    /// The version that a client reads, as its next change names it.
    private func seen(_ item: Item, by reader: AzureClient) async throws -> [String: String] {
        let isFirst =
            reader.headers["ZUMO-API-VERSION"] == nil && reader.headers["X-ZUMO-FEATURES"] != nil
        let answer = try await reader.ask(
            "GET", item.path + (isFirst ? "?__systemproperties=version" : ""))
        #expect(try answer.row()["secret"] == nil, "\(answer.text)")
        return ["If-Match": try #require(answer.header("ETag"))]
    }

    private func push(
        _ item: Item, seen: [String: String], by reader: AzureClient
    ) async throws -> Answer {
        let isToolkit = reader.headers.isEmpty
        var row: [String: JSONValue] = ["id": item.id, "text": "edited offline"]
        if !isToolkit { row["secret"] = .null }
        return try await reader.ask(isToolkit ? "PUT" : "PATCH", item.path, row, headers: seen)
    }

    @Test func rowThatWasReadBeforeDeploymentHarmsNothing() async throws {
        let server = try await server()
        let owner = try owner(server)
        var held: [(reader: AzureClient, item: Item, seen: [String: String])] = []
        for reader in readers(server) {
            let item = try await item(of: owner)
            held.append((reader, item, try await seen(item, by: reader)))
        }
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let file = try server.site.folder.write(
            text.replacing("\"OWN\" updateAllowed=\"OWN\"", with: "\"ALL\" updateAllowed=\"ALL\""),
            to: "open.xml")
        let deployed = try await server.site.deployAcceptingAll(file)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        for (reader, item, seen) in held {
            let answer = try await push(item, seen: seen, by: reader)
            #expect(answer.status == 200, "\(answer.text)")
            let stored = try await owner.row("GET", item.path)
            #expect(stored["secret"] == "PRECIOUS" && stored["text"] == "edited offline")
            // This version showed the value.
            let tag = ["If-Match": "\"\(stored["version"]?.string ?? "")\""]
            let emptied = try await push(item, seen: tag, by: reader)
            #expect(emptied.status == 200, "\(emptied.text)")
            #expect(try await owner.row("GET", item.path)["secret"] == .null)
        }
    }

    @Test func rowThatWasReadBeforeItWasReceivedHarmsNothing() async throws {
        let server = try await server()
        let owner = try owner(server)
        let admin = try server.client("b")
        for reader in readers(server) {
            let item = try await item(of: owner)
            let seen = try await seen(item, by: reader)
            let guid = item.id.string ?? ""
            let given = try await admin.ask(
                "PATCH", "/v1/test/records/todo/\(guid)/ownership",
                body: Data(#"{"owner": "a"}"#.utf8))
            #expect(given.status == 200, "\(given.text)")
            let answer = try await push(item, seen: seen, by: reader)
            #expect(answer.status == 200, "\(answer.text)")
            let stored = try await AzureClient(server).row("GET", item.path)
            #expect(stored["secret"] == "PRECIOUS" && stored["text"] == "edited offline")
        }
    }

    /// An edit that waited while its user lost a column has the value of that column, which pulls
    /// do not take from a row with a waiting edit.
    @Test func waitingEditOutlivesLossOfColumn() async throws {
        let server = try await server(reading: "ALL")
        let owner = try owner(server)
        var waiting: [(reader: AzureClient, item: Item, seen: [String: String])] = []
        for reader in readers(server) {
            let item = try await item(of: owner)
            let tag = try await owner.ask("GET", item.path).header("ETag")
            waiting.append((reader, item, ["If-Match": try #require(tag)]))
        }
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let open = #"createAllowed="ALL" readAllowed="ALL" updateAllowed="OWN""#
        let hidden = open.replacing("ALL", with: "NONE").replacing("OWN", with: "NONE")
        let file = try server.site.folder.write(
            try text.changing(open, to: hidden), to: "hidden.xml")
        let deployed = try await server.site.deployAcceptingAll(file)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        for (reader, item, seen) in waiting {
            let method = reader.headers.isEmpty ? "PUT" : "PATCH"
            func push(_ secret: String, _ seen: [String: String]) async throws -> Answer {
                try await reader.ask(
                    method, item.path,
                    ["id": item.id, "text": "edited offline", "secret": .string(secret)],
                    headers: seen)
            }
            let other = try await push("GUESS", seen)
            #expect(other.status == 403, "\(other.text)")
            let edited = try await push("PRECIOUS", seen)
            #expect(edited.status == 200, "\(edited.text)")
            #expect(try edited.row()["text"] == "edited offline")
            // The row has shown nothing at this version.
            let later = try await push("PRECIOUS", ["If-Match": edited.header("ETag") ?? ""])
            #expect(later.status == 403, "\(later.text)")
            try expectConflict(try await push("GUESS", seen))
        }
    }

    /// A stale row is a conflict, whatever else stands against it: the handler gets the row.
    private func expectConflict(_ answer: Answer) throws {
        #expect(answer.status == 412, "\(answer.text)")
        let row = try answer.row()
        #expect(row["text"] == "edited offline" && row["secret"] ?? .null == .null)
    }

    private func removeColumn(from server: RunningServer) async throws {
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let file = try server.site.folder.write(
            try text.changing(Self.secret(reading: "ALL"), to: ""), to: "removed.xml")
        let deployed = try await server.site.deployAcceptingAll(file)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
    }

    /// The version in which all clients have the column.
    private static let prefix = "/azure/test@2"

    /// The same if a version has removed the column for everybody.
    @Test func waitingEditOutlivesRemovalOfColumn() async throws {
        let server = try await server(reading: "ALL")
        let owner = try owner(server)
        var waiting: [(reader: AzureClient, item: Item, seen: [String: String])] = []
        for var reader in readers(server) {
            reader.prefix = Self.prefix
            let item = try await item(of: owner)
            let tag = try await owner.ask("GET", item.path).header("ETag")
            waiting.append((reader, item, ["If-Match": try #require(tag)]))
        }
        try await removeColumn(from: server)
        for (reader, item, seen) in waiting {
            func push(_ secret: String, _ seen: [String: String]) async throws -> Answer {
                try await reader.ask(
                    reader.headers.isEmpty ? "PUT" : "PATCH", item.path,
                    ["id": item.id, "text": "edited offline", "secret": .string(secret)],
                    headers: seen)
            }
            let other = try await push("GUESS", seen)
            #expect(other.status >= 400, "\(other.text)")
            #expect(other.text.contains("fieldNotServed"), "\(other.text)")
            let edited = try await push("PRECIOUS", seen)
            #expect(edited.status == 200, "\(edited.text)")
            #expect(try edited.row()["text"] == "edited offline")
            let later = try await push("PRECIOUS", ["If-Match": edited.header("ETag") ?? ""])
            #expect(later.text.contains("fieldNotServed"), "\(later.text)")
            try expectConflict(try await push("GUESS", seen))
        }
    }

    /// Nobody learns a value of a removed column by trying, who has not seen it there.
    @Test func removedColumnThatWasHiddenIsNotTold() async throws {
        let server = try await server()
        let item = try await item(of: try owner(server))
        var reader = AzureClient(server)
        reader.prefix = Self.prefix
        let seen = try await seen(item, by: reader)
        let text = try String(contentsOfFile: server.site.definition, encoding: .utf8)
        let file = try server.site.folder.write(
            try text.changing(Self.secret(reading: "OWN"), to: ""), to: "removed.xml")
        let deployed = try await server.site.deployAcceptingAll(file)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        for secret in ["PRECIOUS", "GUESS"] as [JSONValue] {
            let tried = try await reader.ask(
                "PATCH", item.path, ["id": item.id, "text": "x", "secret": secret], headers: seen)
            #expect(tried.text.contains("fieldNotServed"), "\(tried.text)")
        }
    }

    /// An insert whose answer was lost waits too, with the edits that were made since.
    @Test func repeatedInsertOutlivesRemovalOfColumn() async throws {
        let server = try await server(reading: "ALL")
        var client = AzureClient(server, features: "OL")
        client.prefix = Self.prefix
        var row: [String: JSONValue] = [
            "id": .string(fresh()), "text": "first", "secret": "PRECIOUS",
        ]
        _ = try await client.row("POST", Self.table, row)
        try await removeColumn(from: server)
        row["text"] = "edited offline"
        #expect(try await client.row("POST", Self.table, row)["text"] == "edited offline")
        row["secret"] = "GUESS"
        let other = try await client.ask("POST", Self.table, row)
        #expect(other.status >= 400, "\(other.text)")
    }
}
