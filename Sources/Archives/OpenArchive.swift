import CZip
import SystemFiles

/// An archive opened with libzip, closed when the last reference is released.
final class OpenArchive {
    let handle: OpaquePointer
    private let source: FileSource
    private var isClosed = false

    /// Opens for reading. While opening, libzip sees nothing of the file but the central directory.
    init(reading file: SystemFile, directory end: DirectoryEnd) throws(ArchiveError) {
        source = FileSource(file, isWritable: false)
        source.shownFrom = end.offset
        handle = try opened(source, ZIP_RDONLY)
        source.shownFrom = 0
        guard zip_get_num_entries(handle, 0) == end.entries else {
            throw broken("libzip finds other entries in it")
        }
    }

    /// Opens an empty file for writing.
    init(writing file: SystemFile) throws(ArchiveError) {
        source = FileSource(file, isWritable: true)
        handle = try opened(source, ZIP_TRUNCATE)
    }

    deinit {
        if !isClosed { zip_discard(handle) }
    }

    /// Writes the added entries. No other call is allowed after it.
    func close() throws(ArchiveError) {
        guard zip_close(handle) == 0 else { throw failure }
        isClosed = true
    }

    /// The error of libzip's last call, for calls that do not read an entry.
    var failure: ArchiveError {
        source.failure ?? .failed("libzip cannot go on: \(message(of: zip_get_error(handle)))")
    }

    /// The error of libzip while reading an entry.
    func failure(of entry: ArchiveEntry, _ error: UnsafeMutablePointer<zip_error_t>) -> ArchiveError
    {
        if let failure = source.failure { return failure }
        return switch zip_error_code_zip(error) {
        case ZIP_ER_MEMORY: .failed("libzip cannot go on: \(message(of: error))")
        case ZIP_ER_CRC: .entry(entry.name, .checksumWrong)
        case ZIP_ER_EOF: .entry(entry.name, .broken("the archive ends within it"))
        default: .entry(entry.name, .broken(message(of: error)))
        }
    }
}

private func opened(_ file: FileSource, _ flags: Int32) throws(ArchiveError) -> OpaquePointer {
    let source = try file.makeSource()
    var error = zip_error_t()
    zip_error_init(&error)
    if let handle = zip_open_from_source(source, flags, &error) { return handle }
    zip_source_free(source)
    if let failure = file.failure { throw failure }
    let isOutOfMemory = zip_error_code_zip(&error) == ZIP_ER_MEMORY
    let reason = message(of: &error)
    throw isOutOfMemory ? .failed(reason) : .archive(.directoryBroken(reason))
}
