import Queues
import Testing

@testable import SyncServer

@Suite("Work that does not begin has an error of HTTP") struct TurnErrorTests {
    private func code(of turns: FairTurns) async throws -> String? {
        let failure = await #expect(throws: HTTPFailure.self) {
            try await turns.run(as: WaitOrigin(), orThrow: .tooMuchWork()) {}
        }
        return failure?.code
    }

    @Test func fullQueueRefuses() async throws {
        #expect(try await code(of: FairTurns(turns: 0, maxWaiting: 0)) == "tooMuchWork")
    }

    @Test func stoppedOneRefuses() async throws {
        let turns = FairTurns(turns: 0, maxWaiting: 1)
        turns.stop()
        #expect(try await code(of: turns) == "stopping")
    }

    /// The turn ends also if the work fails.
    @Test func turnEndsWithItsWork() async throws {
        let turns = FairTurns(turns: 1, maxWaiting: 0)
        await #expect(throws: CancellationError.self) {
            try await turns.run(as: WaitOrigin(), orThrow: .tooMuchWork()) {
                throw CancellationError()
            }
        }
        #expect(turns.enterIfFree(WaitOrigin()))
    }
}
