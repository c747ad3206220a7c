import EnvironmentCopy

/// A backup of environments to a file that does not exist.
struct Backup: Sendable {
    private let origin: DatabaseAddress
    private let draft: BackupDraft
    /// All of them if it is empty.
    private let wanted: [String]

    init(of origin: DatabaseAddress, to path: String, environments: [String] = []) {
        self.origin = origin
        draft = BackupDraft(path: path)
        wanted = environments
    }

    /// Writes the backup, reads it back, and checks the file. Leaves nothing if it fails or is
    /// cancelled. Contents of files that are missing in the source are in the report.
    func run() async throws -> [(name: String, report: CopyReport)] {
        try draft.begin()
        do {
            let reports = try await reports(of: OpenDatabase(origin, creating: false))
            try draft.finish()
            return reports
        } catch {
            draft.discard()
            throw error
        }
    }

    private func reports(
        of source: OpenDatabase
    ) async throws -> [(name: String, report: CopyReport)] {
        // Closing again does nothing; an error of the copy is the one to report.
        defer { try? source.close() }
        let target = try await OpenDatabase(.file(draft.temporaryPath), creating: true)
        let copy = DatabaseCopy(from: source, to: target)
        defer { try? target.close() }
        let reports = try await copy.withSnapshot { snapshot throws(ToolFailure) in
            let names = try chosen(from: try await copy.environments(in: snapshot))
            var reports: [(name: String, report: CopyReport)] = []
            for name in names {
                var request = CopyRequest(environment: name, name: name)
                request.keepsSessions = false
                reports.append((name, try await copy.run(request, of: snapshot)))
            }
            return reports
        }
        try await target.checkIntegrity()
        try target.close()
        try source.close()
        return reports
    }

    private func chosen(from present: [String]) throws(ToolFailure) -> [String] {
        if let unknown = wanted.first(where: { !present.contains($0) }) {
            throw ToolFailure(
                .inputAtFault, "'\(origin)' has no environment '\(unknown)'",
                help: "it has \(present.map { "'\($0)'" }.joined(separator: ", "))")
        }
        guard !present.isEmpty else {
            throw ToolFailure(
                .inputAtFault, "'\(origin)' has no environment to back up",
                help: "name another database with --database")
        }
        return wanted.isEmpty ? present : wanted
    }
}
