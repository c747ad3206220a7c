import AccessPolicy
import DefinitionModel
import SyncEngine
import TestKit
import Testing

@Suite("Pages")
struct PageTests {
    /// Nine records, every third one deleted, the last one in conflict.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let records = (1...9).map { number in
            StoredRecord.test(
                "\(number)", deleted: number % 3 == 0, conflicted: number == 9,
                fieldsText: "{\"x\":\"0123456789\"}")
        }
        try await bench.store.write(WriteSet(records: records), in: environment)
        return (bench, environment)
    }

    /// Owners and groups recur in another order than a store may remember them.
    @Test(arguments: stores, [AccessLevel.own, .group])
    func fieldsOfHiddenRecordsAreNotRead(_ kind: StoreKind, level: AccessLevel) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let fields = "{\"text\":\"x\"}"
        let records = (0..<72).map { number in
            StoredRecord(
                guid: "\(number)", model: number % 5 == 0 ? "Former" : "Note",
                owner: "owner \(number % 3)", group: number % 7 < 3 ? "guests" : "users",
                revision: 1, isDeleted: false, isConflicted: false, fieldsText: fields)
        }
        try await bench.store.write(WriteSet(records: records), in: environment)
        let guest = Asker(
            login: "owner 1", group: "guests", role: Role(group: "guests", deviceCategory: "mobile")
        )
        var request = PageRequest(
            environment: environment, afterSequence: 0, limit: 100, maxScanned: 1000,
            maxBytes: 1 << 20, skipsDeleted: false, knownSequence: 0)
        request.readable = ReadableRecords(
            of: guest, under: Rules(.notes(guestsRead: level)))
        let page = try await bench.store.page(request)
        let expected = records.map { record in
            let isVisible = level == .own ? record.owner == "owner 1" : record.group == "guests"
            return record.model == "Note" && isVisible ? fields : "{}"
        }
        #expect(page.records.map(\.fieldsText) == expected)
    }

    @Test(arguments: stores) func emptyOneGoesNowhere(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let page = try await bench.store.page(in: environment, after: 9)
        #expect(
            page
                == Page(
                    fingerprint: "version", purgeHorizon: 0, content: PageRecords(), conflicts: [:],
                    lastSequence: 9, lastScanned: 9, scanned: 0, bytes: 0, hasMore: false))
    }

    @Test(arguments: stores, 1...10)
    func limitIsKeptAndTheNextPageGoesOn(_ kind: StoreKind, limit: Int) async throws {
        let (bench, environment) = try await filled(kind)
        var guids: [String] = []
        var cursor: Int64 = 0
        while true {
            let page = try await bench.store.page(
                in: environment, after: cursor, limit: limit)
            #expect(page.records.count <= limit)
            guids += page.records.map(\.guid)
            cursor = page.lastSequence
            if !page.hasMore { break }
        }
        #expect(guids == (1...9).map(String.init))
    }

    @Test(arguments: stores)
    func spanCountsUnchangedRecords(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let other = try await bench.store.environment("other")
        try await bench.store.write(WriteSet(records: [.test("1"), .test("2")]), in: other)
        func count(_ after: Int64, _ through: Int64) async throws -> Int {
            try await bench.store.count(
                RecordSpan(environment: environment, after: after, through: through)
            ).records
        }
        #expect(try await count(0, 9) == 9)
        #expect(try await count(2, 5) == 3)
        #expect(try await count(9, 12) == 0)
        try await bench.store.write(
            WriteSet(records: [.test("3", revision: 2), .test("10")]), in: environment)
        #expect(try await count(0, 9) == 8)
        #expect(try await count(2, 5) == 2)
        #expect(try await count(9, 11) == 2)
        let moment = try await bench.store.count(
            RecordSpan(environment: environment, after: 0, through: 1)
        ).moment
        let state = try #require(try await bench.store.environment(named: "test"))
        #expect(
            moment
                == EnvironmentMoment(
                    deployment: state.deployment, sequence: 11, purgeHorizon: 0))
    }

    @Test(arguments: stores)
    func deletedRecordsAreSkippedUnlessInConflict(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let page = try await bench.store.page(in: environment, skipsDeleted: true)
        #expect(page.records.map(\.guid) == ["1", "2", "4", "5", "7", "8", "9"])
        #expect(page.scanned == 9 && page.lastSequence == 9 && !page.hasMore)
        let part = try await bench.store.page(in: environment, maxScanned: 6, skipsDeleted: true)
        #expect(part.records.map(\.guid) == ["1", "2", "4", "5"] && part.lastScanned == 6)
    }

    @Test(arguments: stores)
    func pageEndsAtItsLimits(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let looked = try await bench.store.page(
            in: environment, maxScanned: 3, skipsDeleted: true)
        #expect(looked.records.map(\.guid) == ["1", "2"] && looked.hasMore)
        #expect(looked.lastSequence == 3)
        let full = try await bench.store.page(in: environment, maxBytes: 40)
        #expect(full.records.count == 3 && full.bytes >= 40 && full.hasMore)
    }

    @Test(arguments: stores)
    func bytesAreThoseOfFieldsAndConflicts(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", conflicted: true, fieldsText: "{\"x\":\"é\"}")])
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: "{\"y\":22}")]
        try await bench.store.write(writes, in: environment)
        #expect(try await bench.store.page(in: environment).bytes == 10 + 8)
    }

    @Test(arguments: stores) func pageNamesVersionOfItsMoment(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        _ = try await bench.store.deploy(to: "test") { _ in .success(.test("two")) }.get()
        #expect(try await bench.store.page(in: environment).fingerprint == "two")
        #expect(try await bench.store.facts(in: environment).fingerprint == "two")
    }

    @Test(arguments: stores) func pageIsOfOneMoment(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet.twins(1), in: environment)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for revision in Int64(2)...100 {
                    try await bench.store.write(.twins(revision), in: environment)
                }
            }
            group.addTask {
                var revision: Int64 = 0
                while revision < 100 {
                    let page = try await bench.store.page(in: environment)
                    revision = page.records[0].revision
                    #expect(page.records == WriteSet.twins(revision).records)
                    #expect(page.conflicts == ["g": WriteSet.twins(revision).openedConflicts])
                    #expect(page.lastSequence == 2 * revision)
                    await Task.yield()
                }
            }
            try await group.waitForAll()
        }
    }
}

extension WriteSet {
    /// Two records with the same text, and a conflict with their revision.
    fileprivate static func twins(_ revision: Int64) -> WriteSet {
        let text = "{\"x\":\(revision)}"
        var writes = WriteSet(records: [
            .test("g", revision: revision, conflicted: true, fieldsText: text),
            .test("h", revision: revision, fieldsText: text),
        ])
        writes.closedConflicts = ["g"]
        writes.openedConflicts = [StoredConflict(guid: "g", revision: revision, text: text)]
        return writes
    }
}
