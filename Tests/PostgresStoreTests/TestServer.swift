import PostgresKit
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

/// A database on a real server. It goes with the process: a store does not keep it.
struct TestServer {
    let database: PostgresTestDatabase

    private static let all = Mutex<[PostgresTestDatabase]>([])

    init() throws {
        let made = try PostgresCluster.shared().makeDatabase()
        database = made
        Self.all.withLock { $0.append(made) }
    }

    /// One of the processes that work on it.
    func open(
        by address: String? = nil, connections: Int = 10, patienceSeconds: Int = 30,
        commitMilliseconds: Int64 = 50
    ) async throws -> PostgresDatabase {
        var limits = PostgresLimits()
        limits.connections = connections
        limits.patienceSeconds = patienceSeconds
        limits.commits.milliseconds = commitMilliseconds
        return try await PostgresDatabase(
            address: PostgresAddress(address ?? database.address), creating: true,
            limits: limits)
    }

    /// The address through a socket of one's own.
    func address(through folder: String) -> String {
        "postgres:///\(database.name)?host=\(folder)&user=waggle"
    }
}

extension PostgresDatabase {
    /// What is there, for a look past the store.
    func text(_ statement: String) async throws -> String? {
        try await ask { try $0.rows(statement).map { try $0.text() }.first }
    }

    func carryOut(_ statement: String) async throws {
        _ = try await ask { try $0.rows(statement).count }
    }

    /// Makes a record's next revision, and says which one it is.
    func increment(
        _ guid: String, in environment: EnvironmentID,
        meanwhile: @escaping @Sendable () -> Void = {}
    ) async throws -> Int64 {
        let need = Need(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        return try await commit(need) { _ in
            []
        } deciding: { facts throws(StoreError) in
            meanwhile()
            let revision = (facts.records[guid]?.revision ?? 0) + 1
            var writes = Writes(records: [.test(guid, revision: revision)])
            writes.history = [.test(guid, revision: revision, kind: .updated)]
            return (writes, revision)
        }
    }
}
