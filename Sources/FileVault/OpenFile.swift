import Foundation
import SyncEngine

/// An open file or folder, closed when the last reference is released, which also releases its
/// lock.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    convenience init(_ path: String, _ flags: Int32) throws(StoreError) {
        guard let descriptor = try opened(path, flags) else {
            throw .failed("'\(path)' does not exist")
        }
        self.init(descriptor, path: path)
    }

    private init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Nil if the file does not exist.
    static func existing(_ path: String, _ flags: Int32) throws(StoreError) -> OpenFile? {
        try opened(path, flags).map { OpenFile($0, path: path) }
    }

    func size() throws(StoreError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("look at", path) }
        return Int64(status.st_size)
    }

    /// Returns fewer bytes only at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8] {
        var failed: StoreError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            while length < count {
                let place = buffer.baseAddress.map { $0 + length }
                let read = pread(descriptor, place, count - length, off_t(offset) + off_t(length))
                if read < 0 && errno == EINTR { continue }
                if read < 0 { failed = failure("read", path) }
                guard read > 0 else { break }
                length += read
            }
        }
        if let failed { throw failed }
        return bytes
    }

    func write(_ bytes: [UInt8], at offset: Int64) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written,
                    off_t(offset) + off_t(written))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure("write", path) }
            written += count
        }
    }

    /// When this returns, written data survives a loss of power.
    func synchronize() throws(StoreError) {
        #if canImport(Darwin)
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw failure("synchronize", path) }
    }

    /// `LOCK_SH`, `LOCK_EX` or `LOCK_UN`; waits for conflicting locks.
    func lock(_ operation: Int32) throws(StoreError) {
        while flock(descriptor, operation) != 0 {
            guard errno == EINTR else { throw failure("lock", path) }
        }
    }
}

/// Nil if the file does not exist.
private func opened(_ path: String, _ flags: Int32) throws(StoreError) -> Int32? {
    while true {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        if descriptor >= 0 { return descriptor }
        if errno == ENOENT && flags & O_CREAT == 0 { return nil }
        guard errno == EINTR else { throw failure("open", path) }
    }
}
