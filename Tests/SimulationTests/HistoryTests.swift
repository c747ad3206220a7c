import DefinitionModel
import Simulation
import TestKit
import Testing

@Suite("Whatever happens, every promise is kept")
struct HistoryTests {
    @Test(arguments: UInt64(0)..<300)
    func everyPromiseIsKept(seed: UInt64) async throws {
        let setting = try setting(for: seed)
        let history = await simulate(setting, seed: seed)
        guard history.broken != nil else { return }
        let short = await shortest(history, in: setting)
        let steps = short.steps.map { "\n    \($0.inWords(setting))" }.joined()
        Issue.record("\(short.broken?.finding ?? ""), after:\(steps)")
    }

    /// What never happens cannot break anything.
    @Test func thereIsSomethingOfEverything() async throws {
        var tally = Tally()
        for seed in UInt64(0)..<60 {
            let history = await simulate(try setting(for: seed), seed: seed)
            tally = tally + history.tally
        }
        #expect(tally.histories == 60 && Set(tally.outcomes.keys).count == 5)
        #expect(tally.outcomes.values.allSatisfy { $0 > 5 }, "\(tally.outcomes)")
        #expect(tally.repeats > 100 && tally.faults > 100 && tally.drops > 10, "\(tally)")
        #expect(tally.resyncs > 0 && tally.swept > 0, "\(tally)")
    }

    private func setting(for seed: UInt64) throws -> Setting {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        return try #require(Setting(try yard(mode, analyzed: seed % 8 < 4), clients: 5, steps: 80))
    }
}

@Suite("A seed is a history")
struct SeedTests {
    @Test(arguments: UInt64(0)..<8)
    func theSameSeedIsTheSameHistory(seed: UInt64) async throws {
        let setting = try #require(Setting(try yard(.merge), clients: 5, steps: 80))
        let first = await simulate(setting, seed: seed)
        let second = await simulate(setting, seed: seed)
        #expect(first.steps == second.steps && first.tally == second.tally)
        #expect(first.stored == second.stored && !first.stored.isEmpty)
        let other = await simulate(setting, seed: seed + 1)
        #expect(other.steps != first.steps)
    }

    @Test(arguments: UInt64(0)..<8)
    func itsStepsPlayedAgainComeToTheSame(seed: UInt64) async throws {
        let setting = try #require(Setting(try yard(.manual), clients: 5, steps: 80))
        let history = await simulate(setting, seed: seed)
        let again = await replay(history.steps, in: setting, seed: seed)
        #expect(again.stored == history.stored && again.tally == history.tally)
    }

    /// Devices ten years ahead and behind, and a server whose clock runs back: all but the times
    /// that people read is the same. What is swept away goes by the clock, and is left out.
    @Test(arguments: UInt64(0)..<40)
    func clocksDecideNothing(seed: UInt64) async throws {
        let mode = ConflictMode.allCases[Int(seed % 4)]
        let setting = try #require(Setting(try yard(mode), clients: 5, steps: 80))
        let steps = await simulate(setting, seed: seed).steps.filter { !$0.isOfClocks }
        let decade: Int64 = 315_360_000
        let disturbed = steps.enumerated().flatMap { number, step -> [Step] in
            let client = number % 4
            return [
                .server(.clock(seconds: number % 3 == 0 ? -3600 : 60)),
                .clientClock(client: client, seconds: number % 2 == 0 ? decade : -2 * decade), step,
            ]
        }
        let calm = await replay(steps, in: setting, seed: seed)
        let stormy = await replay(disturbed, in: setting, seed: seed)
        #expect(stormy.broken == nil && calm.broken == nil)
        #expect(stormy.stored == calm.stored && !calm.stored.isEmpty)
    }
}

extension Step {
    fileprivate var isOfClocks: Bool {
        switch self {
        case .clientClock, .server(.clock), .server(.sweep): true
        case .edit, .sync, .arrival, .answer, .browse, .resolveAll, .appEnds, .server: false
        }
    }
}
