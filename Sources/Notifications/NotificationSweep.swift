package import SyncEngine

extension NotificationEngine {
    /// Deletes notifications sent before a moment. Returns their number.
    package func sweep(before moment: Instant) async throws(SyncError) -> Int {
        try await engine.reading { () async throws(StoreError) in
            try await NotificationSweep(store: store)
                .run(in: engine.environment, before: moment)
        }
    }
}

/// Deletes old notifications.
package struct NotificationSweep: Sendable {
    private let store: any NotificationStore

    package init(store: any NotificationStore) {
        self.store = store
    }

    /// Deletes notifications sent before a moment, in batches, so that other transactions do not
    /// wait long. Returns their number.
    package func run(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(StoreError) -> Int {
        try await SweepRequest(environment: environment, before: moment, limit: 1000)
            .repeated(store.sweepNotifications)
    }
}
