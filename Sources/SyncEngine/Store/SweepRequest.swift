/// A request to purge old data of an environment.
package struct SweepRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    /// Purges what was last changed, was sent, or expired before this time.
    package let before: Instant
    /// Maximum number of rows, so that the transaction stays short.
    package let limit: Int
    /// Maximum number of history entries of purged records. A record with more loses so many of
    /// its oldest ones, and from then on counts as erased, so that no edit is decided by a part of
    /// its history.
    package let historyRows: Int

    package init(
        environment: EnvironmentID, before: Instant, limit: Int, historyRows: Int = 1000
    ) {
        self.environment = environment
        self.before = before
        self.limit = limit
        self.historyRows = historyRows
    }
}

/// The result of one purge.
package struct SweepResult: Hashable, Sendable {
    package let records: Int
    package let hasMore: Bool

    package init(records: Int, hasMore: Bool) {
        self.records = records
        self.hasMore = hasMore
    }
}

extension Engine {
    /// Purges records that were deleted before a moment, at most `limit` with `historyRows` history
    /// entries in one transaction. Clients that have not pulled since then start over; a purged
    /// record never comes back.
    package func sweep(
        before moment: Instant, limit: Int = 1000, historyRows: Int = 1000
    ) async throws(SyncError) -> SweepResult {
        try await reading { () async throws(StoreError) in
            try await store.sweep(
                SweepRequest(
                    environment: environment, before: moment, limit: limit,
                    historyRows: historyRows))
        }
    }

    /// Deletes outcomes that have expired. Returns their number.
    package func sweepOutcomes(at now: Instant) async throws(SyncError) -> Int {
        let request = SweepRequest(environment: environment, before: now, limit: 1000)
        return try await reading { () async throws(StoreError) in
            try await request.repeated(store.sweepOutcomes)
        }
    }
}

extension SweepRequest {
    /// Carries out the request until nothing is left, in transactions of `limit` rows, so that
    /// other transactions do not wait long. Returns the number of rows.
    package func repeated(
        _ sweep: (SweepRequest) async throws(StoreError) -> Int
    ) async throws(StoreError) -> Int {
        var count = 0
        var found = limit
        while found == limit, !Task.isCancelled {
            found = try await sweep(self)
            count += found
        }
        return count
    }
}
