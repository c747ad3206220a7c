import Foundation
import JSON
import SyncProtocol
import Testing
import Waggle

@Suite("Device databases of earlier versions", .timeLimit(.minutes(5)))
struct EarlierDeviceTests {
    /// Offline, a device shows its records with unsent edits, its conflicts, and its refused
    /// changes with every cause. Online, each edit reaches the server once.
    @Test(arguments: EarlierDatabaseTests.versions, [Backend.sqlite, .postgres])
    func deviceOpensAndSyncs(version: String, backend: Backend) async throws {
        try await EarlierDatabase.use(version, in: backend) { database in
            let folder = database.site.folder.path("device")
            try database.copy("device", to: folder)
            let compiled = try await Tool.run(
                ["compile", database.site.definition], in: database.site.folder
            ).output
            // No server listens on this port.
            let offline = try EarlierDevice(
                folder, definition: compiled, server: "http://127.0.0.1:9")
            #expect(try await offline.logIn("ann").isOffline)
            let stored = try parseJSON(Array(database.text(of: "device/contents.json").utf8))
            #expect(try await offline.contents() == stored)

            let server = try await database.server(of: .test)
            let device = try EarlierDevice(
                folder, definition: compiled, server: "http://127.0.0.1:\(server.port)")
            #expect(try await !device.logIn("ann").isOffline)
            let refused = try await device.database.refusedChanges()
            #expect(refused.count == 3)
            let summary = try await device.database.sync()
            #expect(summary.refused == 0 && summary.discarded == 0 && summary.conflicted == 0)
            #expect(try await device.database.refusedChanges() == refused)
            // A conflict was postponed before the answer to its resolution was lost.
            device.database.onConflict(of: EarlierRecord<Flyer>.self) { _ in .useClient }
            #expect(try await device.database.sync().accepted == 1)
            try await expectEverythingSent(database.client("bob", of: server))
            let again = try await device.database.sync()
            #expect(again.accepted == 0 && again.received == 0 && again.refused == 0)
        }
    }

    private func expectEverythingSent(_ client: Client) async throws {
        let records = Dictionary(
            uniqueKeysWithValues: try await client.records().map { ($0.guid, $0) })
        let sent: [(Int, [String: JSONValue])] = [
            (531, ["label": "unanswered", "amount": "1.5"]), (532, ["label": "unsent"]),
            (522, ["note": "unsent", "minutes": 45]), (525, ["note": "unsent"]),
            (552, ["text": "unsent"]), (561, ["body": "resolved"]), (563, ["body": "Ann's"]),
        ]
        for (number, fields) in sent {
            let record = try #require(records[earlier(number)])
            let found = record.fields?.filter { fields.keys.contains($0.key) }
            #expect(found == fields && !record.conflicted, "\(number)")
        }
        #expect(records[earlier(523)]?.deleted ?? true)
        guard case .object(let signature)? = records[earlier(525)]?.fields?["signature"],
            case .string(let guid)? = signature["guid"]
        else { throw Unexpected("the file is not named") }
        #expect(try await client.get(guid).text == "a signature")
    }
}
