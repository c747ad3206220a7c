import Foundation
import Testing
import Waggle

@testable import CalendarApp

/// Tests of the app on this device; none needs a server.
@Suite final class CalendarAppTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let app: App

    /// In development mode, every user is in this group.
    init() async throws {
        let settings = Waggle.Settings(
            mode: .development(group: "users"), server: URL(filePath: "/"),
            deviceCategory: "mobile", folder: folder)
        app = App(database: try Database(.dates, settings))
        try await app.database.logIn("anna", password: "")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test func helpTellsOfEveryModel() throws {
        let help = try App.help()
        for model in App.models { #expect(help.contains("  \(model.modelName): ")) }
    }

    @Test func atFirstThereIsNothing() async throws {
        for model in App.models {
            #expect(try await app.answer("list \(model.modelName)") == "no records")
        }
    }

    @Test(arguments: ["dance", "list", "list no-model", "add no-model", "remove no-model x"])
    func impossibleCommandsAreRefused(command: String) async {
        await #expect(throws: Mistake.self) { try await app.answer(command) }
    }

    @Test func aRecordIsWhatWasTyped() async throws {
        let added = try await app.answer("add Occasion kind=holiday name=Hello date=2027-03-14")
        #expect(try await app.answer("list Occasion") == added)
        #expect(added.contains("  kind=holiday"))
        let changed = try await app.answer("change Occasion \(added.prefix(8)) kind=birthday")
        #expect(changed.contains("  kind=birthday"))
        #expect(try await app.answer("remove Occasion \(added.prefix(8))") == "removed")
        #expect(try await app.answer("list Occasion") == "no records")
    }

    /// Code for a particular model uses its type.
    @Test func aRecordHasAType() async throws {
        let record = CalendarApp.Occasion(
            kind: .holiday, name: "Hello", date: Waggle.Instant(milliseconds: 1_804_982_400_000))
        try await app.database.save(record)
        let saved = try await app.database.get(CalendarApp.Occasion.self, guid: record.guid)
        #expect(saved?.kind == record.kind)
    }
}
