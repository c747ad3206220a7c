import Simulation
import TestKit
import Testing

@Suite("Every mutated engine is detected")
struct MutantTests {
    /// One of these histories shows the violation.
    private static let seeds = UInt64(0)..<400

    @Test(arguments: Mutant.all)
    func mutantViolatesGuaranteeOfItsRule(mutant: Mutant) async throws {
        let scenario = try scenario(for: mutant)
        for seed in Self.seeds {
            let history = await simulate(scenario, seed: seed)
            guard let violation = history.violation else { continue }
            guard !mutant.breaks.contains(violation.invariant) else { return }
            let short = await shrink(history, in: scenario)
            let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
            Issue.record("seed \(seed): \(short.violation?.finding ?? ""), after:\(steps)")
            return
        }
        Issue.record("nothing was noticed in \(Self.seeds.count) histories")
    }

    /// The shrunk history violates the same invariant, and does not without any one of its steps.
    @Test(arguments: Mutant.all.prefix(3))
    func itsShortestHistoryHasNothingSuperfluous(mutant: Mutant) async throws {
        let scenario = try scenario(for: mutant)
        var found: History?
        for seed in Self.seeds where found == nil {
            let history = await simulate(scenario, seed: seed)
            if history.violation != nil { found = history }
        }
        let history = try #require(found)
        let short = await shrink(history, in: scenario)
        #expect(short.violation?.invariant == history.violation?.invariant)
        #expect(short.steps.count < 16 && short.steps.count < history.steps.count)
        for index in short.steps.indices {
            var steps = short.steps
            steps.remove(at: index)
            let played = await replay(steps, in: scenario, seed: history.seed)
            #expect(
                played.violation?.invariant != history.violation?.invariant,
                "without \(short.steps[index].summary(scenario))")
        }
    }

    private func scenario(for mutant: Mutant) throws -> Scenario {
        try #require(
            Scenario(
                try yard(mutant.mode, analyzed: mutant.isAnalyzed), clients: 4, steps: 60,
                mutation: mutant.mutation, earlierApps: mutant.hasEarlierApps,
                requiringField: mutant.requiresField, evolving: mutant.isEvolving,
                requesting: mutant.hasRequests))
    }
}
