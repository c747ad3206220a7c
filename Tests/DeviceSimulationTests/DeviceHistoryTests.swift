import DefinitionModel
import Foundation
import Simulation
import TestKit
import Testing

@Suite("Whatever happens to the client of an app, every promise is kept", .timeLimit(.minutes(60)))
struct DeviceHistoryTests {
    /// Histories of a usual run. `WAGGLE_SEEDS` asks for more than that has time for, and
    /// `WAGGLE_SEED` for others.
    static let usualSeeds: UInt64 = 40
    private static let seeds = environment("WAGGLE_SEEDS") ?? usualSeeds
    private static let firstSeed = environment("WAGGLE_SEED") ?? 0

    /// So many at a time as there are processors: each has some databases open.
    @Test func everyPromiseIsKept() async throws {
        var next = Self.firstSeed
        let end = next + Self.seeds
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount where next < end {
                group.addTask { [next] in try await play(next) }
                next += 1
            }
            var tally = Tally()
            while let more = try await group.next() {
                tally = tally + more
                guard next < end else { continue }
                group.addTask { [next] in try await play(next) }
                next += 1
            }
            return tally
        }
        if Self.seeds >= Self.usualSeeds { expectSomethingOfEverything(in: tally) }
    }

    private func play(_ seed: UInt64) async throws -> Tally {
        let setting = try playedSetting(for: seed)
        let history = await simulate(setting, seed: seed)
        guard history.broken != nil else { return history.tally }
        let short = await shortest(history, in: setting)
        let steps = short.steps.map { "\n    \($0.inWords(setting))" }.joined()
        Issue.record(
            """
            seed \(seed): \(short.broken?.finding ?? ""), after:\(steps)
            again: WAGGLE_SEED=\(seed) WAGGLE_SEEDS=1 swift test --filter DeviceHistoryTests
            """)
        return history.tally
    }

    /// What never happens cannot break anything.
    private func expectSomethingOfEverything(in tally: Tally) {
        #expect(Set(tally.outcomes.keys).count == 5, "\(tally.outcomes)")
        #expect(tally.outcomes.values.allSatisfy { $0 > 5 }, "\(tally.outcomes)")
        #expect(tally.repeats > 50 && tally.faults > 50 && tally.drops > 10, "\(tally)")
        #expect(tally.resyncs > 0 && tally.swept > 0, "\(tally)")
    }

    private static func environment(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }
}

private let apps = Apps()

/// Four devices, on one of which the app settles conflicts itself.
func playedSetting(for seed: UInt64, _ mutant: DeviceMutant? = nil) throws -> Setting {
    let mode = ConflictMode.allCases[Int(seed % 4)]
    let definition = try yard(mode, analyzed: seed % 8 < 4)
    let setting = Setting(definition, clients: 4, steps: 120) { number in
        PlayedDatabase(apps, decisions: number % 3 == 1 ? Decisions() : nil, mutant: mutant)
    }
    return try #require(setting)
}
