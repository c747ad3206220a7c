import Testing

@testable import SyncServer

@Suite("Users share the turns of expensive requests", .timeLimit(.minutes(2)))
struct WorkQueueTests {
    private let queue = WorkQueue(turns: 4, maxWaiting: 3)

    private func user(_ login: String) -> UserKey { UserKey(environment: "test", login: login) }

    /// Waits until one more is waiting.
    private func waiting(_ login: String) async -> Task<Void, any Error> {
        let count = queue.waitingCount
        let task = Task { [queue] in try await queue.enter(user(login)) }
        while queue.waitingCount == count { await Task.yield() }
        return task
    }

    @Test func userHasHalfOfThem() async throws {
        for _ in 0..<2 { try await queue.enter(user("a")) }
        let third = await waiting("a")
        for login in ["b", "c"] { try await queue.enter(user(login)) }
        #expect(queue.waitingCount == 1)
        queue.leave(user("b"))
        #expect(queue.waitingCount == 1)
        queue.leave(user("a"))
        try await third.value
    }

    /// Each has the turns of half, and the one whose requests came last is not the last.
    @Test func usersTakeTurns() async throws {
        for login in ["x", "y", "x", "y"] { try await queue.enter(user(login)) }
        let (first, second) = (await waiting("a"), await waiting("a"))
        let other = await waiting("b")
        queue.leave(user("x"))
        try await first.value
        queue.leave(user("x"))
        try await other.value
        #expect(queue.waitingCount == 1)
        queue.leave(user("b"))
        try await second.value
    }

    @Test func floodRefusesOnlyItself() async throws {
        for _ in 0..<2 { try await queue.enter(user("a")) }
        var flood: [Task<Void, any Error>] = []
        for _ in 1...3 { flood.append(await waiting("a")) }
        await #expect { try await queue.enter(user("a")) } throws: {
            ($0 as? HTTPFailure)?.code == "tooMuchWork"
        }
        for _ in 0..<2 { try await queue.enter(user("b")) }
        let other = Task { [queue] in try await queue.enter(user("c")) }
        await #expect(throws: HTTPFailure.self) { try await flood[2].value }
        queue.leave(user("b"))
        try await other.value
    }

    @Test func cancelledOneLeavesQueue() async throws {
        for _ in 0..<2 { try await queue.enter(user("a")) }
        let next = await waiting("a")
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        #expect(queue.waitingCount == 0)
    }

    @Test func whatWaitsIsRefusedWhenServerStops() async throws {
        for _ in 0..<2 { try await queue.enter(user("a")) }
        let next = await waiting("a")
        queue.stop()
        await #expect { try await next.value } throws: { ($0 as? HTTPFailure)?.code == "stopping" }
        await #expect(throws: HTTPFailure.self) { try await queue.enter(user("a")) }
        try await queue.enter(user("b"))
    }
}
