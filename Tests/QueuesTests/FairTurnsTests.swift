import Queues
import Testing

@Suite(.timeLimit(.minutes(2))) struct FairTurnsTests {
    private let turns = FairTurns(turns: 4, maxWaiting: 3)
    /// With one turn, which a group may have, and two queues.
    private let one = FairTurns(turns: 1, maxWaiting: 3, queues: 2)

    private func user(_ group: String, _ member: String = "") -> WaitOrigin {
        WaitOrigin(group: group, member: member)
    }

    /// Waits until one more is waiting.
    private func waiting(
        _ origin: WaitOrigin, for turns: FairTurns, in queue: Int = 0
    ) async -> Task<Void, any Error> {
        let count = turns.waitingCount
        let task = Task { try await turns.enter(origin, in: queue) }
        while turns.waitingCount == count { await Task.yield() }
        return task
    }

    @Test func groupHasHalfOfThem() async throws {
        for _ in 0..<2 { try await turns.enter(user("a")) }
        #expect(!turns.enterIfFree(user("a")))
        let third = await waiting(user("a"), for: turns)
        try await turns.enter(user("b"))
        #expect(turns.enterIfFree(user("c")))
        turns.leave(user("b"))
        #expect(turns.waitingCount == 1)
        turns.leave(user("a"))
        try await third.value
    }

    /// The group whose work came last is not the last.
    @Test func groupsTakeTurns() async throws {
        for group in ["x", "y", "x", "y"] { try await turns.enter(user(group)) }
        let first = await waiting(user("a"), for: turns)
        let second = await waiting(user("a"), for: turns)
        let other = await waiting(user("b"), for: turns)
        turns.leave(user("x"))
        try await first.value
        turns.leave(user("x"))
        try await other.value
        #expect(turns.waitingCount == 1)
        turns.leave(user("b"))
        try await second.value
    }

    @Test func queuesTakeTurns() async throws {
        try await one.enter(user("a"))
        let (entries, entered) = AsyncStream.makeStream(of: String.self)
        var tasks: [Task<Void, any Error>] = []
        for (group, queue) in [("1", 1), ("2", 1), ("3", 1), ("b", 0), ("c", 0)] {
            let task = await waiting(user(group), for: one, in: queue)
            tasks.append(
                Task { [one] in
                    try await task.value
                    entered.yield(group)
                    one.leave(user(group))
                })
        }
        one.leave(user("a"))
        for task in tasks { try await task.value }
        entered.finish()
        #expect(await entries.reduce(into: []) { $0.append($1) } == ["1", "b", "2", "c", "3"])
    }

    @Test func floodRefusesOnlyItself() async throws {
        try await one.enter(user("a"))
        var flood: [Task<Void, any Error>] = []
        for number in 1...3 { flood.append(await waiting(user("1", "\(number)"), for: one)) }
        await #expect(throws: FairTurns.Refusal.full) { try await one.enter(user("1", "4")) }
        let other = Task { [one] in try await one.enter(user("2")) }
        await #expect(throws: FairTurns.Refusal.full) { try await flood[2].value }
        one.leave(user("a"))
        try await flood[0].value
        one.leave(user("1"))
        try await other.value
        one.leave(user("2"))
        try await flood[1].value
    }

    @Test func cancelledOneLeavesQueue() async throws {
        try await one.enter(user("a"))
        let next = await waiting(user("b"), for: one, in: 1)
        next.cancel()
        await #expect(throws: FairTurns.Refusal.cancelled) { try await next.value }
        #expect(one.waitingCount == 0)
        one.leave(user("a"))
        try await one.enter(user("c"))
    }

    @Test func whatWaitsIsRefusedWhenTheyStop() async throws {
        try await one.enter(user("a"))
        let waiting = [
            await waiting(user("b"), for: one), await waiting(user("c"), for: one, in: 1),
        ]
        one.stop()
        for task in waiting {
            await #expect(throws: FairTurns.Refusal.stopping) { try await task.value }
        }
        await #expect(throws: FairTurns.Refusal.stopping) { try await one.enter(user("d")) }
        one.leave(user("a"))
        // A turn that is free needs no waiting.
        try await one.enter(user("d"))
    }
}
