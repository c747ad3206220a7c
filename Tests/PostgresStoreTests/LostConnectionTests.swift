import PostgresKit
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

@Suite("A lost connection loses no data", .timeLimit(.minutes(20)))
struct LostConnectionTests {
    /// The store queries whether it was committed: it is applied once, whichever message was lost.
    @Test(arguments: CuttingSocket.Cut.allCases)
    func connectionLostDuringCommitReportsItsResult(_ cut: CuttingSocket.Cut) async throws {
        let server = try TestServer()
        let socket = try CuttingSocket(before: server.database.folder, cutting: cut)
        defer { socket.close() }
        let store = try await server.open(by: server.address(through: socket.folder))
        let environment = try await store.environment()
        store.forgetConnections()
        socket.arm()
        let decisions = Atomic(0)
        let revision = try await store.increment("g", in: environment) {
            decisions.add(1, ordering: .relaxed)
        }
        #expect(socket.hasCut)
        #expect(revision == 1)
        #expect(decisions.load(ordering: .relaxed) == (cut == .beforeItIsSent ? 2 : 1))
        #expect(try await store.text("SELECT count(*)::text FROM history") == "1")
    }

    /// After a restart of the server, or of a pooler that closes idle connections.
    @Test func closedIdleConnectionIsReplaced() async throws {
        let server = try TestServer()
        let (store, other) = (try await server.open(), try await server.open())
        let environment = try await store.environment()
        for _ in 0..<3 {
            try await other.carryOut(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
            #expect(try await store.page(in: environment).records.count <= 3)
            _ = try await store.increment("g", in: environment)
        }
        #expect(try await store.page(in: environment).records.map(\.revision) == [3])
    }

    /// During the decision: nothing was written, and it is decided again.
    @Test func beforeCommitItIsDoneAgain() async throws {
        let server = try TestServer()
        let (store, other) = (try await server.open(), try await server.open())
        let environment = try await store.environment()
        let attempts = Atomic(0)
        let gate = Gate()
        async let revision = store.increment("g", in: environment) {
            if attempts.add(1, ordering: .relaxed).newValue == 1 { gate.pass() }
        }
        await gate.isReached()
        try await other.carryOut(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        gate.open()
        #expect(try await revision == 1)
        #expect(attempts.load(ordering: .relaxed) == 2)
    }

    @Test func missingServerIsUnavailable() async throws {
        let server = try TestServer()
        let nowhere = server.address(through: "/nowhere")
        await #expect {
            try await server.open(by: nowhere, patienceSeconds: 1)
        } throws: { error in
            guard case .unavailable(let text)? = error as? StoreError else { return false }
            return text.contains("/nowhere")
        }
    }

    /// The wait for a connection is limited.
    @Test func callWithoutConnectionIsBusy() async throws {
        let server = try TestServer()
        let store = try await server.open(connections: 1, patienceSeconds: 1)
        let environment = try await store.environment()
        let gate = Gate()
        async let first = store.increment("g", in: environment) { gate.pass() }
        await gate.isReached()
        await #expect(throws: StoreError.busy) { try await store.page(in: environment) }
        gate.open()
        #expect(try await first == 1)
        #expect(try await store.page(in: environment).records.count == 1)
    }
}
