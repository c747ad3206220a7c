import Administration
import Notifications
import PostgresKit
import SyncEngine
import TestKit
import Testing

@testable import PostgresStore

@Suite("Many processes work on one database", .timeLimit(.minutes(20)))
struct ManyProcessesTests {
    /// Cursor gap: A has its sequence and stalls, B in another process waits to commit, a client
    /// pulls from both, A commits, the client pulls again: it gets both, in order.
    @Test func cursorDoesNotPassChangeThatIsNotCommitted() async throws {
        let server = try TestServer()
        let (one, two) = (try await server.open(), try await server.open())
        let environment = try await one.environment()
        let gate = Gate()
        async let a = one.increment("a", in: environment) { gate.pass() }
        await gate.isReached()
        async let b = two.increment("b", in: environment)
        try await two.isWaitedForALock()
        for store in [one, two] {
            let page = try await store.page(in: environment)
            #expect(page.records.isEmpty && page.lastSequence == 0)
        }
        gate.open()
        #expect(try await [a, b] == [1, 1])
        for store in [one, two] {
            #expect(try await store.page(in: environment).records.map(\.guid) == ["a", "b"])
        }
    }

    /// N writers × M increments, alternating between the processes.
    @Test func noUpdateIsLost() async throws {
        let server = try TestServer()
        var stores: [PostgresDatabase] = []
        for _ in 0..<4 { stores.append(try await server.open()) }
        let environment = try await stores[0].environment()
        let all = stores
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for turn in 0..<10 {
                        _ = try await all[(writer + turn) % 4].increment("g", in: environment)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].page(in: environment).records.map(\.revision) == [80])
        #expect(try await stores[0].page(in: environment).lastSequence == 80)
    }

    /// Otherwise a transaction would carry only the calls that had come before it began to wait. It
    /// waits for longer than 200 ms, after which it would begin no further call if waiting counted.
    @Test func callsThatComeDuringWaitShareTransaction() async throws {
        let server = try TestServer()
        let one = try await server.open(commitMilliseconds: 200)
        let two = try await server.open()
        let environment = try await one.environment()
        // So that the next transaction expects to wait.
        for store in [one, two, one] { _ = try await store.increment("g", in: environment) }
        let gate = Gate()
        async let other = two.increment("other", in: environment) { gate.pass() }
        await gate.isReached()
        async let a = one.increment("a", in: environment)
        try await two.isWaitedForALock()
        let endOfWait = ContinuousClock.now + .milliseconds(210)
        async let b = one.increment("b", in: environment)
        while one.commits.waitingCalls < 1 || .now < endOfWait { await Task.yield() }
        gate.open()
        #expect(try await [other, a, b] == [1, 1, 1])
        let transactions = try await one.text(
            "SELECT count(DISTINCT xmin::text)::text FROM records WHERE guid IN ('a', 'b')")
        #expect(transactions == "1")
    }

    /// Each transaction takes 6 ms to get the lock.
    @Test(arguments: gatherings)
    func callsGatherWhileOthersWrite(gathering: Gathering) {
        let (others, environment) = (OtherWriters(), EnvironmentID(number: 1))
        for sequences in gathering.transactions {
            others.note(
                found: sequences.lowerBound, left: sequences.upperBound, after: .milliseconds(6),
                in: environment)
        }
        #expect(others.gatheringTime(in: environment) == .milliseconds(gathering.milliseconds))
        #expect(others.gatheringTime(in: EnvironmentID(number: 2)) == .zero)
    }

    @Test func callsGatherForFourMillisecondsAtMost() {
        let (others, environment) = (OtherWriters(), EnvironmentID(number: 1))
        for sequence in [Int64(0), 2] {
            others.note(found: sequence, left: sequence, after: .seconds(1), in: environment)
        }
        #expect(others.gatheringTime(in: environment) == .milliseconds(4))
    }

    /// The statement that waits for the lock began before the other version was there.
    @Test func commitsThatWaitForDeploymentsSeeThem() async throws {
        let server = try TestServer()
        let (one, two) = (try await server.open(), try await server.open())
        let environment = try await one.environment()
        let gate = Gate()
        async let deployed = two.deploy(to: "test") { _ in
            gate.pass()
            return .success(.test("two"))
        }
        await gate.isReached()
        async let facts = one.facts(in: environment)
        try await two.isWaitedForALock()
        gate.open()
        _ = try await deployed.get()
        #expect(try await facts.fingerprint == "two")
    }

    @Test func waitingForLockEnds() async throws {
        let server = try TestServer()
        let (one, two) = (try await server.open(), try await server.open(patienceSeconds: 1))
        let environment = try await one.environment()
        let gate = Gate()
        async let a = one.increment("a", in: environment) { gate.pass() }
        await gate.isReached()
        await #expect(throws: StoreError.busy) { try await two.increment("b", in: environment) }
        gate.open()
        #expect(try await a == 1)
        #expect(try await two.increment("b", in: environment) == 1)
    }

    /// All processes create the tables and one environment at the same time.
    @Test func tablesAreMadeOnce() async throws {
        let server = try TestServer()
        try await server.dropTables()
        let environments = try await withThrowingTaskGroup(of: EnvironmentID.self) { group in
            for _ in 0..<6 {
                group.addTask { try await server.open().environment() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(environments.count == 1)
    }

    @Test func newsOfDesignersReachOtherProcesses() async throws {
        let server = try TestServer()
        let store = try await server.open()
        let (all, hearing) = AsyncStream<DesignerNews>.makeStream()
        let (connections, connection) = AsyncStream<Void>.makeStream()
        let listener = PostgresListener(address: try PostgresAddress(server.database.address))
        let listening = Task {
            await listener.run {
                connection.yield()
            } hearing: { news in
                hearing.yield(news)
            } failing: { error in
                Issue.record("\(error)")
            }
        }
        defer { listening.cancel() }
        for await _ in connections { break }
        let news = DesignerNews(process: "1", draft: "notes", names: ["ann", "o'ben \"b\""])
        try await store.tell(news)
        for await heard in all {
            #expect(heard == news)
            break
        }
    }

    @Test func announcementsReachOtherProcesses() async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.environment()
        let (announcements, announcement) = AsyncStream<Void>.makeStream()
        let listener = PostgresListener(address: try PostgresAddress(server.database.address))
        let listening = Task {
            await listener.run {
                announcement.yield()
            } hearing: { _ in
            } failing: { error in
                Issue.record("\(error)")
            }
        }
        defer { listening.cancel() }
        var heard = announcements.makeAsyncIterator()
        // The announcement of the connection itself.
        await heard.next()
        _ = try await store.add(
            NewNotification(
                id: "n", sender: "a", at: Instant(milliseconds: 1), audience: .everyone,
                body: "{}"), in: environment, windowSeconds: 60,
            keeping: StoredAmount(rows: 9, bytes: 99)
        ) { _ in 0 }
        await heard.next()
    }
}

extension PostgresDatabase {
    /// Waits until a transaction waits for the lock of another.
    fileprivate func isWaitedForALock() async throws {
        let waiting = """
            SELECT count(*)::text FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """
        while try await text(waiting) == "0" { await Task.yield() }
    }
}

extension TestServer {
    func dropTables() async throws {
        let store = try await open()
        try await store.carryOut("DROP SCHEMA waggle CASCADE")
        store.close()
    }
}

/// The time in which calls gather before a transaction.
struct Gathering: Sendable {
    /// Those before it: the sequence that each finds, and the one that it leaves.
    let transactions: [ClosedRange<Int64>]
    let milliseconds: Int
}

private let gatherings = [
    Gathering(transactions: [0...3], milliseconds: 0),
    Gathering(transactions: [0...3, 3...4], milliseconds: 0),
    Gathering(transactions: [0...3, 5...6], milliseconds: 3),
    Gathering(transactions: [0...3, 5...6, 6...9], milliseconds: 0),
    Gathering(transactions: [0...3, 5...6, 6...9, 10...11], milliseconds: 3),
]
