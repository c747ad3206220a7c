import ArgumentParser
import EnvironmentCopy
import Foundation

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a backup of a database to a file, while servers run.",
        discussion: """
            The backup is a database file, with the contents of files in a folder beside it: FILE \
            and FILE.files. It contains a consistent snapshot, is read back and verified, and is \
            written completely or not at all.

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
        let draft = BackupDraft(path: file)
        try draft.begin()
        let source = try await OpenDatabase(settings.database, creating: false)
        let target = try await OpenDatabase(.file(draft.temporaryPath), creating: true)
        let copy = DatabaseCopy(from: source, to: target)
        let reports = try await copy.withSnapshot { snapshot throws(ToolFailure) in
            let names = try await chosen(from: copy.environments(in: snapshot), in: source)
            var reports: [(name: String, report: CopyReport)] = []
            for name in names {
                var request = CopyRequest(environment: name, name: name)
                request.keepsSessions = false
                reports.append((name, try await copy.run(request, of: snapshot)))
            }
            return reports
        }
        try target.close()
        try source.close()
        try draft.finish()
        for (name, report) in reports {
            Terminal.printMessage("backed up '\(name)' to \(file): \(report.summary)")
        }
        for (_, report) in reports { try report.checkFiles(in: "\(source.address)") }
    }

    private func chosen(
        from present: [String], in source: OpenDatabase
    ) throws(ToolFailure) -> [String] {
        if let unknown = environment.first(where: { !present.contains($0) }) {
            throw ToolFailure(
                .inputAtFault, "'\(source.address)' has no environment '\(unknown)'",
                help: "it has \(present.map { "'\($0)'" }.joined(separator: ", "))")
        }
        guard !present.isEmpty else {
            throw ToolFailure(
                .inputAtFault, "'\(source.address)' has no environment to back up",
                help: "name another database with --database")
        }
        return environment.isEmpty ? present : environment
    }
}

/// A backup in progress, under a temporary name.
private struct BackupDraft {
    let path: String

    var temporaryPath: String { path + ".partial" }

    private static let contents = ".files"

    /// The file is for its owner only, because it contains password hashes.
    func begin() throws(ToolFailure) {
        let files = FileManager.default
        for taken in [path, path + Self.contents] where files.fileExists(atPath: taken) {
            throw ToolFailure(
                .inputAtFault, "'\(taken)' already exists",
                help: "name another file: a backup never replaces one")
        }
        // File contents from an interrupted backup can be reused; its database cannot.
        for suffix in ["", "-wal", "-shm"] where files.fileExists(atPath: temporaryPath + suffix) {
            try attempting { try files.removeItem(atPath: temporaryPath + suffix) }
        }
        guard
            files.createFile(
                atPath: temporaryPath, contents: nil, attributes: [.posixPermissions: 0o600])
        else {
            throw ToolFailure(
                .machineFailed, "'\(temporaryPath)' cannot be written",
                help: "name a folder that exists and that you may write to")
        }
    }

    /// Call this after closing the database.
    func finish() throws(ToolFailure) {
        let files = FileManager.default
        try checkLogIsEmpty()
        for suffix in ["-wal", "-shm"] where files.fileExists(atPath: temporaryPath + suffix) {
            try attempting { try files.removeItem(atPath: temporaryPath + suffix) }
        }
        if files.fileExists(atPath: temporaryPath + Self.contents) {
            try attempting {
                try files.moveItem(
                    atPath: temporaryPath + Self.contents, toPath: path + Self.contents)
            }
        }
        try attempting {
            try files.moveItem(atPath: temporaryPath, toPath: path)
            // Makes the new names survive a loss of power.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try FileHandle(forReadingFrom: folder).synchronize()
        }
    }

    /// Checks that the database file is complete without its write-ahead log.
    private func checkLogIsEmpty() throws(ToolFailure) {
        let log = try? FileManager.default.attributesOfItem(atPath: temporaryPath + "-wal")
        guard (log?[.size] as? Int ?? 0) == 0 else {
            throw ToolFailure(
                .machineFailed, "another program has '\(temporaryPath)' open",
                help: "end it, and back up again")
        }
    }

    private func attempting(_ body: () throws -> Void) throws(ToolFailure) {
        do {
            try body()
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(path)' cannot be written: \(Disk.reason(error))",
                help: "what was written is in '\(temporaryPath)'; see to the folder and try again")
        }
    }
}
