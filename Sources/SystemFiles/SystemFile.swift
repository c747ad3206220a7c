import Foundation

/// An open file or folder, closed when the last reference is released, which also releases its
/// lock. Calls block on the disk, and are safe on any thread.
package final class SystemFile: Sendable {
    package let path: String
    private let descriptor: Int32

    package convenience init(reading path: String) throws(SystemFileError) {
        try self.init(path, O_RDONLY)
    }

    /// Creates a file for its owner only. Throws if it exists.
    package convenience init(creating path: String) throws(SystemFileError) {
        try self.init(path, O_RDWR | O_CREAT | O_EXCL)
    }

    /// `flags` are those of `open`. A file that is created is for its owner only.
    package init(_ path: String, _ flags: Int32) throws(SystemFileError) {
        self.path = path
        descriptor = opened(path, flags)
        guard descriptor >= 0 else { throw SystemFileError("open", path) }
    }

    /// Nil if the file does not exist.
    package init?(existing path: String, _ flags: Int32) throws(SystemFileError) {
        self.path = path
        descriptor = opened(path, flags)
        if descriptor < 0 && errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw SystemFileError("open", path) }
    }

    deinit {
        close(descriptor)
    }

    /// In bytes. Throws for a folder.
    package func size() throws(SystemFileError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemFileError("look at", path) }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .failed("'\(path)' is a folder")
        }
        return Int64(status.st_size)
    }

    /// Reads into the buffer from an offset, and returns the number of bytes: fewer only at the end
    /// of the file.
    package func read(
        _ buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemFileError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let read = pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            if read < 0 && errno == EINTR { continue }
            guard read >= 0 else { throw SystemFileError("read", path) }
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    /// Writes all of the buffer at an offset, and overwrites what is there.
    package func write(
        _ buffer: UnsafeRawBufferPointer, at offset: Int64
    ) throws(SystemFileError) {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
            let written = pwrite(
                descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else { throw SystemFileError("write", path) }
            count += written
        }
    }

    /// When this returns, written data survives a loss of power.
    package func synchronize() throws(SystemFileError) {
        #if canImport(Darwin)
            let result = fcntl(descriptor, F_FULLFSYNC)
        #else
            let result = fsync(descriptor)
        #endif
        guard result == 0 else { throw SystemFileError("synchronize", path) }
    }
}

extension SystemFile {
    /// Up to `count` bytes from an offset: fewer only at the end of the file.
    package func bytes(_ count: Int, at offset: Int64) throws(SystemFileError) -> [UInt8] {
        var failed: SystemFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
            do throws(SystemFileError) {
                length = try read(UnsafeMutableRawBufferPointer(buffer), at: offset)
            } catch {
                failed = error
            }
        }
        if let failed { throw failed }
        return bytes
    }

    /// Writes all bytes at an offset, and overwrites what is there.
    package func write(_ bytes: [UInt8], at offset: Int64) throws(SystemFileError) {
        try bytes.withUnsafeBufferPointer { (buffer) throws(SystemFileError) in
            try write(UnsafeRawBufferPointer(buffer), at: offset)
        }
    }
}

// MARK: - Sharing

extension SystemFile {
    /// Locks the file or folder with `flock` while this object lives, against other descriptors in
    /// any process.
    ///
    /// - Parameter operation: `LOCK_SH` or `LOCK_EX`, which wait, one of them with `LOCK_NB`, or
    ///   `LOCK_UN`.
    /// - Returns: False if another descriptor holds a conflicting lock and `LOCK_NB` was given.
    @discardableResult
    package func lock(_ operation: Int32) throws(SystemFileError) -> Bool {
        while flock(descriptor, operation) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw SystemFileError("lock", path) }
        }
        return true
    }

    /// Whether the path still leads to this file, which others may have removed or replaced since
    /// it was opened.
    package func isStillThere() throws(SystemFileError) -> Bool {
        var (named, found) = (stat(), stat())
        guard fstat(descriptor, &found) == 0 else { throw SystemFileError("look at", path) }
        return stat(path, &named) == 0 && named.st_ino == found.st_ino
            && named.st_dev == found.st_dev
    }

    /// Whether the user of this process owns the file, and a symbolic link to it, and not everyone
    /// may write to it.
    package func isOnlyOurs() throws(SystemFileError) -> Bool {
        var (named, found) = (stat(), stat())
        guard lstat(path, &named) == 0, fstat(descriptor, &found) == 0 else {
            throw SystemFileError("look at", path)
        }
        return named.st_uid == geteuid() && found.st_uid == geteuid()
            && found.st_mode & S_IWOTH == 0
    }
}

/// The descriptor; negative if it failed.
private func opened(_ path: String, _ flags: Int32) -> Int32 {
    while true {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor < 0 && errno == EINTR else { return descriptor }
    }
}
