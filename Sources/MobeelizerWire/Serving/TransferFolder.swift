import Foundation
import Secrets
import SyncServer
import SystemFiles

/// The folder for archives in transfer. Several processes may share it.
struct TransferFolder: Sendable {
    let path: String

    /// Removes transfers of processes that have ended. A transfer that cannot be removed is removed
    /// at the next start.
    init(path: String) {
        self.path = path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where UUID(uuidString: name) != nil {
            guard let left = try? abandoned(name) else { continue }
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            withExtendedLifetime(left) {}
        }
    }

    /// - Parameters:
    ///   - disk: Also removes the transfer.
    ///   - permit: Ends after the transfer is removed.
    func makeTransfer(
        on disk: DiskThreads, counting permit: UploadPermit? = nil
    ) async throws -> Transfer {
        let folder = self
        return try await disk.run {
            try makeFolder(folder.path)
            let opened = try folder.opened()
            _ = try opened.lock(LOCK_SH)
            defer { withExtendedLifetime(opened) {} }
            return try Transfer(
                path: "\(folder.path)/\(freshGuid())", on: disk, counting: permit)
        }
    }

    /// A transfer that no process holds, now locked; nil if one holds it.
    ///
    /// A new transfer is unlocked for a moment. The lock of the parent folder keeps that moment out
    /// of this check.
    private func abandoned(_ name: String) throws -> SystemFile? {
        let opened = try opened()
        guard try opened.lock(LOCK_EX | LOCK_NB) else { return nil }
        defer { withExtendedLifetime(opened) {} }
        let transfer = try SystemFile(reading: "\(path)/\(name)")
        return try transfer.lock(LOCK_EX | LOCK_NB) ? transfer : nil
    }

    private func opened() throws -> SystemFile {
        let folder = try SystemFile(reading: path)
        guard try folder.isOnlyOurs() else {
            throw SystemFileError.failed(
                "'\(path)' belongs to another user, or everyone may write to it; "
                    + "remove it, and the server makes its own")
        }
        return folder
    }
}

/// A folder for one archive, removed when the last reference is released.
final class Transfer: Sendable {
    private let path: String
    /// Locked while the folder is in use; the lock ends with the process at the latest.
    private let folder: SystemFile
    private let disk: DiskThreads
    private let permit: UploadPermit?

    fileprivate init(path: String, on disk: DiskThreads, counting permit: UploadPermit?) throws {
        self.path = path
        self.disk = disk
        self.permit = permit
        try makeFolder(path)
        folder = try SystemFile(reading: path)
        guard try folder.lock(LOCK_EX | LOCK_NB) else {
            throw SystemFileError.failed("'\(path)' is new, but another process holds it")
        }
    }

    deinit {
        let (path, folder, permit) = (path, folder, permit)
        // A transfer that cannot be removed is removed at the next start.
        disk.start {
            try? FileManager.default.removeItem(atPath: path)
            withExtendedLifetime((folder, permit)) {}
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }
}

/// Creates a folder for its owner only, unless it exists.
private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}
