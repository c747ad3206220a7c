import ArgumentParser
import SyncEngine

/// How long what was deleted, or never used, is kept.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: """
            Days for which deleted records are kept, so that devices which were away get to know \
            of it; whoever comes later begins anew. (setting: keepDeletedDays; default: 180)
            """)
    var keepDeletedDays: Int?

    @Option(
        help: """
            Days for which files are kept that were uploaded and that no record names. (setting: \
            keepLooseFileDays; default: 7)
            """)
    var keepLooseFileDays: Int?

    @Option(
        help: """
            Days for which notifications are kept, for those who were not listening. (setting: \
            keepNotificationDays; default: 7)
            """)
    var keepNotificationDays: Int?

    /// What was deleted before this moment is swept away.
    func days(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "keepDeletedDays", flag: keepDeletedDays, default: 180, in: 0...36_500)
    }

    /// The same of files that no record names, from their last byte on.
    func looseFileDays(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "keepLooseFileDays", flag: keepLooseFileDays, default: 7, in: 0...36_500)
    }

    /// The same of notifications, from when they were sent.
    func notificationDays(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "keepNotificationDays", flag: keepNotificationDays, default: 7, in: 0...36_500)
    }
}

extension Instant {
    func daysBefore(_ days: Int) -> Instant { adding(seconds: -Int64(days) * 86_400) }
}
