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
        #expect(created == FoundByCreation())
        #expect(try await store.text(Self.lookups) == lookups)
        #expect(try await store.page(in: environment).records.map(\.guid) == ["a", "b"])
    }

    /// Nothing is presumed for a time.
    @Test(arguments: [Duration.zero, .seconds(3600)], [true, false])
    func wrongOneIsRepeated(pause: Duration, hasRecord: Bool) async throws {
        let store = try await TestServer().open(connections: 1, presumptionPause: pause)
        let environment = try await store.environment()
        var writes = WriteSet(records: hasRecord ? [.test("a")] : [])
        if !hasRecord { writes.outcomes = [StoredOutcome(changeID: "1", text: "{}")] }
        try await store.write(writes, in: environment)
        _ = try await store.create(
            ["a", "b"], expecting: ["a", "b"], changes: ["1", "2"], areNew: true, in: environment)
        let lookups = try await store.text(Self.lookups)
        _ = try await store.create(
            ["c"], expecting: ["c"], changes: ["3"], areNew: true, in: environment)
        #expect(try await store.text(Self.lookups) == lookups || pause > .zero)
        #expect(try await store.text(Self.lookups) != lookups || pause == .zero)
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
        let found = try await store.create(
            ["a", "b"], expecting: ["a", "b"], changes: [], areNew: true, in: environment)
        #expect(found == FoundByCreation(purgedGuids: ["a"]))
    }
}
