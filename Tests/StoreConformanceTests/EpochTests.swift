import EnvironmentCopy
import SyncEngine
import TestKit
import Testing

@testable import SyncEngine

@Suite("A database knows its epochs") struct EpochTests {
    private func chain(_ bench: StoreBench) async throws -> EpochChain {
        try #require(try await bench.store.environment(named: "test")).epochs
    }

    @Test(arguments: databases) func epochEndsWhereTheNextBegins(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let database = try #require(bench.database).rows
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("other")
        try await bench.store.write(WriteSet(records: [.test("a")]), in: environment)
        try await database.beginEpoch(7, in: environment)
        try await bench.store.write(
            WriteSet(records: [.test("b"), .test("c")]), in: environment)
        try await database.beginEpoch(5, in: environment)
        let chain = try await chain(bench)
        #expect(chain.current == 5)
        let known: [(epoch: Int64, last: Int64)] = [(0, 1), (7, 3)]
        for (epoch, last) in known {
            #expect(chain.contains(last, knownIn: epoch), "\(epoch)")
            #expect(!chain.contains(last + 1, knownIn: epoch), "\(epoch)")
        }
        #expect(chain.contains(99, knownIn: 5))
        #expect(!chain.contains(0, knownIn: 6), "one of a lost future")
        let untouched = try await bench.store.environment(named: "other")
        #expect(untouched?.id == other && untouched?.epochs == EpochChain())
    }

    /// A process may serve sessions from a cache.
    @Test(arguments: databases) func sessionTellsTheEpoch(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        for epoch: Int64 in [3, 4] {
            try await #require(bench.bench.database).rows.beginEpoch(epoch, in: bench.one)
            let found = try await bench.store.session(
                tokenHash: [1], in: bench.one, at: Instant(milliseconds: 1))
            #expect(found?.epoch == epoch)
        }
    }

    @Test(arguments: CopyWay.all) func copyBeginsAnEpoch(_ way: CopyWay) async throws {
        let (source, target) = (try await way.from.open(), try await way.to.open())
        let environment = try await source.store.environment()
        try await source.store.write(WriteSet(records: [.test("a")]), in: environment)
        try await #require(source.database).rows.beginEpoch(7, in: environment)
        var request = CopyRequest(environment: "test", name: "test")
        request.epoch = 8
        _ = try await copy(request, from: source, to: target)
        try await source.store.write(WriteSet(records: [.test("b")]), in: environment)
        #expect(try await chain(source).current == 7)
        let copied = try await chain(target)
        #expect(copied.current == 8 && copied.contains(1, knownIn: 7))
        #expect(!copied.contains(2, knownIn: 7), "a change that came after the copy")
    }
}
