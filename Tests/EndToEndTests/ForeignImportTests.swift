import Foundation
import JSON
import SyncProtocol
import Testing

/// The rows of old tables and classes are imported by the tool, and read by their old clients.
@Suite("Exports of other services are imported", .timeLimit(.minutes(5)))
struct ForeignImportTests {
    private func imported(
        _ path: String, as name: String, from source: String, into site: Site,
        _ arguments: String...
    ) async throws -> Finished {
        try await Tool.run(
            [
                "import", path, "--from", source, "--model", name, "--owner", "a", "--database",
                site.database,
            ] + arguments, in: site.folder)
    }

    @Test func objectsOfParseAreReadByOldIDs() async throws {
        let site = try await Site(prepared: "Conflicts") { _ in parseDefinition }
        let scores = try site.folder.write(
            """
            {"results":[
            {"objectId":"xWMyZ4YEGZ","createdAt":"2014-01-01T12:23:45.678Z","player":"Anna",
            "ACL":{"*":{"read":true}},"points":7,
            "game":{"__type":"Pointer","className":"Game","objectId":"Ed1nuqPvcm"}},
            {"objectId":"bad","player":"Bert","points":"many"}
            ]}
            """, to: "Score.json")
        let games = try site.folder.write(
            #"{"objectId":"Ed1nuqPvcm","name":"Go","ACL":{}}"# + "\n"
                + #"{"objectId":"second","name":"Chess"}"#, to: "Game.json")
        let first = try await imported(games, as: "Game", from: "parse", into: site)
        #expect(first.exitCode == 0, "\(first.errors)")
        #expect(first.errors.contains("note: access lists (ACL) are not imported"))
        let trial = try await imported(scores, as: "Score", from: "parse", into: site, "--dry-run")
        #expect(trial.exitCode == 1)
        #expect(trial.errors.contains("Score.json:5: 'points' takes"), "\(trial.errors)")
        #expect(trial.errors.contains("would import: 1 created"), "\(trial.errors)")
        let second = try await imported(scores, as: "Score", from: "parse", into: site)
        #expect(second.errors.contains("imported: 1 created"), "\(second.errors)")
        let server = try await RunningServer(site: site, arguments: ["--parse"])
        let client = try await ParseClient.signedIn("a", to: server)
        let score = try await client.get(
            "GET", "/classes/Score/xWMyZ4YEGZ", ["include": "game"])
        #expect(score["objectId"] == "xWMyZ4YEGZ" && score["points"] == 7)
        let game = try #require(score["game"]?.members)
        #expect(game["objectId"] == "Ed1nuqPvcm" && game["name"] == "Go")
        _ = try await client.get("PUT", "/classes/Game/second", ["name": "Shogi"])
        await server.stop()
    }

    @Test func rowsOfAzureAreReadByOldIDs() async throws {
        let site = try await Site(prepared: "Dates")
        let occasions = try site.folder.write(
            """
            id,createdAt,updatedAt,version,deleted,kind,name,date
            Mum's,2016-05-06 13:54:35.8690000 +00:00,x,0x07D1,0,birthday,Mum,2026-11-21T06:00:10Z
            gone,x,x,0x07D2,1,birthday,Bea,2026-11-21T06:00:10.469Z

            """, to: "occasion.csv")
        let gifts = try site.folder.write(
            #"[{"id":"g 1","occasion":"Mum's","idea":"a book","version":"AAAA","deleted":false}]"#,
            to: "gift.json")
        for (path, table) in [(occasions, "OCCASION"), (gifts, "gift")] {
            let finished = try await imported(path, as: table, from: "azure", into: site)
            #expect(finished.exitCode == 0, "\(finished.errors)")
            #expect(finished.errors.contains("imported: 1 created"), "\(finished.errors)")
        }
        let exported = try await Tool.run(
            ["export", "--database", site.database], in: site.folder)
        #expect(exported.output.contains(#""occasion":{"$id":"Mum's"}"#), "\(exported.output)")
        let server = try await RunningServer(
            site: site, arguments: ["--azure", "--guest", "a"])
        let client = AzureClient(server)
        let occasion = try await client.row("GET", "/tables/occasion/Mum's")
        #expect(occasion["id"] == "Mum's" && occasion["date"] == "2026-11-21T06:00:10.000Z")
        let gift = try await client.row("GET", "/tables/gift/g%201")
        #expect(gift["occasion"] == "Mum's" && gift["idea"] == "a book")
        try await expectDeletion(of: "gone", on: server)
        await server.stop()
    }

    /// As the page tells the owner of an app whose tables have integer ids.
    @Test func integerIDsBecomeTexts() async throws {
        let site = try await Site(prepared: "Dates")
        let date = #""kind":"birthday","date":"2026-11-21T06:00:10.469Z""#
        let occasions = try site.folder.write(
            #"[{"id":17,"name":"Mum",\#(date)},{"id":9,"name":"Bea",\#(date)}]"#,
            to: "occasion.json")
        let gifts = try site.folder.write(
            #"[{"id":1,"occasion":17,"idea":"a book"}]"#, to: "gift.json")
        for (path, table) in [(occasions, "occasion"), (gifts, "gift")] {
            let finished = try await imported(path, as: table, from: "azure", into: site)
            #expect(finished.exitCode == 0, "\(finished.errors)")
        }
        let server = try await RunningServer(
            site: site, arguments: ["--azure", "--guest", "a"])
        let client = AzureClient(server, version: nil)
        let rows = try await client.rows("/tables/occasion", [("$orderby", "__createdAt")])
        #expect(rows.map { $0["id"] } == ["17", "9"])
        #expect(try await client.row("GET", "/tables/gift/1")["occasion"] == "17")
        let found = try await client.rows("/tables/gift", [("$filter", "occasion eq '17'")])
        #expect(found.map { $0["id"] } == ["1"])
        let path = "/tables/gift/1"
        let edited = try await client.row("PATCH", path, ["id": "1", "idea": "a pen"])
        #expect(edited["idea"] == "a pen" && edited["occasion"] == "17")
        let refused = try await client.ask("PATCH", path, ["id": 1, "idea": "a cup"])
        #expect(refused.status == 400)
        #expect(try refused.row()["error"] == "Error: The id must be a text.")
        let made = try await client.row(
            "POST", "/tables/gift", ["id": "", "occasion": "9", "idea": "a cup"])
        #expect(made["id"]?.string?.utf8.count == 36)
        await server.stop()
    }

    /// A client that was away when the row was deleted on the old server hears of it.
    private func expectDeletion(of id: String, on server: RunningServer) async throws {
        var pull = AzurePull(.dotNet, server, path: "/tables/occasion")
        pull.rows[id] = ["id": .string(id)]
        try await pull.pull()
        #expect(pull.rows.keys.sorted() == ["Mum's"])
        let again = try await AzureClient(server).ask(
            "POST", "/tables/occasion",
            [
                "id": .string(id), "kind": "birthday", "name": "Bea",
                "date": "2026-11-21T06:00:10.469Z",
            ])
        #expect(again.status == 409, "\(again.text)")
    }

    @Test func formatIsThatOfService() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = try site.folder.write("objectId\na\n", to: "f.csv")
        let refused = try await imported(path, as: "ConflictsEntity", from: "parse", into: site)
        #expect(refused.exitCode != 0 && refused.errors.contains("Parse exports JSON"))
    }
}
