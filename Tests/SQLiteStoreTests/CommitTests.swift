import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("One transaction reads, decides and writes")
struct CommitTests {
    @Test func whatIsWrittenIsWhatIsRead() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", revision: 3, fieldsText: "{\"x\":2}")])
        writes.history = [.test("g", revision: 2), .test("g", revision: 3, kind: .discarded)]
        writes.outcomes = [StoredOutcome(changeID: "c", text: "{\"a\":1}")]
        try await test.database.write(writes, in: environment)

        let facts = try await test.database.facts(
            in: environment, changeIDs: ["c", "d"], guids: ["g", "h"], bases: ["g": 2, "h": 1])
        #expect(facts.records == ["g": writes.records[0]])
        #expect(facts.outcomes == ["c": writes.outcomes[0]])
        #expect(facts.history == ["g": [writes.history[1]]])
    }

    @Test func outcomesAreEachDevicesOwnAndForgottenWhenAcknowledged() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let other = DeviceKey(login: "a", deviceIdentifier: "tablet")
        var writes = Writes()
        writes.outcomes = [StoredOutcome(changeID: "c", text: "{}")]
        try await test.database.write(writes, in: environment)
        try await test.database.write(writes, in: environment, device: other)
        var acknowledging = Writes()
        acknowledging.acknowledged = ["c"]
        try await test.database.write(acknowledging, in: environment)
        let own = try await test.database.facts(in: environment, changeIDs: ["c"])
        let others = try await test.database.facts(
            in: environment, device: other, changeIDs: ["c"])
        #expect(own.outcomes.isEmpty && others.outcomes.count == 1)
    }

    @Test func aDecisionThatThrowsWritesNothing() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let need = Need(
            environment: environment, device: .test, changeIDs: [], guids: [],
            baseRevisions: [:])
        await #expect(throws: StoreError.unreadable("no")) {
            try await test.database.commit(need) { _ in
                []
            } deciding: { _ throws(StoreError) -> (Writes, Int) in
                throw .unreadable("no")
            }
        }
        #expect(try await test.database.environment(named: "test")?.sequence == 0)
    }

    /// The second record cannot be written (two of one guid share a place), so the first is not.
    @Test func allOfItIsWrittenOrNothing() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g")])
        let conflict = StoredConflict(guid: "g", revision: 1, text: "{}")
        writes.openedConflicts = [conflict, conflict]
        await #expect(throws: StoreError.self) {
            try await test.database.write(writes, in: environment)
        }
        #expect(try await test.database.page(in: environment).records.isEmpty)
        #expect(try await test.database.environment(named: "test")?.sequence == 0)
    }

    @Test func aChangedRecordMovesToTheEnd() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(
            Writes(records: [.test("a"), .test("b"), .test("c")]), in: environment)
        try await test.database.write(
            Writes(records: [.test("a", revision: 2)]), in: environment)
        let page = try await test.database.page(in: environment)
        #expect(page.records.map(\.guid) == ["b", "c", "a"])
        #expect(page.lastSequence == 4)
        #expect(
            try await test.database.page(in: environment, after: 3).records.map(\.guid) == ["a"])
    }

    @Test func conflictsAreOpenUntilTheyAreClosed() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = Writes(records: [.test("g", conflicted: true)])
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: "{}")]
        try await test.database.write(writes, in: environment)
        #expect(
            try await test.database.page(in: environment).conflicts == [
                "g": writes.openedConflicts
            ])
        var closing = Writes()
        closing.closedConflicts = ["g"]
        closing.openedConflicts = [StoredConflict(guid: "g", revision: 3, text: "{}")]
        try await test.database.write(closing, in: environment)
        #expect(
            try await test.database.page(in: environment).conflicts == [
                "g": closing.openedConflicts
            ])
    }
}

@Suite("Sequences are in commit order")
struct SequenceTests {
    @Test func environmentsCountForThemselves() async throws {
        let test = try TestDatabase()
        let (one, two) = (try await test.environment(), try await test.environment(named: "b"))
        for environment in [one, two] {
            try await test.database.write(
                Writes(records: [.test("a"), .test("b")]), in: environment)
        }
        for environment in [one, two] {
            let page = try await test.database.page(in: environment)
            #expect(page.records.map(\.guid) == ["a", "b"] && page.lastSequence == 2)
        }
    }

    /// Writers race while a reader follows with its cursor: it must see every record once.
    @Test func aFollowerMissesNothing() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let database = test.database
        let seen = try await withThrowingTaskGroup(of: [String].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        try await database.write(
                            Writes(records: [.test("\(writer)-\(number)")]), in: environment)
                    }
                    return []
                }
            }
            group.addTask {
                var seen: [String] = []
                var cursor: Int64 = 0
                while seen.count < 200 {
                    let page = try await database.page(in: environment, after: cursor, limit: 7)
                    seen += page.records.map(\.guid)
                    cursor = page.lastSequence
                    await Task.yield()
                }
                return seen
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.count == 200 && Set(seen).count == 200)
    }

    /// Another process has begun a transaction and stalls: who pulls meanwhile sees nothing of it,
    /// and everything afterwards.
    @Test func aStalledWriterIsNotPassed() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(Writes(records: [.test("before")]), in: environment)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: test.path, configuration: configuration)
        try other.inDatabase { db in
            try db.execute(
                sql: """
                    BEGIN IMMEDIATE;
                    UPDATE environments SET sequence = sequence + 1;
                    INSERT INTO records (place, environment, guid, model, owner, group_name,
                            revision, is_deleted, is_conflicted, fields)
                        SELECT place + 1, environment, 'stalled', model, owner, group_name,
                            revision, is_deleted, is_conflicted, fields
                        FROM records;
                    """)
        }
        let before = try await test.database.page(in: environment)
        #expect(before.records.map(\.guid) == ["before"] && before.lastSequence == 1)
        async let waiting: Void = test.database.write(
            Writes(records: [.test("after")]), in: environment)
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try await waiting
        let after = try await test.database.page(in: environment, after: before.lastSequence)
        #expect(after.records.map(\.guid) == ["stalled", "after"])
        try other.close()
    }
}

@Suite("Pages")
struct PageTests {
    private func filled() async throws -> (TestDatabase, EnvironmentID) {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let records = (1...9).map { number in
            StoredRecord.test(
                "\(number)", deleted: number % 3 == 0, conflicted: number == 9,
                fieldsText: "{\"x\":\"0123456789\"}")
        }
        try await test.database.write(Writes(records: records), in: environment)
        return (test, environment)
    }

    @Test(arguments: 1...10)
    func theLimitIsKeptAndTheNextPageGoesOn(limit: Int) async throws {
        let (test, environment) = try await filled()
        var guids: [String] = []
        var cursor: Int64 = 0
        while true {
            let page = try await test.database.page(
                in: environment, after: cursor, limit: limit)
            #expect(page.records.count <= limit)
            guids += page.records.map(\.guid)
            cursor = page.lastSequence
            if !page.hasMore { break }
        }
        #expect(guids == (1...9).map(String.init))
    }

    @Test func whatIsDeletedIsLeftOutUnlessItIsDisputed() async throws {
        let (test, environment) = try await filled()
        let page = try await test.database.page(in: environment, skipsDeleted: true)
        #expect(page.records.map(\.guid) == ["1", "2", "4", "5", "7", "8", "9"])
        #expect(page.scanned == 9 && page.lastSequence == 9 && !page.hasMore)
    }

    @Test func itEndsWhenEnoughWasLookedAtOrItsBytesAreFull() async throws {
        let (test, environment) = try await filled()
        let looked = try await test.database.page(
            in: environment, maxScanned: 3, skipsDeleted: true)
        #expect(looked.records.map(\.guid) == ["1", "2"] && looked.hasMore)
        #expect(looked.lastSequence == 3)
        let full = try await test.database.page(in: environment, maxBytes: 40)
        #expect(full.records.count == 3 && full.bytes >= 40 && full.hasMore)
    }
}
