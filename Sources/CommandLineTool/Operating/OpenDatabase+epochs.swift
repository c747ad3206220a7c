import SyncEngine

extension OpenDatabase {
    /// A number that no epoch has had.
    static var freshEpoch: Int64 { Int64.random(in: 1_000_000_000_000_000..<1 << 53) }

    /// Begins an epoch of every environment: see `EpochChain`.
    func beginEpochs() async throws(ToolFailure) {
        do {
            for deployed in try await store.environments() {
                // It may have been renamed or removed meanwhile.
                guard let state = try await store.environment(named: deployed.name) else {
                    continue
                }
                try await store.beginEpoch(Self.freshEpoch, in: state.id)
            }
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }
}
