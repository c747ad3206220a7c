import ArgumentParser
import SyncEngine

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Forget what was deleted long ago.",
        discussion: """
            A deleted record is kept with its history until devices that were away had time to \
            hear of it. 'waggle serve' sweeps away what is older, every hour; this does it now, \
            whether or not a server is running. The guids stay taken, so that nothing deleted \
            comes back. Files go that no record names any more, not even by its history, and so do \
            old notifications.

              waggle sweep --database app.sqlite --keep-deleted-days 30
            """)

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var retention: RetentionOptions

    func run() async throws {
        let settings = try await Settings(options)
        let retention = try await retention.retention(settings)
        let database = try await OpenDatabase(settings.database, creating: false)
        let state = try await database.existingEnvironment(named: settings.environment)
        let progress = Progress("forgotten records")
        let request = SweepRequest(
            environment: state.id, before: .now.daysBefore(retention.deletedDays), limit: 1000)
        var count = 0
        var hasMore = true
        while hasMore {
            let swept = try await database.sweep(request)
            count += swept.records
            hasMore = swept.hasMore
            progress.show(count)
        }
        progress.end()
        Terminal.tell("forgotten records: \(count)")
        let swept = try await database.sweepFiles(
            in: state.id, before: .now.daysBefore(retention.looseFileDays))
        Terminal.tell("forgotten files: \(swept.files), removed contents: \(swept.contents)")
        let told = try await database.sweepNotifications(
            in: state.id, before: .now.daysBefore(retention.notificationDays))
        Terminal.tell("forgotten notifications: \(told)")
        try database.close()
    }
}
