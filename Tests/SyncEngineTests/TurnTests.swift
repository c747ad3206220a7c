import DefinitionModel
import Dispatch
import SyncEngine
import Synchronization
import Testing

@Suite("Users take turns", .timeLimit(.minutes(5)))
struct TurnTests {
    private struct Named: QueuedCall {
        let name: String
        let caller: WaitingCaller
        let weight = 1

        /// A call without a number has no user.
        var user: ByteKey? { name.count > 1 ? ByteKey(String(name.prefix(1))) : nil }

        func fail(_ error: StoreError) { caller.finish(.failure(error)) }
    }

    /// The first call is carried out alone, while the others come.
    @Test(arguments: [
        (1, ["a1", "a2", "a3", "b1"], "a1 b1 a2 a3"),
        (1, ["a1", "a2", "a3", "b1", "b2", "c1"], "a1 b1 c1 a2 b2 a3"),
        (2, ["a1", "a2", "a3", "b1", "b2", "c1"], "a1 b1 c1 a2 b2 a3"),
        (9, ["a1", "a2", "a3", "b1", "b2", "c1"], "a1 b1 c1 a2 b2 a3"),
        (1, ["a1", "a2", "a3", "x", "y"], "a1 x y a2 a3"),
        (1, ["a1", "a2", "a3"], "a1 a2 a3"),
    ])
    func usersTakeTurns(calls: Int, names: [String], order: String) async throws {
        let queue = BatchQueue<Named>(maxCalls: calls, maxWeight: 99)
        let record = CallOrder()
        let (gate, opens) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup { group in
            for (number, name) in names.enumerated() {
                group.addTask {
                    try await queue.run(in: EnvironmentID(number: 1)) {
                        Named(name: name, caller: $0)
                    } leading: { lead in
                        let taken = lead.takeCalls()
                        if number == 0 {
                            record.hold()
                            for await _ in gate { break }
                        }
                        record.add(taken.map(\.name))
                        for call in taken { call.caller.finish(.success(())) }
                        return taken.count
                    }
                }
                while !record.isHeld || queue.waitingCalls < number {
                    await Task.yield()
                }
            }
            opens.yield()
            try await group.waitForAll()
        }
        #expect(record.names.joined(separator: " ") == order)
    }

    /// The first call is carried out with the second one, while the third waits.
    @Test func nextCallLeadsBeforeOthersGoOn() async throws {
        let queue = BatchQueue<Named>(maxCalls: 2, maxWeight: 99)
        let record = CallOrder()
        let (gate, opens) = AsyncStream<Void>.makeStream()
        let run: @Sendable (String) async throws -> Void = { name in
            try await queue.run(in: EnvironmentID(number: 1)) {
                Named(name: name, caller: $0)
            } leading: { lead in
                if name == "a" {
                    record.hold()
                    for await _ in gate { break }
                }
                let taken = lead.takeCalls()
                record.add(["\(name) leads"])
                lead.answerAfterHandOff {
                    for call in taken { call.caller.finish(.success(())) }
                }
                return taken.count
            }
            record.add(["\(name) goes on"])
        }
        let executor = SerialTaskExecutor()
        try await withThrowingTaskGroup { group in
            for (number, name) in ["a", "b", "c"].enumerated() {
                group.addTask(executorPreference: executor) { try await run(name) }
                while !record.isHeld || queue.waitingCalls < number + 1 { await Task.yield() }
            }
            opens.yield()
            try await group.waitForAll()
        }
        #expect(
            record.names == ["a leads", "a goes on", "c leads", "c goes on", "b goes on"])
    }

    /// The first call is carried out, and a later one that finds no other.
    @Test func stopRefusesWhatWaits() async throws {
        let queue = BatchQueue<Named>(maxCalls: 9, maxWeight: 99)
        let record = CallOrder()
        let (gate, opens) = AsyncStream<Void>.makeStream()
        let run: @Sendable (String) async throws -> Void = { name in
            try await queue.run(in: EnvironmentID(number: 1)) {
                Named(name: name, caller: $0)
            } leading: { lead in
                let taken = lead.takeCalls()
                if name == "a1" {
                    record.hold()
                    for await _ in gate { break }
                }
                for call in taken { call.caller.finish(.success(())) }
                return taken.count
            }
        }
        let first = Task { try await run("a1") }
        while !record.isHeld { await Task.yield() }
        let waiting = Task { try await run("a2") }
        while queue.waitingCalls < 1 { await Task.yield() }
        queue.refuseWaiting()
        await #expect(throws: StoreError.stopping) { try await waiting.value }
        await #expect(throws: StoreError.stopping) { try await run("b1") }
        opens.yield()
        try await first.value
        try await run("b2")
    }
}

/// Runs the parts of tasks one after the other, in the order in which they are resumed.
private final class SerialTaskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "tests.serial")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// The calls that were carried out, in order.
private final class CallOrder: Sendable {
    private let state = Mutex<(names: [String], isHeld: Bool)>(([], false))

    var names: [String] { state.withLock { $0.names } }
    var isHeld: Bool { state.withLock { $0.isHeld } }

    func add(_ names: [String]) { state.withLock { $0.names += names } }

    func hold() { state.withLock { $0.isHeld = true } }
}
