import Foundation
import SyncEngine

/// A file of a transfer. Every call waits for the disk. Not for two threads at a time.
struct DiskFile {
    private let handle: FileHandle

    /// There must be none yet.
    init(creating path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw diskError(errno, path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    init(reading path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw diskError(errno, path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func append(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: bytes)
        } catch CocoaError.fileWriteOutOfSpace {
            throw SyncError.store(.outOfSpace)
        }
    }

    /// Fewer bytes only at the end.
    func read(_ count: Int, at offset: UInt64) throws -> [UInt8] {
        try handle.seek(toOffset: offset)
        return Array(try handle.read(upToCount: count) ?? Data())
    }

    func size() throws -> UInt64 { try handle.seekToEnd() }
}

private func diskError(_ number: Int32, _ path: String) -> SyncError {
    number == ENOSPC || number == EDQUOT
        ? .store(.outOfSpace)
        : .store(.failed("cannot open '\(path)': \(String(cString: strerror(number)))"))
}
