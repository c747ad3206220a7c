extension Engine {
    /// Checks that the store answers. Throws if it does not.
    package func checkHealth() async throws(SyncError) {
        try await reading { () async throws(StoreError) in
            try await store.checkHealth()
        }
    }
}
