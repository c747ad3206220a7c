import DefinitionModel
import Foundation
import Simulation
import TestKit
import Testing

@Suite("The client library keeps every guarantee", .timeLimit(.minutes(60)))
struct DeviceHistoryTests {
    /// The number of histories; `WAGGLE_SEEDS` raises it, and `WAGGLE_SEED` selects others.
    static let usualSeeds: UInt64 = 40
    private static let seeds = environment("WAGGLE_SEEDS") ?? usualSeeds
    private static let firstSeed = environment("WAGGLE_SEED") ?? 0

    /// Runs as many at a time as there are processors, because each has several open databases.
    @Test func everyGuaranteeHolds() async throws {
        var next = Self.firstSeed
        let end = next + Self.seeds
        let counts = try await withThrowingTaskGroup(of: HistoryCounts.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount where next < end {
                group.addTask { [next] in try await play(next) }
                next += 1
            }
            var counts = HistoryCounts()
            while let more = try await group.next() {
                counts = counts + more
                guard next < end else { continue }
                group.addTask { [next] in try await play(next) }
                next += 1
            }
            return counts
        }
        if Self.seeds >= Self.usualSeeds { expectSomethingOfEverything(in: counts) }
    }

    private func play(_ seed: UInt64) async throws -> HistoryCounts {
        let scenario = try playedSetting(for: seed)
        let history = await simulate(scenario, seed: seed)
        guard history.violation != nil else { return history.counts }
        let short = await shrink(history, in: scenario)
        let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
        Issue.record(
            """
            seed \(seed): \(short.violation?.finding ?? ""), after:\(steps)
            again: WAGGLE_SEED=\(seed) WAGGLE_SEEDS=1 swift test --filter DeviceHistoryTests
            """)
        return history.counts
    }

    /// Every kind of event occurs.
    private func expectSomethingOfEverything(in counts: HistoryCounts) {
        #expect(Set(counts.outcomes.keys).count == 5, "\(counts.outcomes)")
        #expect(counts.outcomes.values.allSatisfy { $0 > 5 }, "\(counts.outcomes)")
        #expect(counts.repeats > 50 && counts.faults > 50 && counts.drops > 10, "\(counts)")
        #expect(counts.resyncs > 0 && counts.purged > 0, "\(counts)")
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

private let apps = Apps()

/// Four devices; on one of them the app resolves conflicts itself.
func playedSetting(for seed: UInt64, _ mutant: DeviceMutant? = nil) throws -> Scenario {
    let mode = ConflictMode.allCases[Int(seed % 4)]
    let definition = try yard(mode, analyzed: seed % 8 < 4)
    let scenario = Scenario(definition, clients: 4, steps: 120) { number in
        PlayedDatabase(apps, decisions: number % 3 == 1 ? Decisions() : nil, mutant: mutant)
    }
    return try #require(scenario)
}
