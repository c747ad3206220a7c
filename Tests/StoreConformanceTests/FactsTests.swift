import SyncEngine
import TestKit
import Testing

@Suite("A batch gets the facts of its own environment, device and records")
struct FactsTests {
    @Test(arguments: stores)
    func historyComesOldestFirstAndAfterBaseOnly(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", revision: 4), .test("h", revision: 4)])
        let entries: [HistoryEntry] = [
            .test("g", revision: 4), .test("g", revision: 2), .test("g", revision: 3),
            .test("g", revision: 3, kind: .discarded), .test("g", revision: 1, kind: .created),
            .test("h", revision: 3, kind: .deleted),
        ]
        writes.history = entries
        try await bench.store.write(writes, in: environment)
        let facts = try await bench.store.facts(
            in: environment, guids: ["g", "h"], bases: ["g": 1, "h": 3])
        #expect(
            facts.history == ["g": [entries[1], entries[2], entries[3], entries[0]], "h": []])
    }

    /// No revision is below 1, but a change may name any base.
    @Test(arguments: stores, [.min, .min + 1, -1 << 62, -1, 0] as [Int64])
    func historyAfterBaseBelowAllIsWhole(_ kind: StoreKind, base: Int64) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let guids = ["f", "g", "h"]
        var writes = WriteSet(records: guids.map { .test($0, revision: 2) })
        writes.history = guids.map { .test($0, revision: 2) }
        try await bench.store.write(writes, in: environment)
        let facts = try await bench.store.facts(
            in: environment, guids: guids,
            bases: Dictionary(uniqueKeysWithValues: guids.map { ($0, base) }))
        #expect(facts.history.mapValues(\.count) == ["f": 1, "g": 1, "h": 1])
        let above = try await bench.store.facts(in: environment, guids: ["g"], bases: ["g": .max])
        #expect(above.history.isEmpty && above.shortage == nil)
    }

    @Test(arguments: stores, HistoryEntry.Kind.allCases)
    func entryIsReadAsItWasWritten(
        _ kind: StoreKind, entryKind: HistoryEntry.Kind
    ) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let entry = HistoryEntry(
            guid: "g", revision: 2, kind: entryKind, changeID: "c", login: "anna",
            deviceCategory: "desk", deviceIdentifier: "tablet", at: Instant(milliseconds: -77),
            wasDeleted: true, fieldsText: "{\"a\":\"\u{E9}\"}")
        var writes = WriteSet(records: [.test("g", revision: 2)])
        writes.history = [entry]
        try await bench.store.write(writes, in: environment)
        let facts = try await bench.store.facts(
            in: environment, guids: ["g"], bases: ["g": 1])
        #expect(facts.history == ["g": [entry]])
    }

    @Test(arguments: stores)
    func historyOfRecordThatHasNotMovedOnIsNotRead(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", revision: 2)])
        writes.history = [.test("g", revision: 2)]
        try await bench.store.write(writes, in: environment)
        let facts = try await bench.store.facts(
            in: environment, guids: ["g"], bases: ["g": 2])
        #expect(facts.history.isEmpty)
    }

    /// The same guid, change id and device in two environments.
    @Test(arguments: stores)
    func environmentsKnowNothingOfEachOther(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let one = try await bench.store.environment()
        let two = try await bench.store.environment("b")
        for (environment, text) in [(one, "{\"n\":1}"), (two, "{\"n\":2}")] {
            let kind = environment == one ? HistoryEntry.Kind.updated : .deleted
            try await bench.store.write(.everything(text, kind), in: environment)
        }
        for (environment, text) in [(one, "{\"n\":1}"), (two, "{\"n\":2}")] {
            let facts = try await bench.store.facts(in: environment, changeIDs: ["c"])
            #expect(facts.outcomes["c"]?.text == text)
        }
        var over = WriteSet()
        over.closedConflicts = ["g"]
        over.acknowledged = ["c"]
        try await bench.store.write(over, in: one)

        let facts = try await bench.store.facts(
            in: two, changeIDs: ["c"], guids: ["g"], bases: ["g": 1])
        #expect(facts.outcomes["c"]?.text == "{\"n\":2}")
        #expect(facts.records["g"]?.fieldsText == "{\"n\":2}")
        #expect(facts.history["g"]?.map(\.kind) == [.deleted])
        #expect(facts.openConflicts.mapValues(\.rows) == ["g": 1])
        let page = try await bench.store.page(in: two)
        #expect(page.conflicts["g"]?.map(\.text) == ["{\"n\":2}"])
        let first = try await bench.store.page(in: one)
        #expect(first.conflicts["g"]?.isEmpty == true)
        #expect(first.records.map(\.fieldsText) == ["{\"n\":1}"])
    }

    @Test(arguments: stores)
    func outcomesAreOfTheirLoginDeviceAndChange(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let keys = [
            DeviceKey(login: "a", deviceIdentifier: "phone"),
            DeviceKey(login: "b", deviceIdentifier: "phone"),
            DeviceKey(login: "a", deviceIdentifier: "tablet"),
        ]
        for (number, key) in keys.enumerated() {
            var writes = WriteSet()
            writes.outcomes = ["c", "d"].map {
                StoredOutcome(changeID: $0, text: "{\"\($0)\":\(number)}")
            }
            try await bench.store.write(writes, in: environment, device: key)
        }
        var acknowledging = WriteSet()
        acknowledging.acknowledged = ["c", "unknown"]
        try await bench.store.write(acknowledging, in: environment, device: keys[0])
        for (number, key) in keys.enumerated() {
            let facts = try await bench.store.facts(
                in: environment, device: key, changeIDs: ["c", "d", "e"])
            #expect(facts.outcomes["c"]?.text == (number == 0 ? nil : "{\"c\":\(number)}"))
            #expect(facts.outcomes["d"]?.text == "{\"d\":\(number)}")
            #expect(facts.outcomes["e"] == nil)
        }
    }

    /// To Swift, the Kelvin sign equals `K`.
    @Test(arguments: stores)
    func onlyExactIdIsAcknowledged(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet()
        writes.outcomes = [StoredOutcome(changeID: "K", text: "{}")]
        try await bench.store.write(writes, in: environment)
        var acknowledging = WriteSet()
        acknowledging.acknowledged = ["\u{212A}"]
        try await bench.store.write(acknowledging, in: environment)
        let facts = try await bench.store.facts(in: environment, changeIDs: ["K"])
        #expect(facts.outcomes.count == 1)
        let others = try await bench.store.facts(in: environment, changeIDs: ["\u{212A}"])
        #expect(others.outcomes.isEmpty)
    }
}

@Suite("Conflicts")
struct ConflictTests {
    @Test(arguments: stores) func conflictsAreOpenUntilClosed(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", conflicted: true)])
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: "{}")]
        try await bench.store.write(writes, in: environment)
        #expect(
            try await bench.store.page(in: environment).conflicts == [
                "g": writes.openedConflicts
            ])
        var closing = WriteSet()
        closing.closedConflicts = ["g"]
        closing.openedConflicts = [StoredConflict(guid: "g", revision: 3, text: "{}")]
        try await bench.store.write(closing, in: environment)
        #expect(
            try await bench.store.page(in: environment).conflicts == [
                "g": closing.openedConflicts
            ])
    }

    @Test(arguments: stores)
    func onlyThoseOfNamedRecordAreClosed(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", conflicted: true), .test("h", conflicted: true)])
        let open = [("g", 3), ("g", 2), ("h", 4), ("g", 5)].map { guid, revision in
            StoredConflict(guid: guid, revision: Int64(revision), text: "{}")
        }
        writes.openedConflicts = open
        try await bench.store.write(writes, in: environment)
        #expect(
            try await bench.store.page(in: environment).conflicts == [
                "g": [open[1], open[0], open[3]], "h": [open[2]],
            ])
        var closing = WriteSet()
        closing.closedConflicts = ["g"]
        try await bench.store.write(closing, in: environment)
        #expect(
            try await bench.store.page(in: environment).conflicts == ["g": [], "h": [open[2]]])
    }

    @Test(arguments: stores)
    func conflictsAreCountedForConflictedRecordsOnly(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [
            .test("g", conflicted: true), .test("h"), .test("i", conflicted: true),
        ])
        writes.openedConflicts = [("g", 2), ("g", 3), ("h", 2)].map {
            StoredConflict(guid: $0, revision: $1, text: "{}")
        }
        try await bench.store.write(writes, in: environment)
        let facts = try await bench.store.facts(in: environment, guids: ["g", "h", "i"])
        #expect(facts.openConflicts.mapValues(\.rows) == ["g": 2, "i": 0])
    }
}

extension WriteSet {
    /// A record with a history, a conflict and an outcome.
    fileprivate static func everything(_ text: String, _ kind: HistoryEntry.Kind) -> WriteSet {
        var writes = WriteSet(
            records: [.test("g", revision: 2, conflicted: true, fieldsText: text)])
        writes.history = [.test("g", revision: 2, kind: kind)]
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: text)]
        writes.outcomes = [StoredOutcome(changeID: "c", text: text)]
        return writes
    }
}
