import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

@Suite("A server that has started anew may have lost commits", .timeLimit(.minutes(20)))
struct EpochTests {
    private func epoch(in store: PostgresDatabase) async throws -> Int64 {
        try #require(try await store.environment(named: "test")).epochs.current
    }

    @Test func epochBeginsBeforeAnythingElse() async throws {
        let store = try await TestServer().open(connections: 2)
        let environment = try await store.environment()
        let first = try await epoch(in: store)
        store.forgetConnections()
        #expect(try await epoch(in: store) == first, "it is the same server")
        _ = try await store.increment("g", in: environment)
        store.pool.serverStart.withLock { $0 = "earlier" }
        store.forgetConnections()
        let second = try await epoch(in: store)
        #expect(second != first)
        store.forgetConnections()
        #expect(try await epoch(in: store) == second)
        #expect(
            try await store.text(
                "SELECT string_agg(epoch || ' ' || sequence, ', ') FROM epochs") == "\(first) 1")
    }
}
