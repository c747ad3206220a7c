import PostgresKit
import Testing

@testable import PostgresStore

@Suite("Plans of statements", .timeLimit(.minutes(5)))
struct PlanTests {
    private static let statement = "SELECT pad FROM growing WHERE id = $1"
    private static let name = """
        SELECT name FROM pg_prepared_statements WHERE statement = '\(statement)'
        """

    /// A plan for one row reads the whole table. A connection that falls behind with what changed
    /// in all databases of its server loses its plans early, so the test has a server of its own.
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
}
