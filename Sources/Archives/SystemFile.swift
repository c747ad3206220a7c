import Foundation

/// An open file, closed with the last that holds it. Every call waits for the disk, and any thread
/// may make it.
package final class SystemFile: Sendable {
    let path: String
    private let descriptor: Int32

    package convenience init(reading path: String) throws(ArchiveError) {
        try self.init(path, O_RDONLY)
    }

    /// A new one, for its owner only. There must be none yet.
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

    /// In bytes. A folder has none.
    package func size() throws(ArchiveError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("look at", path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .failed("'\(path)' is a folder")
        }
        return Int64(status.st_size)
    }

    /// Fills the buffer from a place on, and says how far: less only at the end of the file.
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
    /// Bytes from a place on: as many, or less at the end of the file.
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

    /// Writes all of them from a place on, over what is there.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(ArchiveError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(ArchiveError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }
}

// MARK: - Sharing

extension SystemFile {
    /// Keeps others off the file or folder, or out of a part in it, for as long as this is held:
    /// whoever opened it apart, in any process, and locks it too.
    ///
    /// - Parameter operation: `LOCK_SH` or `LOCK_EX`, which wait, or one of them with `LOCK_NB`.
    /// - Returns: False when somebody else has it, and it was not to wait.
    package func lock(_ operation: Int32) throws(ArchiveError) -> Bool {
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw failure("lock", path) }
        }
        return true
    }

    /// Whether it belongs to the user of this process, as does a link that led there, and not
    /// everyone may write to it.
    package func isOnlyOurs() throws(ArchiveError) -> Bool {
        var (named, found) = (stat(), stat())
        guard lstat(path, &named) == 0, fstat(descriptor, &found) == 0 else {
            throw failure("look at", path)
        }
        return named.st_uid == geteuid() && found.st_uid == geteuid()
            && found.st_mode & S_IWOTH == 0
    }
}

/// What the system says of its last call.
private func failure(_ verb: String, _ path: String) -> ArchiveError {
    let code = errno
    guard code != ENOSPC, code != EDQUOT, code != EFBIG else { return .outOfSpace }
    return .failed("cannot \(verb) '\(path)': \(String(cString: strerror(code)).lowercased())")
}
