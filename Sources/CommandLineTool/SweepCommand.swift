import ArgumentParser
import FileExchange
import SyncEngine

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Purge data that was deleted long ago.",
        discussion: """
            A deleted record is kept with its history until absent devices have had time to learn \
            of the deletion. 'waggle serve' purges older ones every hour; this command does so \
            immediately, whether or not a server is running. Guids stay reserved, so that no \
            deleted record comes back. Files that no record names, not even in its history, old \
            notifications, what was refused long ago, and what is kept for devices that have not \
            signed in for 400 days are purged too.

              waggle sweep --database app.sqlite --keep-deleted-days 30
            """)

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var retention: RetentionOptions

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let retention = try await retention.retention(settings)
        let database = try await OpenDatabase(settings.database, creating: false)
        if try await database.environmentNames().isEmpty {
            try await sweepContents(of: database)
        } else {
            try await sweep(settings.environment, of: database, keeping: retention)
        }
        try database.close()
    }

    private func sweep(
        _ environment: String, of database: OpenDatabase, keeping retention: Retention
    ) async throws {
        let state = try await database.existingEnvironment(named: environment)
        try await database.log(.sweep, environment: state.name)
        let progress = Progress("purged records")
        let request = SweepRequest(
            environment: state.id, before: .now.daysBefore(retention.deletedDays), limit: 1000)
        var count = 0
        var hasMore = true
        while hasMore {
            let purged = try await database.sweep(request)
            count += purged.records
            hasMore = purged.hasMore
            progress.show(count)
        }
        progress.end()
        Terminal.printMessage("purged records: \(count)")
        let outcomes = try await database.sweepOutcomes(in: state.id)
        if outcomes > 0 { Terminal.printMessage("deleted expired outcomes: \(outcomes)") }
        let devices = try await database.forgetDevices(in: state.id)
        if devices > 0 { Terminal.printMessage("forgotten devices: \(devices)") }
        let purged = try await database.sweepFiles(
            in: state.id, before: .now.daysBefore(retention.looseFileDays))
        Terminal.printMessage(
            "purged files: \(purged.files), removed contents: \(purged.contents)")
        let notifications = try await database.sweepNotifications(
            in: state.id, before: .now.daysBefore(retention.notificationDays))
        Terminal.printMessage("purged notifications: \(notifications)")
        let refusals = try await database.sweepRefusals(
            in: state.id, before: .now.daysBefore(retention.refusedDays))
        if refusals > 0 { Terminal.printMessage("purged refused data: \(refusals)") }
    }

    /// No environment is left, but contents of files may be.
    private func sweepContents(of database: OpenDatabase) async throws {
        try await database.log(.sweep)
        let count = try await database.sweepContents()
        Terminal.printMessage("no environment is left; removed contents: \(count)")
    }
}
