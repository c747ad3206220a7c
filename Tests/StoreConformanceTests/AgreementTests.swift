import Testing

@Suite("Every store says the same to the same calls")
struct AgreementTests {
    @Test(arguments: UInt64(0)..<100)
    func anyCallsInAnyOrderGetTheSameAnswers(seed: UInt64) async throws {
        var benches: [StoreBench] = []
        for kind in stores { benches.append(try await kind.open()) }
        var play = try await RandomPlay(seed: seed, stores: benches)
        try await play.go(steps: 120)
    }
}
