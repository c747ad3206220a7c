import CZip
import Foundation
import SystemFiles

/// A file as a source for libzip. All access is through these callbacks, so that every failure is
/// known with its file and the system's message, and libzip sees only a part of the file if needed.
final class FileSource {
    private let path: String
    private let isWritable: Bool
    /// Nil for a file that is open only while libzip reads it.
    private let held: SystemFile?
    private var opened: SystemFile?
    private var size: Int64 = 0
    private var readOffset: Int64 = 0
    private var writeOffset: Int64 = 0
    private var reason = zip_error_t()
    /// The first failure.
    private(set) var failure: ArchiveError?
    /// Bytes before this offset read as zeros.
    var shownFrom: Int64 = 0

    /// A file that stays open.
    init(_ file: SystemFile, isWritable: Bool) {
        path = file.path
        held = file
        self.isWritable = isWritable
    }

    /// A file that is opened each time it is read, so that many files need no descriptors.
    init(reading path: String) {
        self.path = path
        held = nil
        isWritable = false
    }

    /// Returns a source of this file, which retains this object. The caller owns it until it is
    /// passed to libzip.
    func makeSource() throws(ArchiveError) -> OpaquePointer {
        let state = Unmanaged.passRetained(self)
        guard let source = zip_source_function_create(serve, state.toOpaque(), &reason) else {
            state.release()
            throw .failed("libzip cannot take '\(path)': \(message(of: &reason))")
        }
        return source
    }
}

/// The message of libzip for an error.
func message(of error: UnsafeMutablePointer<zip_error_t>) -> String {
    defer { zip_error_fini(error) }
    return String(cString: zip_error_strerror(error)).lowercased()
}

/// The callback for libzip.
private func serve(
    state: UnsafeMutableRawPointer?, bytes: UnsafeMutableRawPointer?, count: UInt64,
    command: zip_source_cmd_t
) -> Int64 {
    guard let state else { return -1 }
    let source = Unmanaged<FileSource>.fromOpaque(state)
    guard command != ZIP_SOURCE_FREE else {
        source.release()
        return 0
    }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(clamping: count))
    return source.takeUnretainedValue().answer(command, buffer)
}

// MARK: - Calls

extension FileSource {
    /// Returns -1 on failure; libzip then asks for the error.
    fileprivate func answer(
        _ command: zip_source_cmd_t, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int64 {
        do throws(SystemFileError) {
            return try carryOut(command, buffer)
        } catch {
            failure = failure ?? ArchiveError(error)
            return refuse(ZIP_ER_READ, EIO)
        }
    }

    private func carryOut(
        _ command: zip_source_cmd_t, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemFileError) -> Int64 {
        switch command {
        case ZIP_SOURCE_SUPPORTS: return commands
        case ZIP_SOURCE_ERROR: return report(in: buffer)
        case ZIP_SOURCE_STAT: return try describe(in: buffer)
        case ZIP_SOURCE_OPEN: return try open()
        case ZIP_SOURCE_CLOSE: opened = nil
        case ZIP_SOURCE_READ: return try read(buffer)
        case ZIP_SOURCE_SEEK: return seek(&readOffset, within: size, buffer)
        case ZIP_SOURCE_TELL: return readOffset
        case ZIP_SOURCE_BEGIN_WRITE: writeOffset = 0
        case ZIP_SOURCE_WRITE: return try write(buffer)
        case ZIP_SOURCE_SEEK_WRITE: return seek(&writeOffset, within: size, buffer)
        case ZIP_SOURCE_TELL_WRITE: return writeOffset
        // The writer decides about the file.
        case ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE, ZIP_SOURCE_REMOVE: break
        default: return refuse(ZIP_ER_OPNOTSUPP, 0)
        }
        return 0
    }

    private var commands: Int64 {
        let reading = [
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS,
        ]
        let writing = [
            ZIP_SOURCE_BEGIN_WRITE, ZIP_SOURCE_COMMIT_WRITE, ZIP_SOURCE_ROLLBACK_WRITE,
            ZIP_SOURCE_WRITE, ZIP_SOURCE_SEEK_WRITE, ZIP_SOURCE_TELL_WRITE, ZIP_SOURCE_REMOVE,
        ]
        return (reading + (isWritable ? writing : [])).reduce(0) { $0 | 1 << Int64($1.rawValue) }
    }

    private func file() throws(SystemFileError) -> SystemFile {
        if let file = opened ?? held { return file }
        return try SystemFile(reading: path)
    }

    private func refuse(_ code: Int32, _ systemCode: Int32) -> Int64 {
        zip_error_set(&reason, code, systemCode)
        return -1
    }

    private func report(in buffer: UnsafeMutableRawBufferPointer) -> Int64 {
        guard let start = buffer.baseAddress else { return -1 }
        return zip_error_to_data(&reason, start, UInt64(buffer.count))
    }

    private func describe(
        in buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemFileError) -> Int64 {
        let file = try file()
        var status = zip_stat_t()
        zip_stat_init(&status)
        status.size = UInt64(clamping: try file.size())
        status.valid = UInt64(ZIP_STAT_SIZE)
        guard buffer.count >= MemoryLayout<zip_stat_t>.size else { return refuse(ZIP_ER_INVAL, 0) }
        buffer.storeBytes(of: status, as: zip_stat_t.self)
        return Int64(MemoryLayout<zip_stat_t>.size)
    }

    private func open() throws(SystemFileError) -> Int64 {
        let file = try file()
        size = try file.size()
        opened = file
        readOffset = 0
        return 0
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemFileError) -> Int64 {
        guard let opened else { return refuse(ZIP_ER_READ, EBADF) }
        let count = try opened.read(buffer, at: readOffset)
        let hidden = Int(min(Int64(count), max(0, shownFrom - readOffset)))
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<hidden]).initializeMemory(
            as: UInt8.self, repeating: 0)
        readOffset += Int64(count)
        return Int64(count)
    }

    private func write(_ buffer: UnsafeMutableRawBufferPointer) throws(SystemFileError) -> Int64 {
        guard let held else { return refuse(ZIP_ER_WRITE, EBADF) }
        try held.write(UnsafeRawBufferPointer(buffer), at: writeOffset)
        writeOffset += Int64(buffer.count)
        size = max(size, writeOffset)
        return Int64(buffer.count)
    }

    private func seek(
        _ offset: inout Int64, within size: Int64, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Int64 {
        guard let start = buffer.baseAddress else { return refuse(ZIP_ER_INVAL, 0) }
        let place = zip_source_seek_compute_offset(
            UInt64(offset), UInt64(size), start, UInt64(buffer.count), &reason)
        guard place >= 0 else { return -1 }
        offset = place
        return 0
    }
}
