import ArgumentParser
import EnvironmentCopy

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put what is in a backup into a database.",
        discussion: """
            The database may be of either kind, and other environments in it may be served \
            meanwhile. An environment is never replaced: restore to a new database, or under \
            another name. What was restored is read back and compared before it is there; a \
            restoration that was cut off goes on where it was when the same is said again.

              waggle restore app-2026-11-22.sqlite --database restored.sqlite
              waggle restore app-2026-11-22.sqlite --database postgres://user@host/name \
            --environment test --as test-of-yesterday
            """)

    @Argument(help: "The backup, as 'waggle backup' wrote it.")
    var file: String

    @OptionGroup var place: PlaceOptions

    @Option(help: "Only this environment; can be repeated. (default: all that are in the backup)")
    var environment: [String] = []

    @Option(help: "The name that the one environment gets.")
    var `as`: String?

    func validate() throws {
        if self.as != nil, environment.count != 1 {
            throw ValidationError("--as goes with one --environment.")
        }
    }

    func run() async throws {
        let settings = try await Settings(place)
        let source = try await OpenDatabase(.file(file), creating: false)
        let target = try await OpenDatabase(settings.database, creating: true)
        let copy = Copying(from: source, to: target)
        let name = try self.as.map(Settings.checkedEnvironment)
        let reports = try await copy.withSnapshot { snapshot throws(ToolFailure) in
            let present = try await copy.environments(in: snapshot)
            var reports: [CopyReport] = []
            for chosen in environment.isEmpty ? present : environment {
                let request = CopyRequest(environment: chosen, name: name ?? chosen)
                let report = try await copy.run(request, of: snapshot)
                Terminal.tell(
                    "restored '\(request.name)' in \(settings.database): \(report.inWords)")
                reports.append(report)
            }
            return reports
        }
        try target.close()
        try source.close()
        for report in reports { try report.checkFiles(in: file) }
    }
}
