import DefinitionModel
import MemoryStore
import Synchronization
import TestKit
import Testing

@testable import SyncEngine

@Suite("The queue of commits", .timeLimit(.minutes(5)))
struct CommitQueueTests {
    /// The failed transaction had taken the first call only.
    @Test(arguments: [StoreError.busy, .unavailable("cut"), .outOfSpace])
    func callThatComesDuringFailureIsCarriedOut(_ error: StoreError) async throws {
        let memory = MemoryDatabase()
        let environment = try await memory.environment()
        let store = FailingStore(memory, failingOnceWith: error)
        let queue = memory.commits
        async let first = queue.write("first", in: environment, on: store)
        await store.isDecided()
        async let second = queue.write("second", in: environment, on: store)
        while queue.waitingCalls < 1 { await Task.yield() }
        store.fail()
        #expect(await first == error)
        #expect(await second == nil)
        #expect(try await memory.page(in: environment).records.map(\.guid) == ["second"])
    }

    /// A call is large by the record that it reads, or by what it brings along.
    @Test(
        arguments: [
            (bytes: 10, brought: 0, calls: [1, 1, 1]), (bytes: 100, brought: 0, calls: [1, 2]),
            (bytes: 100, brought: 20 << 10, calls: [1, 1, 1]),
        ])
    func largeCallHasTransactionOfItsOwn(bytes: Int, brought: Int, calls: [Int]) async throws {
        let memory = MemoryDatabase()
        let environment = try await memory.environment()
        var limits = CommitLimits()
        (limits.recordBytes, limits.reads) = (bytes, 20)
        let queue = CommitQueue(limits: limits)
        let large = String(repeating: "x", count: 50)
        #expect(await queue.write("large", large, in: environment, on: memory) == nil)
        let store = CountingStore(memory)
        async let first = queue.write("first", in: environment, on: store)
        await store.hasBegun()
        async let small = queue.write("small", in: environment, on: store)
        while queue.waitingCalls < 1 { await Task.yield() }
        async let again = queue.write(
            "large", large, bringing: brought, in: environment, on: store)
        while queue.waitingCalls < 2 { await Task.yield() }
        store.goOn()
        #expect(await [first, small, again] == [nil, nil, nil])
        #expect(store.calls == calls)
    }
}

/// A store that counts the calls of each transaction. The first one waits until it is told to go
/// on.
private final class CountingStore: CommitStore {
    private let store: MemoryDatabase
    private let counts = Mutex<[Int]>([])
    private let (begins, begin) = AsyncStream<Void>.makeStream()
    private let (goes, go) = AsyncStream<Void>.makeStream()

    init(_ store: MemoryDatabase) { self.store = store }

    var calls: [Int] { counts.withLock { $0 } }

    func hasBegun() async {
        for await _ in begins { return }
    }

    func goOn() { go.yield() }

    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        let committed = try store.commit(in: environment, deciding: deciding)
        let isFirst = counts.withLock { counts in
            counts.append(committed.calls.answers.count)
            return counts.count == 1
        }
        if isFirst {
            begin.yield()
            for await _ in goes { break }
        }
        return committed
    }
}

/// A store whose first transaction fails after its calls were decided.
private final class FailingStore: CommitStore {
    private let store: MemoryDatabase
    private let error: StoreError
    private let isFirst = Atomic(true)
    private let (decisions, decision) = AsyncStream<Void>.makeStream()
    private let (failures, failure) = AsyncStream<Void>.makeStream()

    init(_ store: MemoryDatabase, failingOnceWith error: StoreError) {
        self.store = store
        self.error = error
    }

    func isDecided() async {
        for await _ in decisions { return }
    }

    func fail() { failure.yield() }

    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        guard isFirst.exchange(false, ordering: .relaxed) else {
            return try store.commit(in: environment, deciding: deciding)
        }
        _ = try store.commit(in: environment) { transaction in
            _ = try deciding(transaction)
            return DecidedCalls()
        }
        decision.yield()
        for await _ in failures { break }
        throw error
    }
}

extension CommitQueue {
    /// Writes a record. Returns the error, if any.
    fileprivate func write(
        _ guid: String, _ text: String = "", bringing bytes: Int = 0,
        in environment: EnvironmentID, on store: any CommitStore
    ) async -> StoreError? {
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        need.changeBytes = bytes
        do throws(StoreError) {
            _ = try await commit(need, reading: nil, on: store) { _ in
                []
            } deciding: { _ in
                var record = StoredRecord.test(guid)
                record.fieldsText = #"{"title":"\#(text)"}"#
                return (WriteSet(records: [record]), true)
            }
            return nil
        } catch {
            return error
        }
    }
}
