import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Presumptions", .timeLimit(.minutes(20)))
struct PresumptionTests {
    /// The statements that look for records and outcomes, and how often each was executed.
    private static let lookups = """
        SELECT coalesce(string_agg(found || ' ' || executed, ', ' ORDER BY found), '') FROM (
            SELECT substring(statement FROM 'FROM (outcomes|records)\\s+WHERE') AS found,
                sum(generic_plans + custom_plans) AS executed
            FROM pg_prepared_statements
            WHERE statement ~ '^SELECT' AND statement ~ 'OFFSET 0' AND statement !~ 'pg_prepared'
            GROUP BY 1) AS statements WHERE found IS NOT NULL
        """

    @Test(
        arguments: [
            (["a"], true, "records 1"), (["a", "b"], true, ""), ([], true, "records 1"),
            (["a", "b"], false, "outcomes 1"), ([], false, "outcomes 1, records 1"),
        ] as [(Set<String>, Bool, String)])
    func newRowsAreNotLookedFor(created: Set<String>, isNew: Bool, lookups: String) async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        let created = try await store.create(
            ["a", "b"], expecting: created, changes: ["1", "2"], areNew: isNew, in: environment)
        #expect(created == Created(records: [:], outcomes: []))
        #expect(try await store.text(Self.lookups) == lookups)
        #expect(try await store.page(in: environment).records.map(\.guid) == ["a", "b"])
    }

    /// The call is decided again with what is stored. For a time, nothing is presumed.
    @Test(arguments: [Duration.zero, .seconds(3600)], ["records", "outcomes", "both"])
    func wrongOneIsRepeated(pause: Duration, stored: String) async throws {
        let store = try await TestServer().open(connections: 1, presumptionPause: pause)
        let environment = try await store.environment()
        let (hasRecord, hasOutcome) = (stored != "outcomes", stored != "records")
        var writes = WriteSet(records: hasRecord ? [.test("a", revision: 5)] : [])
        if hasOutcome { writes.outcomes = [StoredOutcome(changeID: "1", text: "{}")] }
        try await store.write(writes, in: environment)
        let before = try await store.page(in: environment)
        let repeated = try await store.create(
            ["a", "b"], expecting: ["a", "b"], changes: ["1", "2"], areNew: true, in: environment)
        let expected = Created(
            records: hasRecord ? ["a": 5] : [:], outcomes: hasOutcome ? ["1"] : [])
        #expect(repeated == expected)
        let page = try await store.page(in: environment)
        #expect(page.records.map(\.guid) == ["a", "b"])
        #expect(!hasRecord || page.records[0] == before.records[0])
        let lookups = try await store.text(Self.lookups)
        _ = try await store.create(
            ["c"], expecting: ["c"], changes: ["3"], areNew: true, in: environment)
        #expect(try await store.text(Self.lookups) == lookups || pause > .zero)
        #expect(try await store.text(Self.lookups) != lookups || pause == .zero)
    }

    /// The outcome is one that the call would otherwise delete, since it is beyond those that are
    /// kept of a device.
    @Test func oldestOutcomeIsFound() async throws {
        let store = try await TestServer().open()
        let environment = try await store.environment()
        var writes = WriteSet()
        writes.outcomesExpireAt = Instant(milliseconds: 1)
        writes.outcomes = (1000...1000 + ForgottenOutcome.keptOfDevice).map {
            StoredOutcome(changeID: "\($0)", text: "{}", isTraceless: true)
        }
        try await store.write(writes, in: environment)
        let created = try await store.create(
            [], expecting: [], changes: ["1000", "new"], areNew: true, areTraceless: true,
            in: environment)
        #expect(created.outcomes == ["1000"])
    }

    /// Another process purges a record after this one has found that none was.
    @Test func purgedRecordIsKnown() async throws {
        let server = try TestServer()
        let (store, other) = (try await server.open(), try await server.open())
        let environment = try await store.environment()
        try await store.write(WriteSet(records: [.test("a", deleted: true)]), in: environment)
        let sweep = SweepRequest(
            environment: environment, before: Instant(milliseconds: .max), limit: 9)
        #expect(try await other.sweep(sweep).records == 1)
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: ["a", "b"],
            baseRevisions: [:])
        need.createdGuids = ["a", "b"]
        for _ in 0..<2 {
            let purged = try await store.commit(need) { _ in
                []
            } deciding: { facts throws(StoreError) in
                (WriteSet(), facts.purgedGuids)
            }
            #expect(purged == ["a"])
        }
    }

    @Test(arguments: [(0, 1, false), (0, 29, false), (0, 30, true), (20, 30, false)])
    func arePausedAfterAWrongOne(first: Int, now: Int, areAllowed: Bool) {
        let presumptions = Presumptions(pause: .seconds(30))
        let (environment, other) = (EnvironmentID(number: 1), EnvironmentID(number: 2))
        let start = ContinuousClock.now
        #expect(presumptions.areAllowed(in: environment, at: start))
        for second in [0, first] {
            presumptions.noteWrong(in: environment, at: start + .seconds(second))
        }
        let moment = start + .seconds(now)
        #expect(presumptions.areAllowed(in: environment, at: moment) == areAllowed)
        #expect(presumptions.areAllowed(in: other, at: moment))
    }
}

/// The rows that a call found.
private struct Created: Equatable, Sendable {
    /// Revisions by guid.
    var records: [String: Int64]
    var outcomes: Set<String>
}

extension PostgresDatabase {
    /// Creates the records that are not there, and decides the changes that have no outcome.
    fileprivate func create(
        _ guids: [String], expecting created: Set<String>, changes: [String], areNew: Bool,
        areTraceless: Bool = false, in environment: EnvironmentID
    ) async throws -> Created {
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: changes, guids: guids,
            baseRevisions: [:])
        (need.createdGuids, need.areChangesNew) = (created, areNew)
        return try await commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            var writes = WriteSet(
                records: guids.filter { facts.records[$0] == nil }.map { .test($0) })
            writes.outcomes = changes.filter { facts.outcomes[$0] == nil }.map {
                StoredOutcome(changeID: $0, text: "{}", isTraceless: areTraceless)
            }
            return (
                writes,
                Created(
                    records: facts.records.mapValues(\.revision),
                    outcomes: Set(facts.outcomes.keys))
            )
        }
    }
}
