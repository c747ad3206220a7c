import PostgresKit
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

@Suite(
    "A temporary obstacle is retried, and a lasting one is reported",
    .timeLimit(.minutes(20)))
struct InTheWayTests {
    /// Makes the server refuse the first writes of records with an error code.
    private func refuse(
        _ code: String, times: Int, in store: PostgresDatabase
    ) async throws {
        try await store.carryOut("CREATE SEQUENCE IF NOT EXISTS times_refused")
        try await store.carryOut(
            """
            CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                -- What a sequence gave is not undone.
                IF nextval('times_refused') <= \(times) THEN
                    RAISE EXCEPTION 'in the way' USING ERRCODE = '\(code)';
                END IF;
                RETURN NEW;
            END $$
            """)
        try await store.carryOut(
            """
            CREATE TRIGGER refusing BEFORE INSERT ON records
            FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
    }

    private func refusals(in store: PostgresDatabase) async throws -> String? {
        try await store.text("SELECT last_value::text FROM times_refused")
    }

    /// Serialization failure, deadlock, and a stalled transaction.
    @Test(arguments: ["40001", "40P01", "25P03"])
    func transientErrorsAreRetried(code: String) async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.environment()
        try await refuse(code, times: 3, in: store)
        #expect(try await store.increment("a", in: environment) == 1)
        #expect(try await refusals(in: store) == "4")
        #expect(try await store.page(in: environment).lastSequence == 1, "it was done once")
        try await server.dropTables()
    }

    @Test(arguments: [
        ("40001", StoreError.busy), ("53100", .outOfSpace), ("55P03", .busy), ("25P03", .busy),
        ("XX001", .unreadable("the database is damaged: in the way", remedy: .backup)),
        ("42501", .unreadable("in the way", remedy: .databasePermission)),
        ("23514", .failed("in the way (23514)")),
    ])
    func persistentErrorsAreReported(code: String, error: StoreError) async throws {
        let server = try TestServer()
        // A vacuum of the table gives way to a trigger after a second.
        let patient = try await server.open()
        let store = try await server.open(patienceSeconds: 1)
        let environment = try await store.environment()
        try await refuse(code, times: 1_000_000, in: patient)
        await #expect(throws: error) { try await store.increment("a", in: environment) }
        try await patient.carryOut("DROP TRIGGER refusing ON records")
        #expect(try await store.increment("a", in: environment) == 1, "nothing was left of it")
        try await server.dropTables()
    }

    /// Each transaction holds what the other waits for. The server aborts the one that detects the
    /// deadlock, and it is repeated.
    @Test func deadlockIsRetried() async throws {
        let server = try TestServer()
        let (store, other) = (try await server.open(), try await server.open())
        let environment = try await store.environment()
        let gate = Gate()
        let attempts = Atomic(0)
        let version = Statement(
            "SELECT 1 FROM versions WHERE environment = $1 FOR UPDATE",
            [.integer(environment.number)])
        async let first: Int = other.write { transaction in
            // The other one detects the deadlock.
            _ = try transaction.rows("SET LOCAL deadlock_timeout TO '60s'")
            let count = try transaction.rows(of: [version])[0].count
            gate.pass()
            try lock(environment, transaction)
            return count
        }
        await gate.isReached()
        async let second: Int = store.write { transaction in
            let isFirst = attempts.add(1, ordering: .relaxed).oldValue == 0
            try lock(environment, transaction)
            gate.open()
            // The server checks for a deadlock once, a second after the wait began.
            while isFirst, try !isWaitedFor(transaction) {}
            return try transaction.rows(of: [version])[0].count
        }
        #expect(try await [first, second] == [1, 1])
        #expect(attempts.load(ordering: .relaxed) == 2)
    }
}

private func isWaitedFor(_ transaction: PGTransaction) throws -> Bool {
    try transaction.rows(
        """
        SELECT 1 FROM pg_locks
        WHERE NOT granted AND transactionid = pg_current_xact_id()::xid
        """
    ).count > 0
}
