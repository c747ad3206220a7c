import Foundation
import NIOPosix
import Secrets

/// Where archives lie while they come and go. Several processes may use one at a time.
struct TransferFolder: Sendable {
    let path: String

    /// Removes what processes left that are gone: nobody holds it any more.
    init(path: String) {
        self.path = path
        let left = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in left {
            let transfer = "\(path)/\(name)"
            let descriptor = open(transfer, O_RDONLY)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                try? FileManager.default.removeItem(atPath: transfer)
            }
            close(descriptor)
        }
    }

    func makeTransfer() async throws -> Transfer {
        let path = "\(path)/\(freshGuid())"
        return try await onDisk { try Transfer(path: path) }
    }
}

/// A folder of its own for one archive, gone with the last that holds it.
final class Transfer: Sendable {
    private let path: String
    /// Held as long as the folder is wanted, which ends with the process at the latest.
    private let descriptor: Int32

    init(path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        descriptor = open(path, O_RDONLY)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    deinit {
        let (path, descriptor) = (path, descriptor)
        // What cannot be removed now is removed when a server starts again.
        NIOThreadPool.singleton.submit { _ in
            try? FileManager.default.removeItem(atPath: path)
            close(descriptor)
        }
    }

    func path(of name: String) -> String { "\(path)/\(name)" }
}

/// Does what waits for a disk on a thread that nobody else waits for.
func onDisk<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await NIOThreadPool.singleton.runIfActive { try body() }
}
