import ChangeRules
import SyncEngine
import TestKit
import Testing

@Suite("The history of a record has pages, latest entry first")
struct HistoryTests {
    /// Five entries of "g" and one of "h" in between, with the same guids in a second environment.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        for (place, revisions) in [(environment, [1, 2, 2, 3, 4]), (other, [1])] {
            for (index, revision) in revisions.enumerated() {
                var writes = WriteSet(records: [.test("g", revision: Int64(revision))])
                let kind = index == 2 ? HistoryEntry.Kind.discarded : .updated
                writes.history = [.test("g", revision: Int64(revision), kind: kind)]
                if index == 3 {
                    writes.records.append(.test("h"))
                    writes.history.append(.test("h", revision: 1))
                }
                try await bench.store.write(writes, in: place)
            }
        }
        return (bench, environment)
    }

    private func history(
        of guid: String = "g", before number: Int64? = nil, limit: Int = 100,
        maxBytes: Int = 1000, in bench: StoreBench, _ environment: EnvironmentID
    ) async throws -> RecordHistory? {
        try await bench.store.history(
            HistoryRequest(
                environment: environment, guid: guid, before: number, limit: limit,
                maxBytes: maxBytes))
    }

    @Test(arguments: stores) func unknownRecordsHaveNoHistory(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        #expect(try await history(of: "i", in: bench, environment) == nil)
        #expect(try await history(in: bench, bench.store.environment("third")) == nil)
    }

    @Test(arguments: stores)
    func historyComesWithRecordAndVersion(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let history = try #require(try await history(in: bench, environment))
        #expect(history.fingerprint == "version" && history.record == .test("g", revision: 4))
        #expect(history.entries.map(\.revision) == [4, 3, 2, 2, 1])
        #expect(history.entries.map(\.kind)[2] == .discarded)
        #expect(history.ownershipChanges == [] && !history.hasMore)
        #expect(zip(history.numbers, history.numbers.dropFirst()).allSatisfy { $0 > $1 })
    }

    /// The entry that reaches the limit is the last one of its page.
    @Test(arguments: stores, [(1, 1), (7, 1), (8, 2), (14, 2), (15, 3), (34, 5)])
    func pageEndsWithSoManyBytes(
        _ kind: StoreKind, room: (bytes: Int, entries: Int)
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for revision in Int64(1)...5 {
            var writes = WriteSet(records: [.test("g", revision: revision)])
            writes.history = [.test("g", revision: revision, fieldsText: #"{"x":1}"#)]
            try await bench.store.write(writes, in: environment)
        }
        var revisions: [Int64] = []
        var before: Int64?
        while true {
            let found = try await history(
                before: before, maxBytes: room.bytes, in: bench, environment)
            let page = try #require(found)
            let left = 5 - revisions.count
            #expect(page.entries.count == min(room.entries, left))
            #expect(page.hasMore == (left > room.entries))
            revisions += page.entries.map(\.revision)
            before = page.numbers.last
            if !page.hasMore { break }
        }
        #expect(revisions == [5, 4, 3, 2, 1])
    }

    @Test(arguments: stores, 1...6)
    func eachPageGoesOnWhereTheLastEnded(_ kind: StoreKind, limit: Int) async throws {
        let (bench, environment) = try await filled(kind)
        var revisions: [Int64] = []
        var before: Int64?
        while true {
            let found = try await history(before: before, limit: limit, in: bench, environment)
            let page = try #require(found)
            #expect(page.entries.count <= limit && page.numbers.count == page.entries.count)
            revisions += page.entries.map(\.revision)
            before = page.numbers.last
            if !page.hasMore { break }
        }
        #expect(revisions == [4, 3, 2, 2, 1])
    }
}

@Suite("Records with open conflicts are listed by model and guid")
struct ConflictedTests {
    /// Each has ten bytes of fields and conflicts; "d" has past conflicts, "e" is in another
    /// environment.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        let places = [("Page", "b"), ("Note", "c"), ("Note", "a"), ("Note", "d"), ("Note", "e")]
        for (model, guid) in places {
            var record = StoredRecord.test(
                guid, conflicted: guid != "d", fieldsText: #"{"x":1}"#)
            record.model = model
            var writes = WriteSet(records: [record])
            writes.openedConflicts = [3, 2].map {
                StoredConflict(guid: guid, revision: $0, text: "{}")
            }
            try await bench.store.write(writes, in: guid == "e" ? other : environment)
        }
        var closing = WriteSet()
        closing.closedConflicts = ["d"]
        try await bench.store.write(closing, in: environment)
        return (bench, environment)
    }

    private func list(
        ofModel model: String? = nil, _ guids: [String]? = nil, after key: RecordKey? = nil,
        limit: Int = 100, maxBytes: Int = 1000, in bench: StoreBench,
        _ environment: EnvironmentID
    ) async throws -> ConflictedPage {
        try await bench.store.conflicted(
            ConflictedRequest(
                environment: environment, model: model, guids: guids, after: key, limit: limit,
                maxBytes: maxBytes))
    }

    @Test(arguments: stores) func allOfThemWithTheirConflicts(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let page = try await list(in: bench, environment)
        #expect(page.fingerprint == "version" && !page.hasMore)
        #expect(page.records.map(\.guid) == ["a", "c", "b"])
        #expect(page.conflicts["a"]?.map(\.revision) == [2, 3])
        #expect(page.conflicts.count == 3 && page.bytes == 3 * (7 + 4))
    }

    @Test(arguments: stores) func onlyThoseThatAreAskedFor(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let notes = try await list(ofModel: "Note", in: bench, environment)
        #expect(notes.records.map(\.guid) == ["a", "c"])
        let named = try await list(ofModel: nil, ["b", "c", "d", "x"], in: bench, environment)
        #expect(named.records.map(\.guid) == ["c", "b"])
        let none = try await list(ofModel: "Page", ["a"], in: bench, environment)
        #expect(none.records.isEmpty && !none.hasMore)
        #expect(try await list(ofModel: nil, [], in: bench, environment).records.isEmpty)
    }

    @Test(arguments: stores, [(1, 1000), (100, 1), (100, 12)])
    func eachPageGoesOnAfterTheLastRecord(
        _ kind: StoreKind, room: (limit: Int, bytes: Int)
    ) async throws {
        let (bench, environment) = try await filled(kind)
        var guids: [String] = []
        var last: RecordKey?
        while true {
            let page = try await list(
                after: last, limit: room.limit, maxBytes: room.bytes, in: bench, environment)
            #expect((1...2).contains(page.records.count))
            guids += page.records.map(\.guid)
            last = page.records.last.map { RecordKey(model: $0.model, guid: $0.guid) }
            if !page.hasMore { break }
        }
        #expect(guids == ["a", "c", "b"])
    }
}
