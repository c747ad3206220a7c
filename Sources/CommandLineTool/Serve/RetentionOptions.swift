import ArgumentParser
import SyncEngine

/// How long what was deleted, or never used, is kept, see `ServeSettings`.
struct RetentionOptions: ParsableArguments {
    @Option(ServeSettings.keepDeletedDays) var keepDeletedDays: Int?
    @Option(ServeSettings.keepLooseFileDays) var keepLooseFileDays: Int?
    @Option(ServeSettings.keepNotificationDays) var keepNotificationDays: Int?

    func retention(_ settings: Settings) async throws -> Retention {
        Retention(
            deletedDays: try await settings.value(
                of: ServeSettings.keepDeletedDays, given: keepDeletedDays),
            looseFileDays: try await settings.value(
                of: ServeSettings.keepLooseFileDays, given: keepLooseFileDays),
            notificationDays: try await settings.value(
                of: ServeSettings.keepNotificationDays, given: keepNotificationDays))
    }
}

/// For how many days something is kept.
struct Retention {
    /// From when a record was deleted.
    let deletedDays: Int
    /// Files that no record names, from their last byte on.
    let looseFileDays: Int
    /// From when a notification was sent.
    let notificationDays: Int
}

extension Instant {
    func daysBefore(_ days: Int) -> Instant { adding(seconds: -Int64(days) * 86_400) }
}
