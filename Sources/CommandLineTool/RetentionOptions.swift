import ArgumentParser
import SyncEngine

/// How long what was deleted is kept.
struct RetentionOptions: ParsableArguments {
    @Option(
        help: """
            Days for which deleted records are kept, so that devices which were away get to know \
            of it; whoever comes later begins anew. (setting: keepDeletedDays; default: 180)
            """)
    var keepDeletedDays: Int?

    /// What was deleted before this moment is swept away.
    func days(_ settings: Settings) async throws -> Int {
        try await settings.integer(
            "keepDeletedDays", flag: keepDeletedDays, default: 180, in: 0...36_500)
    }
}

extension Instant {
    func daysBefore(_ days: Int) -> Instant { adding(seconds: -Int64(days) * 86_400) }
}
