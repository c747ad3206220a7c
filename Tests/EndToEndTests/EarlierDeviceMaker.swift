import Foundation
import SyncProtocol
import Testing
import Waggle

/// Creates the database of a device for `Fixtures/make.py`, which sets the environment variables.
@Suite(
    .enabled("this makes fixtures") {
        ProcessInfo.processInfo.environment["WAGGLE_FIXTURE_FOLDER"] != nil
    }) struct EarlierDeviceMaker
{
    private let temporary: TemporaryFolder
    private let folder: String
    private let compiled: String
    private let proxy: CuttingProxy
    /// The device to keep; its user is `ann`.
    private let phone: EarlierDevice
    /// Another device, which changes the same records.
    private let other: EarlierDevice

    init() async throws {
        let environment = ProcessInfo.processInfo.environment
        folder = try #require(environment["WAGGLE_FIXTURE_FOLDER"])
        let server = try #require(environment["WAGGLE_FIXTURE_SERVER"])
        temporary = try TemporaryFolder()
        compiled = try await Tool.run(
            ["compile", try #require(environment["WAGGLE_FIXTURE_DEFINITION"])], in: temporary
        ).output
        proxy = try CuttingProxy(to: try #require(URL(string: server)?.port))
        phone = try EarlierDevice(
            folder, definition: compiled, server: "http://127.0.0.1:\(proxy.port)")
        other = try EarlierDevice(
            temporary.path("other"), definition: compiled, server: server)
    }

    @Test func makesDevice() async throws {
        try await phone.logIn("ann")
        try await other.logIn("bob")
        try await phone.database.sync()
        try await makeWhatIsSynced()
        try await meetOthers()
        try await loseAnAnswer()
        try await editOffline()
        let contents = try JSONEncoder().encode(try await phone.contents())
        try contents.write(to: URL(filePath: folder).appending(path: "contents.json"))
    }

    private func makeWhatIsSynced() async throws {
        let logo = try await phone.database.attach(Data("a logo".utf8), filename: "logo.txt")
        try await phone.create(
            Customer.self, 501,
            ["code": "d1".stored, "title": "Synced".stored, "logo": logo.stored])
        for number in 511...513 {
            try await phone.create(Workplace.self, number, ["customer": earlier(501).stored])
        }
        for number in 521...524 {
            try await phone.create(Visit.self, number, ["note": "synced".stored])
        }
        for number in 531...532 {
            try await phone.create(Price.self, number, ["label": "synced".stored])
        }
        try await phone.create(Stamp.self, 541, ["count": Int64(1).stored])
        try await phone.create(Memo.self, 551, ["text": "synced".stored])
        for number in 561...564 {
            try await phone.create(Flyer.self, number, ["body": "synced".stored])
        }
        let summary = try await phone.database.sync()
        #expect(summary.refused == 0 && summary.conflicted == 0)
        try await other.database.sync()
    }

    /// Open conflicts, a postponed one, a stale change, and refusals.
    private func meetOthers() async throws {
        try await other.edit(Flyer.self, 561, "body", to: "Bob's")
        try await other.create(Customer.self, 503, ["code": "d2".stored, "title": "Bob's".stored])
        try await other.edit(Stamp.self, 541, "count", to: Int64(2))
        try await other.edit(Customer.self, 501, "title", to: "Bob's")
        try await other.remove(Workplace.self, 513)
        try await other.database.sync()
        try await phone.edit(Flyer.self, 561, "body", to: "Ann's")
        try await phone.edit(Stamp.self, 541, "count", to: Int64(3))
        try await phone.edit(Customer.self, 501, "title", to: "Ann's")
        try await phone.create(
            Customer.self, 502, ["code": "d2".stored, "title": "Taken".stored])
        try await phone.create(Workplace.self, 514, ["customer": earlier(502).stored])
        try await phone.edit(Visit.self, 521, "site", to: earlier(513))
        let summary = try await phone.database.sync()
        #expect(summary.conflicted == 2 && summary.discarded == 1 && summary.refused == 3)

        phone.database.onConflict(of: EarlierRecord<Flyer>.self) { _ in .later }
        try await other.edit(Flyer.self, 563, "body", to: "Bob's")
        try await other.database.sync()
        try await phone.edit(Flyer.self, 563, "body", to: "Ann's")
        try await phone.database.sync()
    }

    private func loseAnAnswer() async throws {
        try await phone.edit(Price.self, 531, "label", to: "unanswered")
        proxy.cut(at: .answer(afterBytes: 0))
        await #expect(throws: SyncFailure.self) { try await phone.database.sync() }
        proxy.cut(at: nil)
    }

    /// Unsent edits of each kind, and a file.
    private func editOffline() async throws {
        try await phone.edit(Price.self, 531, "amount", to: "1.5")
        try await phone.edit(Price.self, 532, "label", to: "unsent")
        try await phone.edit(Visit.self, 522, "note", to: "unsent")
        try await phone.edit(Visit.self, 522, "minutes", to: Int64(45))
        try await phone.remove(Visit.self, 523)
        let signature = try await phone.database.attach(
            Data("a signature".utf8), filename: "signature.txt")
        try await phone.create(
            Visit.self, 525, ["note": "unsent".stored, "signature": signature.stored])
        try await phone.create(Memo.self, 552, ["text": "unsent".stored])
        var flyer = try await phone.record(Flyer.self, 561)
        flyer.values.set("body", to: "resolved")
        try await phone.database.resolve(flyer)
    }
}
