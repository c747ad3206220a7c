import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Plans of statements", .timeLimit(.minutes(5)))
struct PlanTests {
    private static let statement = "SELECT pad FROM growing WHERE id = $1"
    private static let name = """
        SELECT name FROM pg_prepared_statements WHERE statement = '\(statement)'
        """

    /// A plan for one row reads the whole table. A connection that falls behind with changes to any
    /// database of its server loses its plans early, so the test has a server of its own.
    @Test(arguments: [(planSeconds: 3600, "Seq Scan"), (planSeconds: 0, "Index Scan")])
    func planFollowsGrowingTable(planSeconds: Int, scan: String) throws {
        let database = try PostgresCluster("plans\(planSeconds)").makeDatabase()
        defer { withExtendedLifetime(database) {} }
        let connection = try PGConnection(
            database.address, patienceSeconds: 30, planSeconds: planSeconds)
        _ = try connection.exchange([
            Statement("CREATE TABLE growing (id bigint PRIMARY KEY, pad text)"),
            Statement("ALTER TABLE growing SET (autovacuum_enabled = off)"),
            Statement("INSERT INTO growing VALUES (1, 'x')"), Statement("ANALYZE growing"),
            Statement("SET plan_cache_mode TO force_generic_plan"),
        ])
        let reading = Statement(Self.statement, [.integer(1)])
        _ = try connection.exchange([reading])
        _ = try connection.exchange([
            Statement("INSERT INTO growing SELECT n, 'x' FROM generate_series(2, 10000) AS n")
        ])
        let name = try connection.exchange([Statement(Self.name)])[0].map { try $0.text() }[0]
        let plan = try connection.exchange([Statement("EXPLAIN EXECUTE \(name)(1)")])[0]
        #expect(try plan.map { try $0.text() }[0].contains(scan))
    }

    /// PostgreSQL plans a statement anew for each execution, if a plan for the given arrays looks
    /// cheaper than one for arrays of any length. That takes as long as to forget the outcomes.
    @Test func usualPushesKeepTheirPlans() async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        var stored = WriteSet()
        stored.outcomes = (0..<1000).map { StoredOutcome(changeID: "\($0)", text: "{}") }
        try await store.write(stored, in: environment)
        try await store.carryOut("ANALYZE outcomes")
        var earlier: [String] = []
        for round in 0..<10 {
            let ids = ["a\(round)", "b\(round)"]
            var writes = WriteSet(records: ids.map { .test($0) })
            writes.history = ids.map { .test($0, revision: 1) }
            writes.outcomes = ids.map { StoredOutcome(changeID: $0, text: "{}") }
            writes.acknowledged = earlier
            try await store.write(writes, in: environment)
            earlier = ids
        }
        let planned = try await store.text(
            """
            SELECT coalesce(string_agg(statement, ';'), '') FROM pg_prepared_statements
            WHERE custom_plans > 5
            """)
        #expect(planned == "")
        let pushes = try await store.text(
            """
            SELECT count(*)::text FROM pg_prepared_statements
            WHERE generic_plans > 3 AND statement ~ 'forgotten|new_outcomes'
            """)
        #expect(pushes == "2")
    }

    /// Nothing is known of a new table: with a plan for few outcomes, those to delete could be
    /// searched again for each outcome that is there.
    @Test func trimmingSearchesOnce() async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        var writes = WriteSet()
        writes.outcomes = (0..<300).map {
            StoredOutcome(changeID: "\($0)", text: "{}", isTraceless: true)
        }
        try await store.write(writes, in: environment)
        var acknowledging = WriteSet()
        acknowledging.acknowledged = writes.outcomes.map(\.changeID)
        acknowledging.tracelessExpireAt = Instant(milliseconds: 1)
        try await store.write(acknowledging, in: environment)
        let found = try await store.text(
            "SELECT name FROM pg_prepared_statements WHERE statement ~ 'superfluous'")
        let name = try #require(found)
        let device = DeviceKey.test
        let arguments = """
            \(environment.number), '{\(device.login)}', '{\(device.deviceIdentifier)}', 1000
            """
        let plan = try await store.text(
            "EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE \(name)(\(arguments))")
        let loops = try #require(plan).matches(of: /"Actual Loops": (\d+)/).map { Int($0.1) ?? 0 }
        #expect(!loops.isEmpty && loops.allSatisfy { $0 < 20 })
    }
}
