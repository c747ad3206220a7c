import Simulation
import TestKit
import Testing

@Suite("An engine without one of its rules is found out")
struct MutantTests {
    /// In one of so many histories.
    private static let seeds = UInt64(0)..<400

    @Test(arguments: Mutant.all)
    func itBreaksThePromiseThatTheRuleKeeps(mutant: Mutant) async throws {
        let setting = try setting(for: mutant)
        for seed in Self.seeds {
            let history = await simulate(setting, seed: seed)
            guard let broken = history.broken else { continue }
            #expect(
                mutant.breaks.contains(broken.promise),
                "seed \(seed) breaks \(broken.promise): \(broken.finding)")
            return
        }
        Issue.record("nothing was noticed in \(Self.seeds.count) histories")
    }

    /// What is left breaks the same promise, and does not without any one of its steps.
    @Test(arguments: Mutant.all.prefix(3))
    func itsShortestHistoryHasNothingSuperfluous(mutant: Mutant) async throws {
        let setting = try setting(for: mutant)
        var found: History?
        for seed in Self.seeds where found == nil {
            let history = await simulate(setting, seed: seed)
            if history.broken != nil { found = history }
        }
        let history = try #require(found)
        let short = await shortest(history, in: setting)
        #expect(short.broken?.promise == history.broken?.promise)
        #expect(short.steps.count < 16 && short.steps.count < history.steps.count)
        for index in short.steps.indices {
            var steps = short.steps
            steps.remove(at: index)
            let played = await replay(steps, in: setting, seed: history.seed)
            #expect(
                played.broken?.promise != history.broken?.promise,
                "without \(short.steps[index].inWords(setting))")
        }
    }

    private func setting(for mutant: Mutant) throws -> Setting {
        try #require(
            Setting(try yard(mutant.mode), clients: 4, steps: 60, sabotage: mutant.sabotage))
    }
}
