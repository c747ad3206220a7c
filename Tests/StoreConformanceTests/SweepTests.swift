import SyncEngine
import TestKit
import Testing
import UserAccounts

@Suite("A sweep keeps only the guid of a deleted record")
struct SweepTests {
    /// The time of the last change, by guid. "late", existing and conflicted records are kept.
    private func filled(_ kind: StoreKind) async throws -> (StoreBench, EnvironmentID) {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (guid, time) in [("b", Int64(10)), ("a", 20), ("c", 25), ("late", 30)] {
            try await write(.test(guid, deleted: true), at: time, to: bench, environment)
        }
        try await write(.test("living"), at: 1, to: bench, environment)
        try await write(
            .test("disputed", deleted: true, conflicted: true), at: 1, to: bench, environment)
        return (bench, environment)
    }

    private func write(
        _ record: StoredRecord, at time: Int64, to bench: StoreBench, _ environment: EnvironmentID
    ) async throws {
        var writes = WriteSet(records: [record])
        writes.at = Instant(milliseconds: time)
        writes.history = [.test(record.guid, revision: 1, kind: .deleted)]
        try await bench.store.write(writes, in: environment)
    }

    private func sweep(
        before time: Int64 = 30, limit: Int = 100, _ bench: StoreBench, _ environment: EnvironmentID
    ) async throws -> SweepResult {
        try await bench.store.sweep(
            SweepRequest(
                environment: environment, before: Instant(milliseconds: time), limit: limit))
    }

    @Test(arguments: stores) func onlyOldDeletionsArePurged(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        #expect(try await sweep(bench, environment) == SweepResult(records: 3, hasMore: false))
        let page = try await bench.store.page(in: environment)
        #expect(page.records.map(\.guid) == ["late", "living", "disputed"])
        #expect(try await sweep(bench, environment) == SweepResult(records: 0, hasMore: false))
        #expect(try await sweep(before: 31, bench, environment).records == 1)
    }

    @Test(arguments: stores) func oldestGoFirst(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        #expect(
            try await sweep(limit: 1, bench, environment) == SweepResult(records: 1, hasMore: true))
        #expect(
            try await bench.store.page(in: environment).records.map(\.guid).prefix(3) == [
                "a", "c", "late",
            ])
        #expect(
            try await sweep(limit: 2, bench, environment) == SweepResult(records: 2, hasMore: false)
        )
    }

    /// The record is erased first, so that nothing is decided by a part of its history.
    @Test(arguments: stores) func longHistoryIsPurgedInParts(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        for (guid, entries) in [("long", 10), ("short", 2)] as [(String, Int64)] {
            var writes = WriteSet(records: [.test(guid, revision: entries, deleted: true)])
            writes.at = Instant(milliseconds: 1)
            writes.history = (1...entries).map {
                .test(guid, revision: $0, kind: $0 == entries ? .deleted : .updated)
            }
            try await bench.store.write(writes, in: environment)
        }
        func sweep() async throws -> SweepResult {
            try await bench.store.sweep(
                SweepRequest(
                    environment: environment, before: Instant(milliseconds: 10), limit: 9,
                    historyRows: 4))
        }
        let request = HistoryRequest(
            environment: environment, guid: "long", before: nil, limit: 99, maxBytes: 9999)
        for count in [7, 3] {
            #expect(try await sweep() == SweepResult(records: 0, hasMore: true))
            let left = try #require(try await bench.store.history(request))
            #expect(left.record.isErased && left.record.revision == 11)
            #expect(left.record.wasErased(by: left.entries.reversed()))
            #expect(left.entries.count == count && left.entries[1].revision == 10)
        }
        #expect(try await sweep() == SweepResult(records: 1, hasMore: true))
        #expect(try await bench.store.history(request) == nil)
        #expect(try await sweep() == SweepResult(records: 1, hasMore: false))
    }

    @Test(arguments: stores)
    func horizonIsTheLastOfTheirSequences(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        #expect(try await bench.store.page(in: environment).purgeHorizon == 0)
        _ = try await sweep(before: 11, bench, environment)
        #expect(try await bench.store.page(in: environment).purgeHorizon == 1)
        _ = try await sweep(bench, environment)
        #expect(try await bench.store.page(in: environment).purgeHorizon == 3)
        #expect(try await bench.store.environment(named: "test")?.sequence == 6)
    }

    @Test(arguments: stores) func onlyGuidIsKnownAfterwards(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        _ = try await sweep(bench, environment)
        let facts = try await bench.store.facts(
            in: environment, guids: ["a", "late", "living", "new"], bases: ["a": 0, "late": 0])
        #expect(facts.purgedGuids == ["a"])
        #expect(facts.records.keys.sorted() == ["late", "living"])
        #expect(facts.history.keys.sorted() == ["late"])
        let request = HistoryRequest(
            environment: environment, guid: "a", before: nil, limit: 9, maxBytes: 999)
        #expect(try await bench.store.history(request) == nil)
    }

    @Test(arguments: stores) func environmentsArePurgedSeparately(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let other = try await bench.store.environment("other")
        try await write(.test("a", deleted: true), at: 1, to: bench, other)
        _ = try await sweep(bench, environment)
        let page = try await bench.store.page(in: other)
        #expect(page.records.map(\.guid) == ["a"] && page.purgeHorizon == 0)
        #expect(try await bench.store.facts(in: other, guids: ["a"]).purgedGuids.isEmpty)
    }

    /// A record that is deleted while the clock is set back gets a stamp after the last one.
    @Test(arguments: stores) func clockThatWentBackPurgesNothingEarly(
        _ kind: StoreKind
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await write(.test("a"), at: 20, to: bench, environment)
        try await write(.test("b", deleted: true), at: 5, to: bench, environment)
        #expect(try await sweep(before: 21, bench, environment).records == 0)
        #expect(try await sweep(before: 22, bench, environment).records == 1)
    }

    @Test(arguments: stores) func expiredOutcomesAreDeleted(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let ids = ["a", "b", "c", "kept", "late"]
        for (id, time) in zip(ids, [10, 20, 20, nil, 30] as [Int64?]) {
            var writes = WriteSet()
            writes.outcomes = [StoredOutcome(changeID: id, text: "{}")]
            writes.outcomesExpireAt = time.map { Instant(milliseconds: $0) }
            try await bench.store.write(writes, in: environment)
        }
        func sweep(before time: Int64, limit: Int) async throws -> Int {
            try await bench.store.sweepOutcomes(
                SweepRequest(
                    environment: environment, before: Instant(milliseconds: time), limit: limit))
        }
        #expect(try await sweep(before: 10, limit: 9) == 0)
        #expect(try await sweep(before: 30, limit: 2) == 2)
        #expect(try await sweep(before: 30, limit: 2) == 1)
        let facts = try await bench.store.facts(in: environment, changeIDs: ids)
        #expect(facts.outcomes.keys.sorted() == ["kept", "late"])
    }

    @Test(arguments: stores) func sessionTellsHorizon(_ kind: StoreKind) async throws {
        let (bench, environment) = try await filled(kind)
        let user = User(login: "a", group: "g", mail: "", isAdmin: false, passwordHash: "h")
        let refusal = try await bench.store.changeUser("a", in: environment) { _ in
            Result<UserChange, StoreError>.success(.write(user, endingSessions: false))
        }
        #expect(refusal == nil)
        let session = Session(
            tokenHash: [1], environment: environment, login: "a", deviceCategory: "mobile",
            deviceIdentifier: "phone", expiresAt: Instant(milliseconds: 9))
        let now = Instant(milliseconds: 1)
        #expect(try await bench.store.openSession(session, passwordHash: "h", at: now))
        _ = try await sweep(bench, environment)
        let open = try await bench.store.session(tokenHash: [1], in: environment, at: now)
        #expect(open?.moment.purgeHorizon == 3 && open?.moment.sequence == 6)
    }
}
