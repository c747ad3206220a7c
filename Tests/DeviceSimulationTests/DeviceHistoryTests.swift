import Simulation
import Testing

@Suite("The client library keeps every guarantee", .timeLimit(.minutes(60)))
struct DeviceHistoryTests {
    @Test func everyGuaranteeHolds() async throws {
        let played = try await PlayedHistories(40, of: "DeviceHistoryTests") { seed in
            try playedScenario(for: seed)
        }
        for finding in played.findings { Issue.record("\(finding)") }
        if played.areMany { expectSomethingOfEverything(in: played.counts) }
    }

    /// Every kind of event occurs.
    private func expectSomethingOfEverything(in counts: HistoryCounts) {
        #expect(Set(counts.outcomes.keys).count == 5, "\(counts.outcomes)")
        #expect(counts.outcomes.values.allSatisfy { $0 > 5 }, "\(counts.outcomes)")
        #expect(counts.repeats > 50 && counts.faults > 50 && counts.drops > 10, "\(counts)")
        #expect(counts.resyncs > 0 && counts.purged > 0, "\(counts)")
    }
}
