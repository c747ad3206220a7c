import Simulation
import Testing

@Suite("Every mutated client is detected", .serialized, .timeLimit(.minutes(10)))
struct DeviceMutantTests {
    /// The number of histories within which the mutation must be detected.
    private static let seeds: UInt64 = 120

    @Test(arguments: DeviceMutant.all)
    func mutantViolatesGuaranteeOfItsRule(mutant: DeviceMutant) async throws {
        for seed in mutant.firstSeed..<mutant.firstSeed + Self.seeds {
            let history = await simulate(try playedScenario(for: seed, mutant), seed: seed)
            guard let violation = history.violation else { continue }
            #expect(
                mutant.breaks.contains(violation.invariant),
                "seed \(seed) breaks \(violation.invariant): \(violation.finding)")
            return
        }
        Issue.record("nothing was noticed in \(Self.seeds) histories")
    }
}
