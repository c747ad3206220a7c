import DefinitionModel
import SyncEngine
import TestKit
import Testing

/// A store may presume absent what a call expects to be absent. The call is decided by what is
/// stored all the same.
@Suite("Calls that expect rows to be absent")
struct PresumptionTests {
    @Test(arguments: stores, [[], ["a"], ["a", "b"]] as [Set<String>])
    func newRowsAreWritten(_ kind: StoreKind, created: Set<String>) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let found = try await bench.store.create(
            ["a", "b"], expecting: created, changes: ["1"], areNew: !created.isEmpty,
            in: environment)
        #expect(found == FoundByCreation())
        let page = try await bench.store.page(in: environment)
        #expect(page.records.map(\.guid) == ["a", "b"])
    }

    @Test(arguments: stores, ["records", "outcomes", "both"])
    func storedRowsAreFound(_ kind: StoreKind, stored: String) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let (hasRecord, hasOutcome) = (stored != "outcomes", stored != "records")
        var writes = WriteSet(records: hasRecord ? [.test("a", revision: 5)] : [])
        if hasOutcome { writes.outcomes = [StoredOutcome(changeID: "1", text: "{}")] }
        try await bench.store.write(writes, in: environment)
        let before = try await bench.store.page(in: environment)
        let found = try await bench.store.create(
            ["a", "b"], expecting: ["a", "b"], changes: ["1", "2"], areNew: true, in: environment)
        #expect(found.records == (hasRecord ? ["a": 5] : [:]))
        #expect(found.outcomes == (hasOutcome ? ["1"] : []))
        let page = try await bench.store.page(in: environment)
        #expect(page.records.map(\.guid) == ["a", "b"])
        #expect(!hasRecord || page.records[0] == before.records[0])
    }

    /// The outcome is one that the call would otherwise delete, since it is beyond those that are
    /// kept of a device.
    @Test(arguments: stores) func oldestOutcomeIsFound(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        var writes = WriteSet()
        writes.outcomesExpireAt = Instant(milliseconds: 1)
        writes.outcomes = (1000...1000 + ForgottenOutcome.keptOfDevice).map {
            StoredOutcome(changeID: "\($0)", text: "{}", isTraceless: true)
        }
        try await bench.store.write(writes, in: environment)
        let found = try await bench.store.create(
            [], expecting: [], changes: ["1000", "new"], areNew: true, areTraceless: true,
            in: environment)
        #expect(found.outcomes == ["1000"])
    }

    @Test(arguments: stores) func purgedRecordIsKnown(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(
            WriteSet(records: [.test("a", deleted: true)]), in: environment)
        let sweep = SweepRequest(
            environment: environment, before: Instant(milliseconds: .max), limit: 9)
        #expect(try await bench.store.sweep(sweep).records == 1)
        for guids in [["a", "b"], ["a", "c"]] {
            let found = try await bench.store.create(
                guids, expecting: Set(guids), changes: [], areNew: true, in: environment)
            #expect(found == FoundByCreation(purgedGuids: ["a"]))
        }
        let page = try await bench.store.page(in: environment)
        #expect(page.records.map(\.guid) == ["b", "c"])
    }
}
