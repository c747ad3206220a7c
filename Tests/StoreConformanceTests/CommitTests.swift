import SyncEngine
import TestKit
import Testing

@Suite("One transaction reads, decides and writes")
struct CommitTests {
    private func need(_ environment: EnvironmentID, guids: [String] = []) -> ReadSet {
        ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: guids,
            baseRevisions: [:])
    }

    @Test(arguments: stores) func writtenValuesAreReadBack(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet(records: [.test("g", revision: 3, fieldsText: "{\"x\":2}")])
        writes.history = [.test("g", revision: 2), .test("g", revision: 3, kind: .discarded)]
        writes.outcomes = [StoredOutcome(changeID: "c", text: "{\"a\":1}")]
        try await bench.store.write(writes, in: environment)

        let facts = try await bench.store.facts(
            in: environment, changeIDs: ["c", "d"], guids: ["g", "h"], bases: ["g": 2, "h": 1])
        #expect(facts.fingerprint == "version")
        #expect(facts.records == ["g": writes.records[0]])
        #expect(facts.outcomes == ["c": writes.outcomes[0]])
        #expect(facts.history == ["g": [writes.history[1]]])
        #expect(facts.openConflicts == [:] && facts.holders == [:])
    }

    @Test(arguments: stores)
    func resultOfDecisionIsReturned(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let answer = try await bench.store.commit(need(environment)) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (WriteSet(records: [.test("g")]), "answer")
        }
        #expect(answer == "answer")
    }

    @Test(arguments: stores) func everythingOfRecordIsReplaced(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet(records: [.test("g")]), in: environment)
        let next = StoredRecord(
            guid: "g", model: "Page", owner: "b", group: "guests", revision: 2, isDeleted: true,
            isConflicted: true, fieldsText: "{\"x\":1}")
        try await bench.store.write(WriteSet(records: [next]), in: environment)
        #expect(try await bench.store.page(in: environment).records == [next])
        let facts = try await bench.store.facts(in: environment, guids: ["g"])
        #expect(facts.records == ["g": next])
    }

    /// For a decision that throws and for every write that fails, nothing of the transaction is
    /// stored.
    @Test(arguments: stores) func decisionThatThrowsWritesNothing(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        await #expect(throws: StoreError.unreadable("no")) {
            try await bench.store.commit(need(environment)) { _ in
                []
            } deciding: { _ throws(StoreError) -> (WriteSet, Int) in
                throw .unreadable("no")
            }
        }
        await #expect(throws: StoreError.failed("no")) {
            try await bench.store.commit(need(environment)) { _ throws(StoreError) in
                throw .failed("no")
            } deciding: { _ throws(StoreError) in
                (WriteSet(records: [.test("g")]), ())
            }
        }
        #expect(try await bench.store.environment(named: "test")?.sequence == 0)
        #expect(try await bench.store.page(in: environment).records.isEmpty)
    }

    /// Two conflicts of a record with the same revision, and two outcomes of one change, are
    /// indistinguishable.
    @Test(arguments: stores, ["conflict", "outcome"])
    func allOfItIsWrittenOrNothing(_ kind: StoreKind, impossible: String) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var before = WriteSet(records: [.test("a", conflicted: true)])
        before.openedConflicts = [StoredConflict(guid: "a", revision: 1, text: "{}")]
        before.outcomes = [StoredOutcome(changeID: "a", text: "{}")]
        before.takenValues = [UniqueHolding(value: .code("A"), guid: "a")]
        try await bench.store.write(before, in: environment)

        var writes = WriteSet(records: [.test("a", revision: 2), .test("b")])
        writes.history = [.test("a", revision: 2)]
        writes.closedConflicts = ["a"]
        writes.freedValues = before.takenValues
        writes.takenValues = [UniqueHolding(value: .code("B"), guid: "a")]
        writes.acknowledged = ["a"]
        writes.outcomes = [StoredOutcome(changeID: "b", text: "{}")]
        if impossible == "outcome" { writes.outcomes += writes.outcomes }
        if impossible == "conflict" {
            writes.openedConflicts = before.openedConflicts + before.openedConflicts
        }
        await #expect(throws: StoreError.self) {
            try await bench.store.write(writes, in: environment)
        }
        let page = try await bench.store.page(in: environment)
        #expect(page.records == before.records && page.lastSequence == 1)
        #expect(page.conflicts == ["a": before.openedConflicts])
        let facts = try await bench.store.facts(
            in: environment, changeIDs: ["a", "b"], guids: ["a", "b"], bases: ["a": 0],
            holdersOf: [.code("A"), .code("B")])
        #expect(facts.records == ["a": before.records[0]] && facts.history == ["a": []])
        #expect(facts.outcomes == ["a": before.outcomes[0]])
        #expect(facts.holders == [.code("A"): "a"])
        #expect(try await bench.store.environment(named: "test")?.sequence == 1)
    }

    /// Several writers increment one record, each based on the facts of its decision.
    @Test(arguments: stores) func noUpdateIsLost(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let need = need(environment, guids: ["g"])
        let revisions = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var revisions: [Int64] = []
                    for _ in 0..<20 {
                        revisions.append(try await increment(bench.store, need))
                    }
                    return revisions
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(revisions.sorted() == Array(1...160))
        let facts = try await bench.store.facts(in: environment, guids: ["g"], bases: ["g": 0])
        #expect(facts.records["g"]?.revision == 160)
        #expect(facts.history["g"]?.map(\.revision) == Array(1...160))
    }

    /// Absence is part of the facts: what is absent in the decision is absent when it is written.
    @Test(arguments: stores)
    func missingRecordIsCreatedOnce(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let need = need(environment, guids: ["g"])
        let created = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<16 {
                group.addTask {
                    try await createOrTake(number, on: bench.store, need)
                }
            }
            return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
        }
        #expect(created == (1, 1))
    }
}

/// Increments a record's revision, and returns the new one.
private func increment(_ store: any Store, _ need: ReadSet) async throws -> Int64 {
    try await store.commit(need) { _ in
        []
    } deciding: { facts throws(StoreError) in
        let next = (facts.records["g"]?.revision ?? 0) + 1
        var writes = WriteSet(records: [.test("g", revision: next)])
        writes.history = [.test("g", revision: next)]
        return (writes, next)
    }
}

/// Creates a record if it does not exist, and takes a value if it is free; returns the number of
/// successes.
private func createOrTake(
    _ number: Int, on store: any Store, _ need: ReadSet
) async throws -> (created: Int, taken: Int) {
    let result = try await store.commit(need) { _ in
        [.code("A")]
    } deciding: { facts throws(StoreError) in
        var writes = WriteSet()
        if facts.records["g"] == nil { writes.records = [.test("g")] }
        if facts.holders.isEmpty {
            writes.takenValues = [UniqueHolding(value: .code("A"), guid: "\(number)")]
        }
        return (writes, [writes.records.count, writes.takenValues.count])
    }
    return (result[0], result[1])
}

extension UniqueValue {
    static func code(_ text: String) -> UniqueValue {
        UniqueValue(model: "Note", field: "code", text: text)
    }
}
