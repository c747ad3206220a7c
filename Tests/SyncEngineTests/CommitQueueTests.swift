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
        _ guid: String, in environment: EnvironmentID, on store: any CommitStore
    ) async -> StoreError? {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        do throws(StoreError) {
            _ = try await commit(need, reading: nil, on: store) { _ in
                []
            } deciding: { _ in
                (WriteSet(records: [.test(guid)]), true)
            }
            return nil
        } catch {
            return error
        }
    }
}
