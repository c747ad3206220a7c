import Simulation
import Testing

@Suite("The client library keeps every guarantee while definitions change", .serialized)
struct UpdatedDeviceTests {
    /// Apps are updated with unsent edits, to the next version, a later or an earlier one.
    @Test(.timeLimit(.minutes(60)))
    func everyGuaranteeHolds() async throws {
        let played = try await PlayedHistories(24, of: "UpdatedDeviceTests") { seed in
            try playedScenario(for: seed, evolving: true)
        }
        for finding in played.findings { Issue.record("\(finding)") }
        let counts = played.counts
        guard played.areMany else { return }
        #expect(counts.versions > 60 && counts.returns > 5, "\(counts)")
        #expect(counts.updates > 30 && counts.leaps > 5, "\(counts)")
        #expect(counts.outcomes.values.allSatisfy { $0 > 5 }, "\(counts.outcomes)")
    }

    /// In these, the library has been at fault:
    ///
    /// - The server tells every record again, apart from one that was removed and about which an
    ///   app has yet to decide. Nobody can be asked, and the change was sent for ever.
    /// - An app is updated twice, and its unsent edit sets a field that only the version in between
    ///   lacks. The value was lost.
    /// - The app resolves the conflict of a removed record as it is, and its relation leads to
    ///   another removed record. The device named the relation, and refused it.
    @Test(arguments: [130, 136, 111])
    func historyThatFoundFaultHasNone(seed: UInt64) async throws {
        let history = await simulate(try playedScenario(for: seed, evolving: true), seed: seed)
        #expect(history.violation == nil, "\(history.violation?.finding ?? "")")
    }

    @Test(.timeLimit(.minutes(5)), arguments: DeviceMutant.updates)
    func mutantViolatesGuaranteeOfItsRule(mutant: DeviceMutant) async throws {
        let seeds = UInt64(0)..<60
        for seed in seeds {
            let scenario = try playedScenario(for: seed, evolving: true, mutant)
            let history = await simulate(scenario, seed: seed)
            guard let violation = history.violation else { continue }
            #expect(
                mutant.breaks.contains(violation.invariant),
                "seed \(seed) breaks \(violation.invariant): \(violation.finding)")
            return
        }
        Issue.record("nothing was noticed in \(seeds.count) histories")
    }

    /// Where no app is updated, nothing is noticed of the same clients.
    @Test(.timeLimit(.minutes(5)), arguments: DeviceMutant.updates)
    func updatesAreNeededToNoticeIt(mutant: DeviceMutant) async throws {
        for seed in UInt64(0)..<3 {
            let history = await simulate(try playedScenario(for: seed, mutant), seed: seed)
            #expect(history.violation == nil, "seed \(seed)")
        }
    }
}
