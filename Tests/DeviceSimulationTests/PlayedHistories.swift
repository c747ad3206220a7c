import Foundation
import Simulation

/// The histories of a test, with the seeds that it has or that the environment asks for:
/// `WAGGLE_SEEDS` is their number, and `WAGGLE_SEED` the first one.
struct PlayedHistories: Sendable {
    let counts: HistoryCounts
    /// One for each violation: its seed, its shortest history, and the command that repeats it.
    let findings: [String]
    /// Whether there are enough of them that every kind of event occurs.
    let areMany: Bool

    /// Runs as many at a time as there are processors, because each has several open databases.
    ///
    /// - Parameters:
    ///   - usualSeeds: The number of histories if the environment does not say.
    ///   - suite: The name of the suite, for the command.
    init(
        _ usualSeeds: UInt64, of suite: String,
        _ scenario: @escaping @Sendable (_ seed: UInt64) throws -> Scenario
    ) async throws {
        let seeds = environment("WAGGLE_SEEDS") ?? usualSeeds
        var next = environment("WAGGLE_SEED") ?? 0
        let end = next + seeds
        var (counts, findings) = (HistoryCounts(), [String]())
        try await withThrowingTaskGroup(of: Played.self) { group in
            func begin() {
                guard next < end else { return }
                group.addTask { [next] in try await play(next, of: suite, scenario(next)) }
                next += 1
            }
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { begin() }
            while let played = try await group.next() {
                counts = counts + played.counts
                findings += played.finding.map { [$0] } ?? []
                begin()
            }
        }
        self.counts = counts
        self.findings = findings
        areMany = seeds >= usualSeeds
    }
}

private struct Played: Sendable {
    let counts: HistoryCounts
    let finding: String?
}

private func play(_ seed: UInt64, of suite: String, _ scenario: Scenario) async -> Played {
    let history = await simulate(scenario, seed: seed)
    guard history.violation != nil else { return Played(counts: history.counts, finding: nil) }
    let short = await shrink(history, in: scenario)
    let steps = short.steps.map { "\n    \($0.summary(scenario))" }.joined()
    return Played(
        counts: history.counts,
        finding: """
            seed \(seed): \(short.violation?.finding ?? ""), after:\(steps)
            again: WAGGLE_SEED=\(seed) WAGGLE_SEEDS=1 swift test --filter \(suite)
            """)
}

private func environment(_ name: String) -> UInt64? {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
}
