import FileExchange
import SyncEngine
import TestKit
import Testing

@Suite("Files in the database")
struct FileStoreTests {

    @Test(arguments: stores) func firstToNameFileOwnsIt(_ kind: StoreKind) async throws {
        let shelf = try await Shelf(kind)
        #expect(try await shelf.known("f") == nil)
        try await shelf.write(.test("r1"), naming: "f", by: "a", at: 5)
        try await shelf.write(.test("r2"), naming: "f", by: "b", at: 6)
        #expect(
            try await shelf.known("f")?.file
                == StoredFile(
                    guid: "f", login: "a", at: Instant(milliseconds: 5), isNamed: true,
                    upload: nil))
    }

    @Test(arguments: stores) func filesWithoutReferencesArePurged(_ kind: StoreKind) async throws {
        let shelf = try await Shelf(kind)
        for (guid, file) in [("r1", "both"), ("r2", "both"), ("r1", "one")] {
            try await shelf.write(.test(guid, deleted: guid == "r1"), naming: file)
        }
        let request = SweepRequest(
            environment: shelf.environment, before: Instant(milliseconds: 9), limit: 9)
        #expect(try await shelf.store.sweepFiles(request) == 0)
        #expect(try await shelf.store.sweep(request).records == 1)
        #expect(try await shelf.known("both")?.file.isNamed == true)
        #expect(try await shelf.known("one")?.file.isNamed == false)
        #expect(try await shelf.store.sweepFiles(request) == 1)
        #expect(try await shelf.known("one") == nil)
    }

    @Test(arguments: stores) func looseFilesAreCountedForEachLogin(_ kind: StoreKind) async throws {
        let shelf = try await Shelf(kind)
        let hash = try #require(ContentHash(Array(repeating: 7, count: 32)))
        for (guid, login, isNamed) in [
            ("1", "a", false), ("2", "a", false), ("3", "a", true), ("4", "b", false),
        ] {
            let file = StoredFile(
                guid: guid, login: login, at: Instant(milliseconds: 1), isNamed: isNamed,
                upload: StoredUpload(id: guid, contents: hash, size: 10, isComplete: false))
            try await shelf.store.changeFile(guid, of: login, in: shelf.environment) { _ in
                (file, ())
            }
        }
        let state = try await shelf.store.changeFile("2", of: "a", in: shelf.environment) {
            (nil, $0)
        }
        #expect(state.file?.guid == "2")
        #expect(state.loose == UnreferencedFiles(count: 1, bytes: 10))
        #expect(try await shelf.store.held(uploads: ["1", "4", "5"]) == ["1", "4"])
    }

    @Test(arguments: stores) func earlierUploadIsUnchanged(_ kind: StoreKind) async throws {
        let shelf = try await Shelf(kind)
        let hash = try #require(ContentHash(Array(repeating: 7, count: 32)))
        var file = StoredFile(
            guid: "f", login: "a", at: Instant(milliseconds: 1), isNamed: false,
            upload: StoredUpload(id: "u", contents: hash, size: 1 << 40, isComplete: true))
        let written = file
        try await shelf.store.changeFile("f", of: "a", in: shelf.environment) { _ in (written, ())
        }
        try await shelf.write(.test("r"), naming: "f", by: "b")
        file.isNamed = true
        #expect(try await shelf.known("f")?.file == file)
        #expect(try await shelf.store.held(contents: [hash]) == [hash])
        #expect(try await shelf.store.held(uploads: ["u"]) == [], "it has arrived")
    }

    @Test(arguments: stores) func recordsNearestToAskerComeFirst(_ kind: StoreKind) async throws {
        let shelf = try await Shelf(kind)
        for (guid, owner, group) in [
            ("r1", "x", "x"), ("r2", "x", "near"), ("r3", "me", "x"), ("r4", "me", "near"),
        ] {
            try await shelf.write(
                StoredRecord(
                    guid: guid, model: "Note", owner: owner, group: group, revision: 1,
                    isDeleted: false, isConflicted: false, fieldsText: "{}"), naming: "f")
        }
        let all = try await shelf.known("f", to: "me", group: "near")
        #expect(all?.namedBy.map(\.record.guid) == ["r4", "r2", "r3", "r1"])
        let two = try await shelf.known("f", to: "me", group: "near", limit: 2)
        #expect(two?.namedBy.map(\.record.guid) == ["r4", "r2"])
    }

    @Test(arguments: stores) func recordsThatCannotShowItAreLeftOut(_ kind: StoreKind) async throws
    {
        let shelf = try await Shelf(kind)
        try await shelf.write(.test("gone", deleted: true), naming: "f")
        try await shelf.write(.test("former"), naming: "f", former: true)
        try await shelf.write(.test("disputed", deleted: true, conflicted: true), naming: "f")
        try await shelf.write(.test("aside", conflicted: true), naming: "f", former: true)
        try await shelf.write(.test("other"), naming: "g")
        let names = try await shelf.known("f")?.namedBy.map(\.record.guid)
        #expect(names == ["aside", "disputed"])
    }

    @Test(arguments: stores) func commitReadsRecordsOnlyForFilesOfOthers(
        _ kind: StoreKind
    ) async throws {
        let shelf = try await Shelf(kind)
        try await shelf.write(.test("r1"), naming: "own", by: "a")
        try await shelf.write(.test("r2"), naming: "foreign", by: "b")
        let need = ReadSet(
            environment: shelf.environment, device: .test, changeIDs: [], guids: [],
            baseRevisions: [:],
            files: FileNeed(
                guids: ["foreign", "own", "unknown"], group: "",
                limit: NamingLimit(links: 9, records: 9, bytes: 99)))
        let files = try await shelf.store.commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts.files)
        }
        #expect(files.keys.sorted() == ["foreign", "own", "unknown"])
        #expect(files["unknown"] == .some(nil))
        #expect(files["own"]??.namedBy == [])
        #expect(files["foreign"]??.namedBy.map(\.record.guid) == ["r2"])
    }
}

/// A store with records that name files.
private struct Shelf {
    let store: any Store & FileStore
    let environment: EnvironmentID
    private let bench: StoreBench

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        store = bench.store
        environment = try await bench.store.environment()
    }

    func known(
        _ guid: String, to login: String = "reader", group: String = "", limit: Int = 100,
        bytes: Int = .max
    ) async throws -> KnownFile? {
        try await store.file(
            FileRequest(
                environment: environment, guid: guid, login: login, group: group,
                limit: NamingLimit(links: 1000, records: limit, bytes: bytes))
        ).known
    }

    func write(
        _ record: StoredRecord, naming file: String, former: Bool = false,
        by login: String = "a", at milliseconds: Int64 = 5
    ) async throws {
        var writes = WriteSet(records: [record])
        let link = RecordLink(source: record.guid, target: file)
        if former { writes.formerLinks = [link] } else { writes.links = [link] }
        writes.namedFiles = [file]
        writes.at = Instant(milliseconds: milliseconds)
        try await store.write(
            writes, in: environment,
            device: DeviceKey(login: login, deviceIdentifier: "phone"))
    }
}
