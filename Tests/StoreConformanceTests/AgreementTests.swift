import TestKit
import Testing

@Suite("All stores give the same answers")
struct AgreementTests {
    @Test(arguments: seeds(100))
    func anyCallsInAnyOrderGetTheSameAnswers(seed: UInt64) async throws {
        var benches: [StoreBench] = []
        // The last store is a server, and takes as long as all others together even for a quarter
        // of the seeds.
        let kinds = seed.isMultiple(of: 4) ? stores : stores.dropLast()
        for kind in kinds { benches.append(try await kind.open()) }
        var play = try await RandomPlay(seed: seed, stores: benches)
        try await play.go(steps: 120)
    }
}
