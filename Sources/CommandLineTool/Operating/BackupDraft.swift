import Foundation
import SystemPackage

/// A backup in progress, under a temporary name.
struct BackupDraft {
    let path: String

    var temporaryPath: String { path + ".partial" }

    /// The folder with the contents of files has this after the name of the database.
    static let contents = ".files"
    private static let suffixes = ["", "-wal", "-shm"]

    /// The file is for its owner only, because it contains password hashes.
    func begin() throws(ToolFailure) {
        let files = FileManager.default
        for taken in [path, path + Self.contents] where files.fileExists(atPath: taken) {
            throw ToolFailure(
                .inputAtFault, "'\(taken)' already exists",
                help: "name another file: a backup never replaces one")
        }
        // A backup that was killed. Its contents of files can be reused; its database cannot.
        for suffix in Self.suffixes where files.fileExists(atPath: temporaryPath + suffix) {
            try attempting { try files.removeItem(atPath: temporaryPath + suffix) }
        }
        try attempting(help: "name a folder that exists and that you may write to") {
            try FileDescriptor.open(
                temporaryPath, .writeOnly, options: [.create, .exclusiveCreate],
                permissions: [.ownerReadWrite]
            ).close()
        }
    }

    /// Call this after closing the database.
    func finish() throws(ToolFailure) {
        let files = FileManager.default
        try checkLogIsEmpty()
        for suffix in Self.suffixes.dropFirst()
        where files.fileExists(atPath: temporaryPath + suffix) {
            try attempting { try files.removeItem(atPath: temporaryPath + suffix) }
        }
        var moved: [String] = []
        do throws(ToolFailure) {
            for suffix in [Self.contents, ""]
            where files.fileExists(atPath: temporaryPath + suffix) {
                try attempting {
                    try files.moveItem(atPath: temporaryPath + suffix, toPath: path + suffix)
                }
                moved.append(path + suffix)
            }
            // Makes the new names survive a loss of power.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try attempting { try FileHandle(forReadingFrom: folder).synchronize() }
        } catch {
            // This backup has the names: nothing is moved to where something is.
            for path in moved { try? files.removeItem(atPath: path) }
            throw error
        }
    }

    /// Removes what was written. Call this after closing the database.
    func discard() {
        for suffix in Self.suffixes + [Self.contents] {
            // The reason why the backup failed is reported; this one may be the same.
            try? FileManager.default.removeItem(atPath: temporaryPath + suffix)
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

    private func attempting(
        help: String = "check the folder and the free space on its disk, and try again",
        _ body: () throws -> Void
    ) throws(ToolFailure) {
        do {
            try body()
        } catch {
            throw ToolFailure(
                .machineFailed, "'\(path)' cannot be written: \(Disk.reason(error))", help: help)
        }
    }
}
