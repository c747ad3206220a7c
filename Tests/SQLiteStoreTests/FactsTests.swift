import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("A batch gets the facts of its own environment, device and records")
struct FactsTests {
    @Test func historyComesOldestFirstAndAfterTheBaseOnly() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", revision: 4), .test("h", revision: 4)])
        let entries: [HistoryEntry] = [
            .test("g", revision: 4), .test("g", revision: 2), .test("g", revision: 3),
            .test("g", revision: 3, kind: .discarded), .test("g", revision: 1, kind: .created),
            .test("h", revision: 3, kind: .deleted),
        ]
        writes.history = entries
        try await test.database.write(writes, in: environment)
        let facts = try await test.database.facts(
            in: environment, guids: ["g", "h"], bases: ["g": 1, "h": 3])
        #expect(
            facts.history == ["g": [entries[1], entries[2], entries[3], entries[0]], "h": []])
    }

    @Test(arguments: HistoryEntry.Kind.allCases)
    func anEntryIsReadAsItWasWritten(kind: HistoryEntry.Kind) async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let entry = HistoryEntry(
            guid: "g", revision: 2, kind: kind, changeID: "c", login: "anna",
            deviceCategory: "desk", deviceIdentifier: "tablet", at: Instant(milliseconds: 77),
            wasDeleted: true, fieldsText: "{\"a\":\"\u{E9}\"}")
        var writes = Writes(records: [.test("g", revision: 2)])
        writes.history = [entry]
        try await test.database.write(writes, in: environment)
        let facts = try await test.database.facts(
            in: environment, guids: ["g"], bases: ["g": 1])
        #expect(facts.history == ["g": [entry]])
    }

    @Test func historyOfARecordThatHasNotMovedOnIsNotRead() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", revision: 2)])
        writes.history = [.test("g", revision: 2)]
        try await test.database.write(writes, in: environment)
        let facts = try await test.database.facts(
            in: environment, guids: ["g"], bases: ["g": 2])
        #expect(facts.history.isEmpty)
    }

    /// The same guid, the same change id and the same device in two environments.
    @Test func environmentsKnowNothingOfEachOther() async throws {
        let test = try TestDatabase()
        let (one, two) = (try await test.environment(), try await test.environment(named: "b"))
        for (environment, text) in [(one, "{\"n\":1}"), (two, "{\"n\":2}")] {
            var writes = Writes(
                records: [.test("g", revision: 2, conflicted: true, fieldsText: text)])
            writes.history = [
                .test("g", revision: 2, kind: environment == one ? .updated : .deleted)
            ]
            writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: text)]
            writes.outcomes = [StoredOutcome(changeID: "c", text: text)]
            try await test.database.write(writes, in: environment)
        }
        for (environment, text) in [(one, "{\"n\":1}"), (two, "{\"n\":2}")] {
            let facts = try await test.database.facts(in: environment, changeIDs: ["c"])
            #expect(facts.outcomes["c"]?.text == text)
        }
        var over = Writes()
        over.closedConflicts = ["g"]
        over.acknowledged = ["c"]
        try await test.database.write(over, in: one)

        let facts = try await test.database.facts(
            in: two, changeIDs: ["c"], guids: ["g"], bases: ["g": 1])
        #expect(facts.outcomes["c"]?.text == "{\"n\":2}")
        #expect(facts.records["g"]?.fieldsText == "{\"n\":2}")
        #expect(facts.history["g"]?.map(\.kind) == [.deleted])
        let page = try await test.database.page(in: two)
        #expect(page.conflicts["g"]?.map(\.text) == ["{\"n\":2}"])
        let first = try await test.database.page(in: one)
        #expect(first.conflicts["g"]?.isEmpty == true)
        #expect(first.records.map(\.fieldsText) == ["{\"n\":1}"])
    }

    @Test func outcomesAreOfTheirLoginDeviceAndChange() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let keys = [
            DeviceKey(login: "a", deviceIdentifier: "phone"),
            DeviceKey(login: "b", deviceIdentifier: "phone"),
            DeviceKey(login: "a", deviceIdentifier: "tablet"),
        ]
        for (number, key) in keys.enumerated() {
            var writes = Writes()
            writes.outcomes = ["c", "d"].map {
                StoredOutcome(changeID: $0, text: "{\"\($0)\":\(number)}")
            }
            try await test.database.write(writes, in: environment, device: key)
        }
        var acknowledging = Writes()
        acknowledging.acknowledged = ["c"]
        try await test.database.write(acknowledging, in: environment, device: keys[0])
        for (number, key) in keys.enumerated() {
            let facts = try await test.database.facts(
                in: environment, device: key, changeIDs: ["c", "d", "e"])
            #expect(facts.outcomes["c"]?.text == (number == 0 ? nil : "{\"c\":\(number)}"))
            #expect(facts.outcomes["d"]?.text == "{\"d\":\(number)}")
            #expect(facts.outcomes["e"] == nil)
        }
    }

    @Test func everythingOfARecordIsReplaced() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(Writes(records: [.test("g")]), in: environment)
        let next = StoredRecord(
            guid: "g", model: "Page", owner: "b", group: "guests", revision: 2, isDeleted: true,
            isConflicted: true, fieldsText: "{\"x\":1}")
        try await test.database.write(Writes(records: [next]), in: environment)
        #expect(try await test.database.page(in: environment).records == [next])
        #expect(
            try await test.database.facts(in: environment, guids: ["g"]).records == ["g": next])
    }

    @Test func onlyTheConflictsOfTheNamedRecordAreClosed() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", conflicted: true), .test("h", conflicted: true)])
        let open = [("g", 3), ("g", 2), ("h", 4)].map { guid, revision in
            StoredConflict(guid: guid, revision: Int64(revision), text: "{}")
        }
        writes.openedConflicts = open
        try await test.database.write(writes, in: environment)
        #expect(
            try await test.database.page(in: environment).conflicts == [
                "g": [open[1], open[0]], "h": [open[2]],
            ])
        var closing = Writes()
        closing.closedConflicts = ["g"]
        try await test.database.write(closing, in: environment)
        #expect(
            try await test.database.page(in: environment).conflicts == ["g": [], "h": [open[2]]])
        let kept = try await test.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM conflicts")
        }
        #expect(kept == 3, "a closed conflict is kept")
    }

    @Test func anEnvironmentThatIsNotThereTakesNothing() async throws {
        let test = try TestDatabase()
        _ = try await test.environment()
        await #expect(throws: StoreError.unreadable("the environment is gone")) {
            try await test.database.write(
                Writes(records: [.test("g")]), in: EnvironmentID(number: 99))
        }
    }

    @Test func whatWeNeverWriteIsUnreadable() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", revision: 2)])
        writes.history = [.test("g", revision: 2)]
        try await test.database.write(writes, in: environment)
        try await test.database.pool.write {
            try $0.execute(sql: "UPDATE history SET kind = 'dreamt'")
        }
        await #expect(throws: StoreError.unreadable("the history has a kind 'dreamt'")) {
            try await test.database.facts(in: environment, guids: ["g"], bases: ["g": 1])
        }
    }

    @Test func aConflictsTextCountsAsBytesOfThePage() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", conflicted: true, fieldsText: "{\"x\":1}")])
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: "{\"y\":22}")]
        try await test.database.write(writes, in: environment)
        #expect(try await test.database.page(in: environment).bytes == 7 + 8)
    }
}
