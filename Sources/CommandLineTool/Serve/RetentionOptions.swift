import ArgumentParser
import SyncEngine

/// Options for the retention of deleted and unused data; see `ServeSettings`.
struct RetentionOptions: ParsableArguments {
    @Option(ServeSettings.keepDeletedDays) var keepDeletedDays: Int?
    @Option(ServeSettings.keepLooseFileDays) var keepLooseFileDays: Int?
    @Option(ServeSettings.keepNotificationDays) var keepNotificationDays: Int?
    @Option(ServeSettings.keepRefusedDays) var keepRefusedDays: Int?

    func retention(_ settings: ResolvedSettings) async throws -> Retention {
        Retention(
            deletedDays: try await settings.value(
                of: ServeSettings.keepDeletedDays, given: keepDeletedDays),
            looseFileDays: try await settings.value(
                of: ServeSettings.keepLooseFileDays, given: keepLooseFileDays),
            notificationDays: try await settings.value(
                of: ServeSettings.keepNotificationDays, given: keepNotificationDays),
            refusedDays: try await settings.value(
                of: ServeSettings.keepRefusedDays, given: keepRefusedDays))
    }
}

/// Retention times in days.
struct Retention {
    /// From the deletion of a record.
    let deletedDays: Int
    /// For files that no record names, from the last upload.
    let looseFileDays: Int
    /// From the sending of a notification.
    let notificationDays: Int
    /// From the refusal of data.
    let refusedDays: Int
}

extension Instant {
    func daysBefore(_ days: Int) -> Instant { adding(seconds: -Int64(days) * 86_400) }
}
