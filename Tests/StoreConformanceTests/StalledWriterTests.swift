import SyncEngine
import TestKit
import Testing

@Suite("A stalled transaction blocks and spoils nothing", .timeLimit(.minutes(20)))
struct StalledWriterTests {
    /// Writer A stalls before its commit, B waits or commits, a client pulls, A commits, the client
    /// pulls again: it must get A's record.
    @Test(arguments: stores)
    func cursorDoesNotPassChangeThatIsNotCommitted(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet(records: [.test("before")]), in: environment)
        let stall = Gate()
        async let a = increment("a", stallingAt: stall, in: environment, of: bench)
        await stall.isReached()
        let start = Gate(isOpen: true)
        async let b = increment("b", starting: start, in: environment, of: bench)
        defer { stall.open() }
        await start.isReached()

        var client = Follower()
        try await client.pull(100, from: bench.store, environment)
        #expect(client.seen == ["before"] || client.seen == ["before", "b"])
        stall.open()
        #expect(try await [a, b] == [1, 1])
        try await client.pull(from: bench.store, environment)
        #expect(client.seen.sorted() == ["a", "b", "before"])
    }

    /// If B could change the record meanwhile, A's decision would be based on outdated facts.
    @Test(arguments: stores)
    func factsOfDecisionHoldWhenItIsWritten(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let stall = Gate()
        async let a = increment("g", stallingAt: stall, in: environment, of: bench)
        await stall.isReached()
        let start = Gate(isOpen: true)
        async let b = increment("g", starting: start, in: environment, of: bench)
        defer { stall.open() }
        await start.isReached()

        var client = Follower()
        try await client.pull(100, from: bench.store, environment)
        stall.open()
        #expect(try await [a, b].sorted() == [1, 2])
        #expect(try await bench.store.page(in: environment).records.map(\.revision) == [2])
    }

    /// Increments a record's revision, and returns the new one.
    private func increment(
        _ guid: String, starting start: Gate? = nil, stallingAt stall: Gate? = nil,
        in environment: EnvironmentID, of bench: StoreBench
    ) async throws -> Int64 {
        let need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        return try await withTaskExecutorPreference(OwnThread()) {
            start?.pass()
            return try await bench.store.commit(need) { _ in
                []
            } deciding: { facts throws(StoreError) in
                stall?.pass()
                let revision = (facts.records[guid]?.revision ?? 0) + 1
                return (WriteSet(records: [.test(guid, revision: revision)]), revision)
            }
        }
    }
}

private struct Follower {
    private var cursor: Int64 = 0
    private(set) var seen: [String] = []

    /// Pulls several times, so that others have time to proceed.
    mutating func pull(
        _ times: Int = 1, from store: any Store, _ environment: EnvironmentID
    ) async throws {
        for _ in 0..<times {
            let page = try await store.page(in: environment, after: cursor)
            seen += page.records.map(\.guid)
            cursor = page.lastSequence
            await Task.yield()
        }
    }
}
