import TestKit
import Testing

@Suite("What a reader may not see changes no answer", .timeLimit(.minutes(10)))
struct HiddenWorldTests {
    @Test(arguments: stores, seeds(24))
    func noAnswerDiffers(_ kind: StoreKind, seed: UInt64) async throws {
        var worlds = try await HiddenWorlds(kind, seed: seed)
        try await worlds.go(steps: 60)
    }

    /// Otherwise the comparison would tell nothing.
    @Test(arguments: UInt64(0)..<4)
    func everyEndpointIsAsked(seed: UInt64) async throws {
        var worlds = try await HiddenWorlds(stores[0], seed: seed)
        try await worlds.go(steps: 200)
        let all = [
            "sync", "upload", "download", "find", "record", "history", "conflicts", "resolution",
        ]
        #expect(Set(worlds.compared.keys) == Set(all))
    }

    /// If the worlds differ in what the reader sees, the reader can tell them apart.
    @Test(arguments: UInt64(0)..<8)
    func visibleDifferenceIsFound(seed: UInt64) async throws {
        var worlds = try await HiddenWorlds(stores[0], seed: seed, isBlind: true)
        await #expect(throws: HiddenWorlds.Difference.self) { try await worlds.go(steps: 60) }
    }
}
