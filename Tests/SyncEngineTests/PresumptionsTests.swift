import DefinitionModel
import EngineKit
import JSON
import SQLiteStore
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("Presumptions")
struct PresumptionsTests {
    @Test(arguments: [(0, 1, false), (0, 29, false), (0, 30, true), (20, 30, false)])
    func arePausedAfterAWrongOne(first: Int, now: Int, areAllowed: Bool) {
        let presumptions = Presumptions(pause: .seconds(30))
        let (environment, other) = (EnvironmentID(number: 1), EnvironmentID(number: 2))
        let start = ContinuousClock.now
        #expect(presumptions.areAllowed(in: environment, at: start))
        for second in [0, first] {
            presumptions.noteWrong(in: environment, at: start + .seconds(second))
        }
        let moment = start + .seconds(now)
        #expect(presumptions.areAllowed(in: environment, at: moment) == areAllowed)
        #expect(presumptions.areAllowed(in: other, at: moment))
    }

    /// A device that acknowledges a change has sent it before.
    @Test(arguments: [(["y"], false), ([], false), (["x"], true), (["y", "x"], true)])
    func repeatedChangeThatIsAcknowledgedIsLookedUp(
        acknowledged: [String], isRight: Bool
    ) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, id: "w", ["title": "t"]))
        let change = update(1, id: "x", base: 1, ["score": 2])
        let first = try await a.sync([change]).outcomes
        #expect(try await a.sync([change], acknowledging: acknowledged).outcomes == first)
        let presumptions = bench.store.commits.presumptions
        #expect(presumptions.areAllowed(in: bench.engine.environment, at: .now) == isRight)
    }
}
