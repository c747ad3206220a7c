import Foundation
import JSON
import SyncProtocol
import Testing

/// Nothing is accepted for a file that is no longer at its place.
@Suite(.serialized, .timeLimit(.minutes(5)), .withAFile) struct ReplacedFileTests {
    private let model = "ConflictsEntity"

    private func creation() -> SyncRequest {
        SyncRequest(limit: 1, changes: [.create(fresh(), of: model, ["title": "Alien"])])
    }

    @Test(arguments: [false, true])
    func movedFileTakesNoWrites(isReplaced: Bool) async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        #expect(try await a.ask(creation()).status == 200)

        let aside = site.database + ".aside"
        try FileManager.default.moveItem(atPath: site.database, toPath: aside)
        if isReplaced {
            try FileManager.default.copyItem(atPath: aside, toPath: site.database)
        }
        let answers = [
            try await a.ask(creation()), try await server.askToSignIn("a", device: "other"),
        ]
        for answer in answers {
            #expect(answer.status == 503, "\(answer.text)")
            #expect(try answer.error().code == "databaseUnusable")
        }
        let reason = "the file was deleted, moved or replaced while it was open"
        #expect(try server.log().contains(reason))

        if isReplaced { try FileManager.default.removeItem(atPath: site.database) }
        try FileManager.default.moveItem(atPath: aside, toPath: site.database)
        #expect(try await a.ask(creation()).status == 200)
        #expect(try await a.records().count == 2)
        #expect(await server.stop() == 0)
    }
}
