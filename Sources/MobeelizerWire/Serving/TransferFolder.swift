import Archives
import Foundation
import NIOPosix
import Secrets

/// Where archives lie while they come and go. Several processes may use one at a time.
struct TransferFolder: Sendable {
    let path: String

    /// Removes what processes left that are gone: nobody holds it any more. What cannot be removed
    /// now is removed when a server starts again.
    init(path: String) {
        self.path = path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where UUID(uuidString: name) != nil {
            guard let left = try? abandoned(name) else { continue }
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
            withExtendedLifetime(left) {}
        }
    }

    func makeTransfer() async throws -> Transfer {
        let folder = self
        return try await onDisk {
            try makeFolder(folder.path)
            let opened = try folder.opened()
            _ = try opened.lock(LOCK_SH)
            defer { withExtendedLifetime(opened) {} }
            return try Transfer(path: "\(folder.path)/\(freshGuid())")
        }
    }

    /// Nil for a transfer that somebody holds. It is held from here on.
    ///
    /// A new one is held by nobody for a moment, so none is looked at while one is made.
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
            throw ArchiveError.failed(
                "'\(path)' belongs to another user, or everyone may write to it; "
                    + "remove it, and the server makes its own")
        }
        return folder
    }
}

/// A folder of its own for one archive, gone with the last that holds it.
final class Transfer: Sendable {
    private let path: String
    /// Locked as long as the folder is wanted, which ends with the process at the latest.
    private let folder: SystemFile

    fileprivate init(path: String) throws {
        self.path = path
        try makeFolder(path)
        folder = try SystemFile(reading: path)
        guard try folder.lock(LOCK_EX | LOCK_NB) else {
            throw ArchiveError.failed("'\(path)' is new, and somebody else holds it")
        }
    }

    deinit {
        let (path, folder) = (path, folder)
        // What cannot be removed now is removed when a server starts again.
        NIOThreadPool.singleton.submit { _ in
            try? FileManager.default.removeItem(atPath: path)
            withExtendedLifetime(folder) {}
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }
}

/// For its owner only, where there is none.
private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}

/// Does what waits for a disk on a thread that nobody else waits for.
func onDisk<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive { try body() }
}
