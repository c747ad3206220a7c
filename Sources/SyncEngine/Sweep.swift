/// Which deleted records are to be forgotten.
package struct SweepRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    /// Those that were changed last before this moment.
    package let before: Instant
    /// Records at most, so that nobody waits for long.
    package let limit: Int

    package init(environment: EnvironmentID, before: Instant, limit: Int) {
        self.environment = environment
        self.before = before
        self.limit = limit
    }
}

/// What was forgotten.
package struct Swept: Hashable, Sendable {
    package let records: Int
    package let hasMore: Bool

    package init(records: Int, hasMore: Bool) {
        self.records = records
        self.hasMore = hasMore
    }
}

extension Engine {
    /// Forgets records that were deleted before a moment, some at a time. Clients that have not
    /// pulled since get everything anew; nothing that was deleted comes back.
    package func sweep(
        before moment: Instant, limit: Int = 1000
    ) async throws(SyncError) -> Swept {
        try await reading { () async throws(StoreError) in
            try await store.sweep(
                SweepRequest(environment: environment, before: moment, limit: limit))
        }
    }
}
