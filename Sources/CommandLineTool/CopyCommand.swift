import ArgumentParser
import EnvironmentCopy
import SyncEngine

struct CopyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy an environment from one database to another.",
        discussion: """
            Everything goes along: definitions, users, sessions, records with their history, \
            conflicts, files and notifications. Devices go on with the copy as if nothing had \
            happened. What is copied is one moment of the source, and it is read back and compared \
            before the environment is there; the source is left as it is.

              waggle copy --from app.sqlite --to postgres://user@host/name

            A copy that was cut off goes on where it was when the same is said again. To move an \
            environment with a short stop, copy most of it beforehand while servers run, then stop \
            them, and copy the rest:

              waggle copy --from app.sqlite --to postgres://user@host/name --prepare
            """)

    @Option(help: "The database to copy from: a file, or the address of a PostgreSQL database.")
    var from: String

    @Option(help: "The database to copy to; one that is not there is made.")
    var to: String

    @Option(help: "The environment. (setting: environment; default: test)")
    var environment: String?

    @Option(help: "The name of the copy, if it is to have another; users sign in to it anew.")
    var `as`: String?

    @Flag(help: "Copy what is there now, and leave the rest and the last step for a later copy.")
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
        let copy = Copying(from: source, to: target)
        let report = try await copy.run(request)
        Terminal.tell(
            prepare
                ? "prepared '\(request.name)' in \(place): \(report.inWords)"
                : "copied '\(request.environment)' to '\(request.name)' in \(place): "
                    + report.inWords)
        try await tellOfLaterChanges(in: source, report, request)
        try target.close()
        try source.close()
        try report.checkFiles(in: "\(origin)")
    }

    private func request() async throws -> CopyRequest {
        let settings = try await Settings(environment: environment)
        var request = CopyRequest(
            environment: settings.environment,
            name: try self.as.map(Settings.checkedEnvironment) ?? settings.environment)
        request.publishes = !prepare
        return request
    }

    private func tellOfLaterChanges(
        in source: OpenDatabase, _ report: CopyReport, _ request: CopyRequest
    ) async throws {
        let present = try await source.environment(named: request.environment)
        let later = (present?.sequence ?? report.sequence) - report.sequence
        guard later > 0 else { return }
        Terminal.tell(
            prepare
                ? "\(later) changes came since; the next copy takes them along"
                : "warning: \(later) changes came since, and are not in the copy: servers still "
                    + "write to \(source.address)")
    }
}
