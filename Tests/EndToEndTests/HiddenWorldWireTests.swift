import Testing

/// Over HTTP, on the native wire and on that of original clients. `HiddenWorldTests` plays longer
/// histories on every store.
@Suite("What a reader may not see changes no response", .serialized, .timeLimit(.minutes(5)))
struct HiddenWorldWireTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func noResponseDiffers(seed: UInt64) async throws {
        var worlds = try await ServedWorlds(seed: seed)
        try await worlds.go(steps: 60)
        for asked in ["sync", "download", "find", "conflicts"] {
            #expect(worlds.successes[asked] != nil, "\(asked) never succeeded")
        }
    }
}
