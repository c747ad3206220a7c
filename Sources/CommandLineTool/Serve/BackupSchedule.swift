import Foundation
import SyncEngine

/// Regular backups in a folder: when the next one is due, and which of them are kept.
struct BackupSchedule: Sendable {
    let folder: String
    let everyHours: Int
    /// The latest ones that are kept, with their contents of files.
    let keep: Int

    /// A failed backup is tried again after this time, or at the next one's.
    private static let retrySeconds: Int64 = 900

    /// Creates the folder if it does not exist.
    func prepare() throws(ToolFailure) {
        try Disk.makePrivateFolder(folder) { reason in
            ToolFailure(
                .machineFailed, "no backups can be written to '\(folder)': \(reason)",
                help: "name a folder that you may write to with --backup-folder")
        }
    }

    /// The moment of the latest backup; nil if there is none.
    func latest(at now: Instant) throws -> Instant? {
        try names(at: now).past.last.flatMap(Self.moment)
    }

    /// The names of backups that a wrong clock dated later than now. They count as not there:
    /// the next backup does not wait for their time, and they are neither kept nor removed.
    func misdated(at now: Instant) throws -> [String] { try names(at: now).future }

    /// The seconds until the next backup is due.
    ///
    /// - Parameter failedAt: The moment of the last attempt, if that failed.
    func secondsUntilNext(at now: Instant, failedAt: Instant?) throws -> Int64 {
        let interval = Int64(everyHours) * 3600
        if let failedAt {
            let next = failedAt.adding(seconds: min(interval, Self.retrySeconds))
            return max(0, (next.milliseconds - now.milliseconds) / 1000)
        }
        guard let latest = try latest(at: now) else { return 0 }
        let next = latest.adding(seconds: interval)
        return max(0, (next.milliseconds - now.milliseconds) / 1000)
    }

    /// The file of a backup. Names are in the order of time.
    func path(at moment: Instant) -> String {
        let date = Date(timeIntervalSince1970: Double(moment.milliseconds / 1000))
        return "\(folder)/\(Self.prefix)\(date.formatted(Self.style))\(Self.suffix)"
    }

    /// Writes the persons that were erased in a database beside its backups, if there are some:
    /// `waggle restore` erases them again. Those that are listed there stay, because the database
    /// may be an older one.
    func writeErasures(of database: DatabaseAddress) async throws {
        let path = "\(folder)/\(Self.erasuresName)"
        var list =
            FileManager.default.fileExists(atPath: path)
            ? try ErasureList(path: path) : ErasureList()
        let former = list.text
        let open = try await OpenDatabase(database, creating: false)
        for name in try await open.environmentNames() { try await open.add(name, to: &list) }
        try open.close()
        guard !list.isEmpty, list.text != former else { return }
        try Data(list.text.utf8).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// The list beside a regular backup; nil if the file is another one, or there is none.
    static func erasures(beside path: String) -> String? {
        let file = URL(filePath: path)
        guard moment(of: file.lastPathComponent) != nil else { return nil }
        let list = file.deletingLastPathComponent().appending(path: erasuresName).path
        return FileManager.default.fileExists(atPath: list) ? list : nil
    }

    /// Removes all but the latest backups, and what killed ones left. Returns the removed files.
    func removeOld(at now: Instant) throws -> [String] {
        let files = FileManager.default
        let old = try names(at: now).past.dropLast(keep)
        for name in old {
            // The contents first: without the database, nothing would tell whose they are.
            let contents = "\(folder)/\(name)\(BackupDraft.contents)"
            if files.fileExists(atPath: contents) { try files.removeItem(atPath: contents) }
            try files.removeItem(atPath: "\(folder)/\(name)")
        }
        for name in try files.contentsOfDirectory(atPath: folder) where isRemains(name) {
            try files.removeItem(atPath: "\(folder)/\(name)")
        }
        return Array(old)
    }

    /// Whether a name is that of a backup in progress, or of contents without a database.
    private func isRemains(_ name: String) -> Bool {
        if name.hasPrefix(Self.prefix), name.contains("\(Self.suffix).partial") { return true }
        guard name.hasSuffix(BackupDraft.contents) else { return false }
        let database = String(name.dropLast(BackupDraft.contents.count))
        return Self.moment(of: database) != nil
            && !FileManager.default.fileExists(atPath: "\(folder)/\(database)")
    }

    /// The names of complete backups, the oldest first, and those of backups that are dated later
    /// than now. Other files are nobody's here.
    private func names(at now: Instant) throws -> (past: [String], future: [String]) {
        var names: (past: [String], future: [String]) = ([], [])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard let moment = Self.moment(of: name) else { continue }
            if moment > now { names.future.append(name) } else { names.past.append(name) }
        }
        return names
    }

    private static func moment(of name: String) -> Instant? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
        let text = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard let date = try? Date(String(text), strategy: style) else { return nil }
        return Instant(milliseconds: Int64(date.timeIntervalSince1970) * 1000)
    }

    private static let prefix = "waggle-"
    private static let suffix = ".sqlite"
    private static let erasuresName = "waggle-erasures.jsonl"
    /// `20261122T083000Z`
    private static let style = Date.ISO8601FormatStyle(
        dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
}
