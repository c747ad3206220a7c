extension Engine {
    /// Whether the store answers.
    package func checkHealth() async throws(SyncError) {
        try await reading { () async throws(StoreError) in
            try await store.checkHealth()
        }
    }
}
