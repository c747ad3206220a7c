import ArgumentParser
import EnvironmentCopy
import SyncEngine

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy an environment from one database to another.",
        discussion: """
            The copy contains everything: definitions, users, sessions, records with their \
            history, conflicts, files and notifications. Devices continue with the copy without \
            noticing. It is made from a consistent snapshot, which is not modified, and verified \
            before the environment becomes visible.

              waggle copy --from app.sqlite --to postgres://user@host/name

            An interrupted copy resumes when the command is repeated. To move an environment with \
            a short downtime, copy most of it beforehand while servers run, then stop them, and \
            copy the rest:

              waggle copy --from app.sqlite --to postgres://user@host/name --prepare
            """)

    @Option(help: "The database to copy from: a file, or the address of a PostgreSQL database.")
    var from: String

    @Option(help: "The database to copy to; created if it does not exist.")
    var to: String

    @Option(help: "The environment. (setting: environment; default: test)")
    var environment: String?

    @Option(help: "Another name for the copy; its users have to sign in again.")
    var `as`: String?

    @Flag(help: "Copy the current data, and leave later changes and the last step to a later copy.")
    var prepare = false

    func run() async throws {
        let (origin, place) = (try DatabaseAddress(from), try DatabaseAddress(to))
        guard "\(origin)" != "\(place)" || self.as != nil else {
            throw ToolFailure(
                .wrongUsage, "'\(origin)' cannot be copied to itself under the same name",
                help: "name another database with --to, or another name with --as")
        }
        let request = try await request()
        let source = try await OpenDatabase(origin, creating: false)
        let target = try await OpenDatabase(place, creating: true)
        try await source.log(.copy, environment: request.environment, target: "\(place)")
        try await target.log(.copy, environment: request.name, target: "\(origin)")
        let copy = DatabaseCopy(from: source, to: target)
        let report = try await copy.run(request)
        Terminal.printMessage(
            prepare
                ? "prepared '\(request.name)' in \(place): \(report.summary)"
                : "copied '\(request.environment)' to '\(request.name)' in \(place): "
                    + report.summary)
        try await warnAboutLaterChanges(in: source, report, request)
        try target.close()
        try source.close()
        try report.checkFiles(in: "\(origin)")
    }

    private func request() async throws -> CopyRequest {
        let settings = try await ResolvedSettings(environment: environment)
        var request = CopyRequest(
            environment: settings.environment,
            name: try self.as.map(ResolvedSettings.checkedEnvironment) ?? settings.environment)
        request.publishes = !prepare
        request.epoch = OpenDatabase.freshEpoch
        return request
    }

    private func warnAboutLaterChanges(
        in source: OpenDatabase, _ report: CopyReport, _ request: CopyRequest
    ) async throws {
        let present = try await source.environment(named: request.environment)
        let later = (present?.sequence ?? report.sequence) - report.sequence
        guard later > 0 else { return }
        Terminal.printMessage(
            prepare
                ? "\(later) changes came since; the next copy takes them along"
                : "warning: \(later) changes came since, and are not in the copy: servers still "
                    + "write to \(source.address)")
    }
}
