import ArgumentParser
import DefinitionModel
import EnvironmentCopy
import Foundation

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a backup to a database.",
        discussion: """
            The database may be of either kind, and its other environments may be served \
            meanwhile. An environment is never replaced: restore to a new database, or under \
            another name. The restored data is verified before it becomes visible; an interrupted \
            restoration resumes when the command is repeated.

              waggle restore app-2026-11-22.sqlite --database restored.sqlite
              waggle restore app-2026-11-22.sqlite --database postgres://user@host/name \
            --environment test --as test-of-yesterday
            """)

    @Argument(help: "A backup from 'waggle backup'.")
    var file: String

    @OptionGroup var place: LocationOptions

    @Option(help: "Only this environment; can be repeated. (default: all that are in the backup)")
    var environment: [String] = []

    @Option(help: "Another name for the environment.")
    var `as`: String?

    @Option(
        help: """
            A list from 'waggle user erasures': these persons are erased again. (default: the \
            list beside a regular backup)
            """)
    var erasures: String?

    func validate() throws {
        if self.as != nil, environment.count != 1 {
            throw ValidationError("--as goes with one --environment.")
        }
    }

    private var listPath: String? { erasures ?? BackupSchedule.erasures(beside: file) }

    /// Erases the persons of the list again. The backup does not know who was erased after it was
    /// made, so this warns of each environment that the list does not cover.
    private func eraseAgain(
        _ list: ErasureList?, in restored: [CopyRequest], of target: OpenDatabase
    ) async throws {
        for request in restored {
            guard let list else { break }
            let isCovered = try await target.eraseAgain(
                list, in: request.environment, named: request.name)
            if !isCovered {
                Terminal.printMessage(
                    "warning: the list of erasures does not have environment "
                        + "'\(request.environment)': who was erased there after the backup was "
                        + "made is back in '\(request.name)'; erase them again, with "
                        + "'waggle user erase'")
            }
        }
        if list != nil, erasures == nil, let listPath { try warnOfAge(ofList: listPath) }
        if list == nil {
            Terminal.printMessage(
                "warning: who was erased after the backup was made is back: erase them again, "
                    + "with 'waggle user erase', or restore with --erasures")
        }
    }

    /// The list beside regular backups is written with each of them, not with each erasure.
    private func warnOfAge(ofList path: String) throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let time = (attributes[.modificationDate] as? Date).map {
            " at \(readableInstant(milliseconds: Int64($0.timeIntervalSince1970) * 1000))"
        }
        Terminal.printMessage(
            "warning: '\(path)' was written\(time ?? ""): who was erased since is back, erase "
                + "them again, with 'waggle user erase'")
    }

    private func checkIsThere() throws(ToolFailure) {
        guard FileManager.default.fileExists(atPath: file) else {
            throw ToolFailure(
                .inputAtFault, "there is no backup '\(file)'",
                help: "name a file that 'waggle backup' wrote")
        }
    }

    func run() async throws {
        let settings = try await ResolvedSettings(place)
        try checkIsThere()
        let list = try listPath.map { try ErasureList(path: $0) }
        let source = try await OpenDatabase(.file(file), creating: false)
        let target = try await OpenDatabase(settings.database, creating: true)
        let copy = DatabaseCopy(from: source, to: target)
        let name = try self.as.map(ResolvedSettings.checkedEnvironment)
        var restored: [CopyRequest] = []
        let reports = try await copy.withSnapshot { snapshot throws(ToolFailure) in
            let present = try await copy.environments(in: snapshot)
            var reports: [CopyReport] = []
            for chosen in environment.isEmpty ? present : environment {
                var request = CopyRequest(environment: chosen, name: name ?? chosen)
                request.epoch = OpenDatabase.freshEpoch
                try await target.log(.restore, environment: request.name, target: file)
                let report = try await copy.run(request, of: snapshot)
                Terminal.printMessage(
                    "restored '\(request.name)' in \(settings.database): \(report.summary)")
                reports.append(report)
                restored.append(request)
            }
            return reports
        }
        try await eraseAgain(list, in: restored, of: target)
        try target.close()
        try source.close()
        for report in reports { try report.checkFiles(in: file) }
    }
}
