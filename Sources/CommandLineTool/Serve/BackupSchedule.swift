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
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw ToolFailure(
                .machineFailed, "no backups can be written to '\(folder)': \(Disk.reason(error))",
                help: "name a folder that you may write to with --backup-folder")
        }
    }

    /// The moment of the latest backup; nil if there is none.
    func latest() throws -> Instant? { try names().last.flatMap(Self.moment) }

    /// The seconds until the next backup is due.
    ///
    /// - Parameter failedAt: The moment of the last attempt, if that failed.
    func secondsUntilNext(at now: Instant, failedAt: Instant?) throws -> Int64 {
        let interval = Int64(everyHours) * 3600
        if let failedAt {
            let next = failedAt.adding(seconds: min(interval, Self.retrySeconds))
            return max(0, (next.milliseconds - now.milliseconds) / 1000)
        }
        guard let latest = try latest() else { return 0 }
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
        guard list.text != former else { return }
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
    func removeOld() throws -> [String] {
        let files = FileManager.default
        let old = try names().dropLast(keep)
        for name in old {
            try files.removeItem(atPath: "\(folder)/\(name)")
            let contents = "\(folder)/\(name).files"
            if files.fileExists(atPath: contents) { try files.removeItem(atPath: contents) }
        }
        for name in try files.contentsOfDirectory(atPath: folder)
        where name.hasPrefix(Self.prefix) && name.contains("\(Self.suffix).partial") {
            try files.removeItem(atPath: "\(folder)/\(name)")
        }
        return Array(old)
    }

    /// The names of complete backups, the oldest first. Other files are nobody's here.
    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { Self.moment(of: $0) != nil }.sorted()
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
