import TestKit
import Testing

/// Over HTTP, on all wires. `HiddenWorldTests` plays longer histories on every store.
@Suite("What a reader may not see changes no response", .timeLimit(.minutes(10)))
struct HiddenWorldWireTests {
    @Test func noResponseDiffers() async throws {
        var successes: Set<String> = []
        for seed in seeds(9) {
            do {
                var worlds = try await ServedWorlds(seed: seed)
                try await worlds.go(steps: 80)
                successes.formUnion(worlds.successes)
            } catch let difference as ServedWorlds.Difference {
                Issue.record("seed \(seed): \(difference)")
            }
        }
        let succeeding = [
            "sync", "download", "find", "conflicts", "row of Azure", "change of Azure",
            "list of Azure", "pull of Azure", "change of Parse", "object of Parse", "find of Parse",
            "undeletion of Azure", "timed change of Azure", "operator of Parse", "batch of Parse",
            "relation of Parse", "related objects of Parse", "subquery of Parse",
        ]
        #expect(successes.isSuperset(of: succeeding), "\(successes)")
    }

    /// The comparison finds differences on each wire, and in what clients do more rarely. In some
    /// worlds the reader sees too little for one.
    @Test(arguments: ForeignStep.allCases)
    func differenceOfWhatIsSeenIsFound(step: ForeignStep) async throws {
        await #expect(throws: ServedWorlds.Difference.self) {
            for seed in 1...6 as ClosedRange<UInt64> {
                var worlds = try await ServedWorlds(seed: seed, isBlind: true)
                try await worlds.go(steps: 0)
                for _ in 0..<40 { try await worlds.take(step) }
            }
        }
    }
}
