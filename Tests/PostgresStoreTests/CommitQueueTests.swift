import PostgresKit
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import PostgresStore

@Suite("Pushes share transactions", .timeLimit(.minutes(20)))
struct CommitQueueTests {
    /// While the first call is being written, the others queue. When the last of them is decided,
    /// none has its answer yet.
    @Test func queuedCallsAreCommittedTogether() async throws {
        let store = try await TestServer().open(commitMilliseconds: 60_000)
        let environment = try await store.environment()
        let (first, last) = (Gate(), Gate())
        let (decided, answered) = (Count(), Count())
        async let opening = store.increment("first", in: environment) { first.pass() }
        await first.isReached()
        try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let revision = try await store.increment("\(number)", in: environment) {
                        if decided.next() == 20 { last.pass() }
                    }
                    _ = answered.next()
                    return revision
                }
            }
            while store.commits.waitingCalls < 20 { await Task.yield() }
            first.open()
            await last.isReached()
            #expect(answered.value == 0)
            last.open()
            for try await revision in group { #expect(revision == 1) }
        }
        #expect(try await opening == 1)
    }

    /// Their number does not count: one exchange takes the lock and reads for all of them, one
    /// commits what they write, and one is left for reads that only some of them need.
    @Test func queuedCallsShareExchanges() async throws {
        let server = try TestServer()
        let socket = try CuttingSocket(before: server.database.folder, cutting: .beforeItIsSent)
        defer { socket.close() }
        let store = try await server.open(
            by: server.address(through: socket.folder), commitMilliseconds: 60_000)
        let environment = try await store.environment()
        // One that arrives in pieces may be counted twice.
        var fewest = Int.max
        for round in 0..<10 where fewest > 4 {
            let exchanges = try await exchanges(
                of: 32, in: environment, of: store, through: socket, round)
            fewest = min(fewest, exchanges)
        }
        // With that of the first call, if it was committed alone.
        #expect((1...4).contains(fewest), "\(fewest)")
    }

    /// Queues calls behind a first one, and returns the number of exchanges since.
    private func exchanges(
        of count: Int, in environment: EnvironmentID, of store: PostgresDatabase,
        through socket: CuttingSocket, _ round: Int
    ) async throws -> Int {
        let gate = Gate()
        async let opening = store.increment("first \(round)", in: environment) { gate.pass() }
        await gate.isReached()
        let before = socket.exchangeCount
        try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<count {
                group.addTask { try await store.increment("\(round).\(number)", in: environment) }
            }
            while store.commits.waitingCalls < count { await Task.yield() }
            gate.open()
            for try await revision in group { #expect(revision == 1) }
        }
        #expect(try await opening == 1)
        return socket.exchangeCount - before
    }

    /// The server has begun to write the second call's record when the third call is decided.
    @Test func serverWritesWhileOthersAreDecided() async throws {
        let server = try TestServer()
        let store = try await server.open(commitMilliseconds: 60_000, recordsPerWrite: 1)
        let other = try await server.open()
        let environment = try await store.environment()
        let (first, last) = (Gate(), Gate())
        async let opening = store.increment("first", in: environment) { first.pass() }
        await first.isReached()
        async let second = store.increment("second", in: environment)
        while store.commits.waitingCalls < 1 { await Task.yield() }
        async let third = store.increment("third", in: environment) { last.pass() }
        while store.commits.waitingCalls < 2 { await Task.yield() }
        first.open()
        await last.isReached()
        let writing = """
            SELECT count(*)::text FROM pg_locks JOIN pg_database ON pg_database.oid = database
            WHERE datname = current_database() AND relation = 'records'::regclass
                AND mode = 'RowExclusiveLock'
            """
        while try await other.text(writing) == "0" { await Task.yield() }
        #expect(try await other.page(in: environment).records.map(\.guid) == ["first"])
        last.open()
        #expect(try await [opening, second, third] == [1, 1, 1])
    }

    /// A failing call does not affect the others, whether the server refuses its writes with the
    /// commit or before.
    @Test(arguments: [1, 200])
    func failingCallFailsAlone(recordsPerWrite: Int) async throws {
        let store = try await TestServer().open(recordsPerWrite: recordsPerWrite)
        let environment = try await store.environment()
        let gate = Gate()
        async let first = store.increment("first", in: environment) { gate.pass() }
        await gate.isReached()
        let bad = StoredConflict(guid: "g", revision: 1, text: "{}")
        var impossible = WriteSet(records: [.test("bad")])
        impossible.openedConflicts = [bad, bad]
        let writes = impossible
        let failures = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<9 {
                group.addTask {
                    if number == 4 {
                        do throws(StoreError) {
                            try await store.write(writes, in: environment)
                            return false
                        } catch {
                            return true
                        }
                    }
                    _ = try await store.increment("\(number)", in: environment)
                    return false
                }
            }
            while store.commits.waitingCalls < 9 { await Task.yield() }
            gate.open()
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 1)
        #expect(try await first == 1)
        let guids = try await store.page(in: environment).records.map(\.guid)
        #expect(Set(guids) == Set(["first"] + (0..<9).filter { $0 != 4 }.map { "\($0)" }))
    }

    /// The task that leads the queue may be cancelled at the moment of its turn.
    @Test(arguments: [UInt64(1), 2, 3])
    func cancelledCallDelaysNoOther(seed: UInt64) async throws {
        let store = try await TestServer().open()
        let environment = try await store.environment()
        var random = SplitMix64(seed: seed)
        let tasks = (0..<200).map { number in
            Task { try await store.increment("\(number)", in: environment) }
        }
        var cancelled: Set<Int> = []
        for number in 0..<200 where random.number(in: 0..<3) == 0 {
            tasks[number].cancel()
            cancelled.insert(number)
            await Task.yield()
        }
        for (number, task) in tasks.enumerated() {
            let result = await task.result
            if !cancelled.contains(number) { #expect(try result.get() == 1) }
        }
        #expect(try await store.increment("last", in: environment) == 1)
    }
}

private final class Count: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func next() -> Int { number.add(1, ordering: .relaxed).newValue }
}
