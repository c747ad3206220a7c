import CZip

/// An archive that libzip has open, closed with the last that holds it.
final class OpenArchive {
    let handle: OpaquePointer
    private let source: FileSource
    private var isClosed = false

    /// For reading. Meanwhile libzip is shown nothing of the file but its directory.
    init(reading file: SystemFile, directory end: DirectoryEnd) throws(ArchiveError) {
        source = FileSource(file, isWritable: false)
        source.shownFrom = end.offset
        handle = try opened(source, ZIP_RDONLY)
        source.shownFrom = 0
        guard zip_get_num_entries(handle, 0) == end.entries else {
            throw broken("libzip finds other entries in it")
        }
    }

    /// For writing to a file that is empty.
    init(writing file: SystemFile) throws(ArchiveError) {
        source = FileSource(file, isWritable: true)
        handle = try opened(source, ZIP_TRUNCATE)
    }

    deinit {
        if !isClosed { zip_discard(handle) }
    }

    /// Writes what was added. After that, nothing else may be called.
    func close() throws(ArchiveError) {
        guard zip_close(handle) == 0 else { throw failure }
        isClosed = true
    }

    /// Why libzip's last call failed, which was not about the contents of an entry.
    var failure: ArchiveError {
        source.failure ?? .failed("libzip cannot go on: \(words(of: zip_get_error(handle)))")
    }

    /// What the error is that libzip ended reading an entry with.
    func failure(of entry: ArchiveEntry, _ error: UnsafeMutablePointer<zip_error_t>) -> ArchiveError
    {
        if let failure = source.failure { return failure }
        return switch zip_error_code_zip(error) {
        case ZIP_ER_MEMORY: .failed("libzip cannot go on: \(words(of: error))")
        case ZIP_ER_CRC: .entry(entry.name, .checksumWrong)
        case ZIP_ER_EOF: .entry(entry.name, .broken("the archive ends within it"))
        default: .entry(entry.name, .broken(words(of: error)))
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
    let reason = words(of: &error)
    throw isOutOfMemory ? .failed(reason) : .archive(.directoryBroken(reason))
}
