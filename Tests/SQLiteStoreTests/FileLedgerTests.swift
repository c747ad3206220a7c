import SQLiteStore
import SyncEngine
import Testing

@Suite("What is known of files")
struct FileLedgerTests {
    private let test: TestDatabase
    private let environment: EnvironmentID

    init() async throws {
        test = try TestDatabase()
        environment = try await test.environment()
    }

    private func known(
        _ guid: String, to login: String = "reader", group: String = "", limit: Int = 100
    ) async throws -> KnownFile? {
        try await test.database.file(
            FileRequest(
                environment: environment, guid: guid, login: login, group: group, limit: limit)
        ).known
    }

    private func write(
        _ record: StoredRecord, naming file: String, former: Bool = false,
        by login: String = "a", at milliseconds: Int64 = 5
    ) async throws {
        var writes = Writes(records: [record])
        let link = RecordLink(source: record.guid, target: file)
        if former { writes.formerLinks = [link] } else { writes.links = [link] }
        writes.namedFiles = [file]
        writes.at = Instant(milliseconds: milliseconds)
        try await test.database.write(
            writes, in: environment,
            device: DeviceKey(login: login, deviceIdentifier: "phone"))
    }

    @Test func whoNamesItFirstHasIt() async throws {
        #expect(try await known("f") == nil)
        try await write(.test("r1"), naming: "f", by: "a", at: 5)
        try await write(.test("r2"), naming: "f", by: "b", at: 6)
        #expect(
            try await known("f")?.file
                == StoredFile(
                    guid: "f", login: "a", at: Instant(milliseconds: 5), isNamed: true,
                    upload: nil))
    }

    @Test func whatWasUploadedBeforeStaysWhatItIs() async throws {
        let hash = try #require(ContentHash(Array(repeating: 7, count: 32)))
        var file = StoredFile(
            guid: "f", login: "a", at: Instant(milliseconds: 1), isNamed: false,
            upload: StoredUpload(id: "u", contents: hash, size: 1 << 40, isComplete: true))
        let written = file
        try await test.database.changeFile("f", of: "a", in: environment) { _ in (written, ()) }
        try await write(.test("r"), naming: "f", by: "b")
        file.isNamed = true
        #expect(try await known("f")?.file == file)
        #expect(try await test.database.held(contents: [hash]) == [hash])
        #expect(try await test.database.held(uploads: ["u"]) == [], "it has arrived")
    }

    @Test func recordsNearestToTheAskerComeFirst() async throws {
        for (guid, owner, group) in [
            ("r1", "x", "x"), ("r2", "x", "near"), ("r3", "me", "x"), ("r4", "me", "near"),
        ] {
            try await write(
                StoredRecord(
                    guid: guid, model: "Note", owner: owner, group: group, revision: 1,
                    isDeleted: false, isConflicted: false, fieldsText: "{}"), naming: "f")
        }
        let all = try await known("f", to: "me", group: "near")
        #expect(all?.namedBy.map(\.record.guid) == ["r4", "r2", "r3", "r1"])
        let two = try await known("f", to: "me", group: "near", limit: 2)
        #expect(two?.namedBy.map(\.record.guid) == ["r4", "r2"])
    }

    @Test func recordsThatCannotShowItAreLeftOut() async throws {
        try await write(.test("gone", deleted: true), naming: "f")
        try await write(.test("former"), naming: "f", former: true)
        try await write(.test("disputed", deleted: true, conflicted: true), naming: "f")
        try await write(.test("aside", conflicted: true), naming: "f", former: true)
        try await write(.test("other"), naming: "g")
        let names = try await known("f")?.namedBy.map(\.record.guid)
        #expect(names == ["aside", "disputed"])
    }

    @Test func aCommitReadsRecordsOnlyForFilesOfOthers() async throws {
        try await write(.test("r1"), naming: "own", by: "a")
        try await write(.test("r2"), naming: "foreign", by: "b")
        let need = Need(
            environment: environment, device: .test, changeIDs: [], guids: [],
            baseRevisions: [:],
            files: FileNeed(guids: ["foreign", "own", "unknown"], group: "", limit: 9))
        let files = try await test.database.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (Writes(), facts.files)
        }
        #expect(files.keys.sorted() == ["foreign", "own"])
        #expect(files["own"]?.namedBy == [])
        #expect(files["foreign"]?.namedBy.map(\.record.guid) == ["r2"])
    }
}
