/// A request to purge tombstones.
package struct SweepRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    /// Purges tombstones that were last changed before this time.
    package let before: Instant
    /// Maximum number of records, so that the transaction stays short.
    package let limit: Int

    package init(environment: EnvironmentID, before: Instant, limit: Int) {
        self.environment = environment
        self.before = before
        self.limit = limit
    }
}

/// The result of one purge.
package struct Swept: Hashable, Sendable {
    package let records: Int
    package let hasMore: Bool

    package init(records: Int, hasMore: Bool) {
        self.records = records
        self.hasMore = hasMore
    }
}

extension Engine {
    /// Purges records that were deleted before a moment, at most `limit` in one transaction.
    /// Clients that have not pulled since then start over; a purged record never comes back.
    package func sweep(
        before moment: Instant, limit: Int = 1000
    ) async throws(SyncError) -> Swept {
        try await reading { () async throws(StoreError) in
            try await store.sweep(
                SweepRequest(environment: environment, before: moment, limit: limit))
        }
    }
}
