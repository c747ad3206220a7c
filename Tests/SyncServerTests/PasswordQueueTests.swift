import Testing

@testable import SyncServer

@Suite struct PasswordQueueTests {
    private let queue = PasswordQueue(turns: 1, maxWaiting: 3)

    /// Waits until one more is waiting.
    private func waiting(_ applicant: PasswordQueue.Applicant) async -> Task<Void, any Error> {
        let count = queue.waitingCount
        let task = Task { [queue] in try await queue.enter(applicant) }
        while queue.waitingCount == count { await Task.yield() }
        return task
    }

    @Test func cancelledOneLeavesQueue() async throws {
        try await queue.enter(.user("a"))
        let next = await waiting(.user("b"))
        next.cancel()
        await #expect(throws: CancellationError.self) { try await next.value }
        #expect(queue.waitingCount == 0)
        queue.leave()
        try await queue.enter(.user("c"))
    }

    @Test func knownUsersHaveEverySecondTurn() async throws {
        try await queue.enter(.user("a"))
        let (entries, entered) = AsyncStream.makeStream(of: String.self)
        var tasks: [Task<Void, any Error>] = []
        let applicants: [(String, PasswordQueue.Applicant)] = [
            ("1", .address("1", user: "x")), ("2", .address("2", user: "x")),
            ("3", .address("3", user: "x")), ("b", .user("b")), ("c", .user("c")),
        ]
        for (name, applicant) in applicants {
            let task = await waiting(applicant)
            tasks.append(
                Task { [queue] in
                    try await task.value
                    entered.yield(name)
                    queue.leave()
                })
        }
        queue.leave()
        for task in tasks { try await task.value }
        entered.finish()
        var order: [String] = []
        for await name in entries { order.append(name) }
        #expect(order == ["1", "b", "2", "c", "3"])
    }

    @Test func stoppingQueueRefusesThoseThatWait() async throws {
        try await queue.enter(.user("a"))
        let waiting = [await waiting(.user("b")), await waiting(.address("1", user: "x"))]
        queue.stop()
        for task in waiting {
            let failure = await #expect(throws: HTTPFailure.self) { try await task.value }
            #expect(failure?.code == "stopping")
        }
        await #expect(throws: HTTPFailure.self) { try await queue.enter(.user("c")) }
        queue.leave()
        // A turn that is free needs no waiting.
        try await queue.enter(.user("c"))
    }

    @Test func floodRefusesOnlyItself() async throws {
        try await queue.enter(.user("a"))
        var flood: [Task<Void, any Error>] = []
        for number in 1...3 {
            flood.append(await waiting(.address("1", user: "\(number)")))
        }
        await #expect(throws: HTTPFailure.self) {
            try await queue.enter(.address("1", user: "4"))
        }
        let other = Task { [queue] in try await queue.enter(.address("2", user: "x")) }
        await #expect(throws: HTTPFailure.self) { try await flood[2].value }
        for task in [flood[0], other, flood[1]] {
            queue.leave()
            try await task.value
        }
    }
}
