import Testing

/// Random histories in which a person is erased: nothing is left in the database, on the devices of
/// others, and in a restored backup.
@Suite(.timeLimit(.minutes(20))) struct ErasureHistoryTests {
    @Test(arguments: databases, UInt64(0)..<15)
    func nothingOfPersonIsLeft(_ kind: StoreKind, seed: UInt64) async throws {
        var history = try await ErasureHistory(kind, seed: seed)
        try await history.play()
        let left = try await history.erase(.whole)
        #expect(left == nil)
    }

    /// A broken erasure leaves something, in one of a few histories.
    @Test(arguments: databases, ErasureVariant.allCases.filter { $0 != .whole })
    func brokenErasureIsNoticed(_ kind: StoreKind, variant: ErasureVariant) async throws {
        for seed in UInt64(0)..<15 {
            var history = try await ErasureHistory(kind, seed: seed)
            try await history.play()
            if try await history.erase(variant) != nil { return }
        }
        Issue.record("nothing was noticed")
    }
}
