import Foundation

/// An open file, closed when the last reference is released. Calls block on the disk, and are safe
/// on any thread.
package final class SystemFile: Sendable {
    let path: String
    private let descriptor: Int32

    package convenience init(reading path: String) throws(ArchiveError) {
        try self.init(path, O_RDONLY)
    }

    /// Creates a file for its owner only. Throws if it exists.
    package convenience init(creating path: String) throws(ArchiveError) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL)
    }

    init(_ path: String, _ flags: Int32) throws(ArchiveError) {
        self.path = path
        var opened: Int32
        repeat { opened = open(path, flags | O_CLOEXEC, 0o600) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw failure("open", path) }
        descriptor = opened
    }

    deinit {
        close(descriptor)
    }

    /// In bytes; 0 for a folder.
    package func size() throws(ArchiveError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("look at", path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .failed("'\(path)' is a folder")
        }
        return Int64(status.st_size)
    }

    /// Reads into the buffer from an offset, and returns the number of bytes: fewer only at the end
    /// of the file.
    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(ArchiveError) -> Int
    {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw failure("read", path) }
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
            let written = pwrite(
                descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw failure("write", path) }
            count += written
        }
    }
}

extension SystemFile {
    /// Up to `count` bytes from an offset: fewer only at the end of the file.
    package func bytes(_ count: Int, at offset: Int64) throws(ArchiveError) -> [UInt8] {
        var failed: ArchiveError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            do throws(ArchiveError) {
                length = try read(UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failed = error
            }
        }
        if let failed { throw failed }
        return bytes
    }

    /// Writes all bytes at an offset, and overwrites what is there.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(ArchiveError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }
}

// MARK: - Sharing

extension SystemFile {
    /// Locks the file or folder with `flock` while this object lives, against other descriptors in
    /// any process.
    ///
    /// - Parameter operation: `LOCK_SH` or `LOCK_EX`, which wait, or one of them with `LOCK_NB`.
    /// - Returns: False if another descriptor holds a conflicting lock and `LOCK_NB` was given.
    package func lock(_ operation: Int32) throws(ArchiveError) -> Bool {
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw failure("lock", path) }
        }
        return true
    }

    /// Whether the user of this process owns the file, and a symbolic link to it, and not everyone
    /// may write to it.
    package func isOnlyOurs() throws(ArchiveError) -> Bool {
        var (named, found) = (stat(), stat())
        guard lstat(path, &named) == 0, fstat(descriptor, &found) == 0 else {
            throw failure("look at", path)
        }
        return named.st_uid == geteuid() && found.st_uid == geteuid()
            && found.st_mode & S_IWOTH == 0
    }
}

/// The system's message for its last error.
private func failure(_ verb: String, _ path: String) -> ArchiveError {
    let code = errno
    guard code != ENOSPC, code != EDQUOT, code != EFBIG else { return .outOfSpace }
    return .failed("cannot \(verb) '\(path)': \(String(cString: strerror(code)).lowercased())")
}
