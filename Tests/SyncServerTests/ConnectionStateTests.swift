import SyncEngine
import Testing

@testable import SyncServer

@Suite("The memory of a connection ends with it")
struct ConnectionStateTests {
    private let budget = MemoryBudget(maxBytes: 3_000_000)
    private let state: ConnectionState

    init() { state = ConnectionState(budget: budget, client: nil) }

    private let user = UserKey(environment: "test", login: "a")

    /// The calls that may come while a request is answered.
    private var steps: [() throws -> Void] {
        [
            { try state.take(10) }, { state.charge(user) }, { try state.take(7) },
            { state.give(3) }, { try state.streamAnswer() }, { state.finish() },
            { try state.answer(20) }, { state.begin(from: nil) }, { try state.take(1) },
        ]
    }

    @Test func memoryThatIsTakenAfterTheCloseEndsWithTheRequest() throws {
        state.beginServing()
        try state.take(10)
        state.close()
        // The request is still answered, and has its body in memory.
        #expect(budget.usedBytes == 10)
        try state.take(10)
        try state.answer(30)
        #expect(budget.usedBytes == 30)
        state.endServing()
        #expect(budget.usedBytes == 0)
    }

    /// Such a read may end late.
    @Test func nothingIsCountedWhenTheConnectionIsOver() throws {
        state.beginServing()
        state.close()
        state.endServing()
        try RequestReads(connection: state).take(10)
        try state.answer(20)
        #expect(budget.usedBytes == 0 && !state.holdsBytes)
        RequestReads(connection: state).give(10)
        #expect(budget.usedBytes == 0)
    }

    @Test func closedConnectionThatNothingServesGivesAllBack() throws {
        try state.take(10)
        state.close()
        #expect(budget.usedBytes == 0)
        // A request that had arrived is answered nevertheless.
        state.beginServing()
        try state.answer(20)
        #expect(budget.usedBytes == 20)
        state.endServing()
        #expect(budget.usedBytes == 0)
    }

    @Test func openConnectionKeepsWhatIsBeingSent() throws {
        state.beginServing()
        try state.answer(20)
        state.endServing()
        #expect(budget.usedBytes == 20)
        state.close()
        #expect(budget.usedBytes == 0)
    }

    /// A client may send the next request before it has read the response.
    @Test func responseCountsUntilItIsSent() throws {
        state.beginServing()
        state.beginAnswer()
        try state.take(5)
        try state.answer(100)
        state.beginAnswer()
        try state.take(7)
        try state.streamAnswer()
        state.finish()
        #expect(state.isAnswerStreamed)
        try state.answer(30)
        #expect(budget.usedBytes == 30)
        state.beginAnswer()
        try state.answer(20)
        #expect(budget.usedBytes == 50)
        state.give(.max)
        #expect(budget.usedBytes == 30)
        state.finish()
        #expect(budget.usedBytes == 0)
        state.beginAnswer()
        try state.answer(40)
        state.close()
        state.endServing()
        #expect(budget.usedBytes == 0)
    }

    /// As of a client that sends three requests at once. Neither the answer to an earlier one nor
    /// the end of its response gives back what a later one has in memory.
    @Test func bodyThatCameEarlyCountsUntilItsOwnRequestIsAnswered() throws {
        for bytes in [1, 20, 300] {
            state.arrive()
            try state.takeBody(bytes)
        }
        state.beginAnswer()
        try state.answer(4000)
        #expect(budget.usedBytes == 4320)
        // The second one is answered while the first response is being sent.
        state.beginAnswer()
        #expect(budget.usedBytes == 4320)
        state.finish()
        #expect(budget.usedBytes == 320)
        try state.takeBody(50_000)
        try state.answer(7)
        #expect(budget.usedBytes == 50_307)
        state.finish()
        #expect(budget.usedBytes == 50_300)
        state.beginAnswer()
        state.finish()
        #expect(budget.usedBytes == 0 && !state.holdsBytes)
    }

    /// A request that needs more and more can be done, too.
    @Test func halfOfTheShareIsTheMostThatIsHeldInSum() throws {
        for bytes in [200_000, 200_000, 200_000, 700_000] { try state.hold(bytes) }
        #expect(budget.usedBytes == 500_000)
        try state.take(500_000)
        #expect(throws: MemoryShortage.ofOwner) { try state.take(1) }
        state.finish()
        try state.hold(300_000)
        #expect(budget.usedBytes == 300_000)
        try state.answer(10)
        try state.hold(300_000)
        #expect(budget.usedBytes == 300_010)
    }

    @Test(arguments: 0...9)
    func closeMayComeAtAnyTime(before: Int) throws {
        state.beginServing()
        for (place, step) in steps.enumerated() {
            if place == before { state.close() }
            try step()
        }
        if before == steps.count { state.close() }
        #expect(state.holdsBytes)
        state.endServing()
        #expect(budget.usedBytes == 0)
        // The share of the user is whole again.
        try budget.take(1_000_000, for: .user(user))
    }
}
