import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Plans of statements", .timeLimit(.minutes(20)))
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

    /// PostgreSQL would plan a statement anew for each execution if a plan for the given parameters
    /// looked cheaper than a generic one. It plans other statements as it chooses.
    @Test func frequentStatementsHaveGenericPlans() async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        var earlier: [String] = []
        for round in 0..<4 {
            let ids = ["a\(round)", "b\(round)"]
            var writes = WriteSet(records: ids.map { .test($0) })
            writes.history = ids.map { .test($0, revision: 1) }
            writes.outcomes = ids.map { StoredOutcome(changeID: $0, text: "{}") }
            writes.acknowledged = earlier
            try await store.write(writes, in: environment)
            _ = try await store.page(
                PageRequest(
                    environment: environment, afterSequence: 0, limit: 9, maxScanned: 9,
                    maxBytes: 999, skipsDeleted: false, knownSequence: 0))
            _ = try await store.storedSessions([[1], [2]], in: environment)
            _ = try await store.lastNotification(in: environment)
            earlier = ids
        }
        let plans = try await store.text(
            """
            SELECT string_agg(part || ': ' || is_generic, ', ' ORDER BY part) FROM (
                SELECT part, coalesce(bool_and(custom_plans = 0)::text, 'none') AS is_generic
                FROM unnest(ARRAY['INTO outcomes', 'AS page ON true', 'forgotten',
                    'last_notification', 'last_stamp, accounts', 'token_hash']) AS part
                LEFT JOIN pg_prepared_statements ON position(part IN statement) > 0
                    AND statement ~ '[$]1' AND custom_plans + generic_plans > 0
                GROUP BY part) AS plans
            """)
        #expect(
            plans == """
                AS page ON true: true, INTO outcomes: true, forgotten: true, \
                last_notification: false, last_stamp, accounts: true, token_hash: true
                """)
    }

    /// It writes records, new and changed ones, with their history and their outcomes. Only the
    /// guids of changed records are searched.
    @Test(arguments: [["a"], ["a", "b"], ["new"], ["new", "newer"], ["a", "new"]])
    func usualPushIsOneStatement(guids: [String]) async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        try await store.write(
            WriteSet(records: ["a", "b"].map { .test($0) }), in: environment)
        var writes = WriteSet(records: guids.map { .test($0, revision: 7) })
        writes.history = guids.map { .test($0, revision: 7) }
        writes.outcomes = guids.map { StoredOutcome(changeID: $0, text: "{}") }
        try await store.write(writes, in: environment)
        let statements = try await store.text(
            """
            SELECT string_agg((statement ~ 'INTO records' AND statement ~ 'INTO outcomes'
                AND statement ~ 'UPDATE environments'
                AND (statement ~ 'ON CONFLICT') = \(guids.contains("a")))::text, ' ')
            FROM pg_prepared_statements
            WHERE statement ~ 'INTO history' AND statement !~ 'pg_prepared'
            """)
        #expect(statements == "true")
        let written = try await store.text(
            "SELECT string_agg(guid, ' ' ORDER BY sequence) FROM records WHERE revision = 7")
        #expect(written == guids.joined(separator: " "))
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
        let device = DeviceKey.test
        let plan = try await store.plan(
            of: "superfluous", environment,
            ["'{\(device.login)}'", "'{\(device.deviceIdentifier)}'", "1000", "'{}'"])
        let loops = plan.matches(of: /"Actual Loops": (\d+)/).map { Int($0.1) ?? 0 }
        #expect(!loops.isEmpty && loops.allSatisfy { $0 < 20 })
    }

    /// Without statistics, the server takes an environment for a small part of a table, and would
    /// read all rows of it.
    @Test(arguments: KeyedStatement.all)
    func statementReadsItsRowsOnly(statement: KeyedStatement) async throws {
        let store = try await TestServer().open(connections: 1)
        let environment = try await store.environment()
        try await store.carryOut(
            """
            INSERT INTO \(statement.table) SELECT \(environment.number), \(statement.row)
            FROM generate_series(1, 500) AS number
            """)
        _ = try await store.facts(in: environment, holdersOf: statement.holders)
        try await store.write(statement.writes, in: environment)
        let plan = try await store.plan(of: statement.part, environment, statement.keys)
        let rows = plan.matches(
            of: /"(?:Actual Rows|Rows Removed by [A-Za-z ]+)": (\d+)/
        ).map { Int($0.1) ?? 0 }
        #expect(rows.contains(10) && rows.allSatisfy { $0 < 20 }, "\(plan)")
    }
}

extension PostgresDatabase {
    /// Executes a prepared statement whose text contains `part`, and gives its plan with what each
    /// node did, as JSON.
    fileprivate func plan(
        of part: String, _ environment: EnvironmentID, _ arguments: [String]
    ) async throws -> String {
        let found = try await text(
            """
            SELECT name FROM pg_prepared_statements
            WHERE statement ~ '\(part)' AND statement !~ 'pg_prepared'
            """)
        let name = try #require(found)
        let values = (["\(environment.number)"] + arguments).joined(separator: ", ")
        let plan = try await ask(plans: .generic) { transaction in
            try transaction.rows("EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE \(name)(\(values))")
                .map { try $0.text() }.first
        }
        return try #require(plan)
    }
}

/// A statement that finds or deletes rows by their keys.
struct KeyedStatement: Sendable, CustomTestStringConvertible {
    let table: String
    /// The values of a row, after its environment.
    let row: String
    /// Deletes the rows of the numbers 1 and 2.
    private(set) var writes = WriteSet()
    private(set) var holders: Set<UniqueValue> = []
    /// A part of the statement's text.
    let part: String
    /// The arguments for the rows of ten other numbers, after the environment.
    let keys: [String]

    var testDescription: String { part }

    private static let ids = ["1", "2"]
    private static let unique = ids.map { UniqueValue(model: "Note", field: "code", text: $0) }
    private static let numbers = "'{\((11...20).map { "\($0)" }.joined(separator: ","))}'"
    private static let outcomes = """
        outcomes (environment, login, device_identifier, change_id, outcome)
        """
    private static let conflicts = """
        conflicts (environment, guid, revision, is_open, login, device_identifier, sides)
        """

    private static func tenOf(_ text: String) -> String {
        "'{\([String](repeating: text, count: 10).joined(separator: ","))}'"
    }

    static let all = [
        KeyedStatement(
            table: outcomes,
            row: "'\(DeviceKey.test.login)', '\(DeviceKey.test.deviceIdentifier)', number, ''",
            writes: writes { $0.acknowledged = ids }, part: "forgotten",
            keys: [
                tenOf(DeviceKey.test.login), tenOf(DeviceKey.test.deviceIdentifier), numbers,
                tenOf("0"),
            ]),
        KeyedStatement(
            table: conflicts, row: "number, 1, true, '', '', ''",
            writes: writes {
                $0.replacedConflicts = ids.map { StoredConflict(guid: $0, revision: 1, text: "") }
            }, part: "replaced", keys: [numbers, tenOf("1")]),
        KeyedStatement(
            table: "links", row: "number, number, true",
            writes: writes { $0.endedLinks = ids.map { RecordLink(source: $0, target: $0) } },
            part: "USING ended", keys: [numbers, numbers]),
        KeyedStatement(
            table: "unique_values", row: "'Note', 'code', number::text::bytea, number",
            writes: writes {
                $0.freedValues = zip(unique, ids).map { UniqueHolding(value: $0, guid: $1) }
            }, part: "freed", keys: [tenOf("Note"), tenOf("code"), numbers, numbers]),
        KeyedStatement(
            table: "unique_values", row: "'Note', 'code', number::text::bytea, number",
            holders: Set(unique), part: "held", keys: [tenOf("Note"), tenOf("code"), numbers]),
    ]

    private static func writes(_ fill: (inout WriteSet) -> Void) -> WriteSet {
        var writes = WriteSet()
        fill(&writes)
        return writes
    }
}
