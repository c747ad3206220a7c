import PostgresKit
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

/// A database on a real server, which lives as long as the process.
struct TestServer {
    let database: PostgresTestDatabase

    private static let all = Mutex<[PostgresTestDatabase]>([])

    init() throws {
        let made = try PostgresCluster.shared().makeDatabase()
        database = made
        Self.all.withLock { $0.append(made) }
    }

    /// Opens the database in another simulated process.
    func open(
        by address: String? = nil, connections: Int = 10, patienceSeconds: Int = 30,
        commitMilliseconds: Int64 = 50, recordsPerWrite: Int = CommitLimits().recordsPerWrite,
        presumptionPause: Duration = .seconds(30)
    ) async throws -> PostgresDatabase {
        var limits = PostgresLimits()
        limits.connections = connections
        limits.patienceSeconds = patienceSeconds
        limits.commits.milliseconds = commitMilliseconds
        limits.commits.recordsPerWrite = recordsPerWrite
        limits.commits.presumptionPause = presumptionPause
        return try await PostgresDatabase(
            address: PostgresAddress(address ?? database.address), creating: true,
            limits: limits)
    }

    /// The address through another socket.
    func address(through folder: String) -> String {
        "postgres:///\(database.name)?host=\(folder)&user=waggle"
    }
}

extension PostgresDatabase {
    /// Reads a value directly, without the store.
    func text(_ statement: String) async throws -> String? {
        try await ask { try $0.rows(statement).map { try $0.text() }.first }
    }

    func carryOut(_ statement: String) async throws {
        _ = try await ask { try $0.rows(statement).count }
    }
}
