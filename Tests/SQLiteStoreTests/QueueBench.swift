import GRDB
import SyncEngine
import Synchronization
import TestKit

@testable import SQLiteStore

/// A database whose writer can be blocked until a number of calls is queued.
struct QueueBench: Sendable {
    let test: TestDatabase
    let environment: EnvironmentID
    /// Counts from the creation of the bench.
    let transactions = CountedTransactions()
    private let gate = Gate()

    var database: SQLiteDatabase { test.database }

    init(callsPerTransaction calls: Int = 64, milliseconds: Int64 = 60_000) async throws {
        var limits = CommitLimits()
        limits.calls = calls
        limits.milliseconds = milliseconds
        test = try TestDatabase(commits: limits)
        environment = try await test.environment()
        test.database.pool.add(transactionObserver: transactions, extent: .databaseLifetime)
    }

    /// Blocks the writer until `letGo`, or the end of `body`.
    func holdingUp(_ body: () async throws -> Void) async throws {
        let gate = gate
        database.pool.asyncWriteWithoutTransaction { _ in gate.pass() }
        defer { letGo() }
        try await body()
    }

    /// Blocks the writer in the transaction of a first call, which begins before `body` and lasts
    /// until `letGo`, or the end of `body`.
    func holdingUpFirst(_ body: () async throws -> Void) async throws {
        let gate = gate
        async let first = database.increment("first", in: environment) { gate.pass() }
        await gate.isReached()
        do {
            defer { letGo() }
            try await body()
        }
        _ = try await first
    }

    func letGo() {
        gate.open()
    }

    func wait(forCalls count: Int) async throws {
        while database.commits.waitingCalls < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Queues the calls together, then unblocks the writer. Returns the error of each call, or nil.
    func together(
        _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> [StoreError?] {
        var errors: [StoreError?] = []
        try await holdingUp { errors = try await queue(count, call) { letGo() } }
        return errors
    }

    /// Calls `next` when all the calls are queued. Returns the error of each call, or nil.
    func queue(
        _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Void,
        then next: () async -> Void
    ) async throws -> [StoreError?] {
        try await withThrowingTaskGroup(of: (Int, StoreError?).self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await call(number)
                        return (number, nil)
                    } catch let error as StoreError {
                        return (number, error)
                    }
                }
            }
            try await wait(forCalls: count)
            await next()
            var errors: [StoreError?] = Array(repeating: nil, count: count)
            for try await (number, error) in group { errors[number] = error }
            return errors
        }
    }
}

// MARK: - Calls

extension QueueBench {
    func create(_ guid: String) async throws(StoreError) {
        try await database.write(WriteSet(records: [.test(guid)]), in: environment)
    }

    /// The decision throws.
    func createButRefuse(_ guid: String) async throws(StoreError) {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        try await database.commit(need) { _ in
            []
        } deciding: { _ throws(StoreError) -> (WriteSet, Void) in
            throw .unreadable("refused")
        }
    }

    /// The record is written; then its conflicts fail, because they have the same key.
    func createHalf(_ guid: String) async throws(StoreError) {
        var writes = WriteSet(records: [.test(guid)])
        let conflict = StoredConflict(guid: guid, revision: 1, text: "{}")
        writes.openedConflicts = [conflict, conflict]
        try await database.write(writes, in: environment)
    }
}

/// Counts transactions with SQLite's own hooks.
final class CountedTransactions: TransactionObserver, Sendable {
    private struct State {
        var committed = 0
        var rolledBack = 0
        var failures: [Int: DatabaseError] = [:]
    }

    private let state = Mutex(State())

    var committed: Int { state.withLock { $0.committed } }
    var rolledBack: Int { state.withLock { $0.rolledBack } }

    /// Lets a commit fail. The next one is number 1.
    func fail(commit number: Int, with error: DatabaseError) {
        state.withLock { $0.failures[$0.committed + number] = error }
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseWillCommit() throws {
        let failure = state.withLock { $0.failures.removeValue(forKey: $0.committed + 1) }
        if let failure { throw failure }
    }

    func databaseDidCommit(_ db: Database) {
        state.withLock { $0.committed += 1 }
    }

    func databaseDidRollback(_ db: Database) {
        state.withLock { $0.rolledBack += 1 }
    }
}
