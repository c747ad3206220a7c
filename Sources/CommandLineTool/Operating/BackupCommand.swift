import ArgumentParser
import EnvironmentCopy

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a backup of a database to a file, while servers run.",
        discussion: """
            The backup is a database file, with the contents of files in a folder beside it: FILE \
            and FILE.files. It contains a consistent snapshot, is read back and verified, and is \
            written completely or not at all: a backup that fails or is interrupted leaves nothing \
            behind. To make backups regularly, see --backup-folder of 'waggle serve'.

              waggle backup app-2026-11-22.sqlite --database app.sqlite
              waggle restore app-2026-11-22.sqlite --database restored.sqlite

            Sessions and the progress of devices are not included, because devices may have seen \
            later states. After a restoration, users sign in again, and devices download the \
            restored records and keep their unsent changes.
            """)

    @Argument(help: "The file to write, which must not exist.")
    var file: String

    @OptionGroup var place: LocationOptions

    @Option(help: "Only this environment; can be repeated. (default: all of them)")
    var environment: [String] = []

    func run() async throws {
        let settings = try await ResolvedSettings(place)
        try await OpenDatabase.opened(place) { database in
            try await database.log(.backup, target: file)
        }
        let backup = Backup(of: settings.database, to: file, environments: environment)
        let reports = try await endingOnSignals { try await backup.run() }
        for (name, report) in reports {
            Terminal.printMessage("backed up '\(name)' to \(file): \(report.summary)")
        }
        for (_, report) in reports { try report.checkFiles(in: "\(settings.database)") }
    }
}
