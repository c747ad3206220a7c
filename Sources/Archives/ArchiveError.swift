import SystemFiles

/// The reason why an archive cannot be read or written. `description` is a message for users.
package enum ArchiveError: Error, Hashable, Sendable {
    /// The archive as a whole is invalid.
    case archive(ArchiveFault)
    /// An entry is invalid; its name is fit for display.
    case entry(String, EntryFault)
    /// The disk is full or a quota is exhausted.
    case outOfSpace
    /// A system call failed; the text names the file and the system's message.
    case failed(String)

    /// Whether the archive is at fault, and not the disk.
    package var isOfContents: Bool {
        switch self {
        case .archive, .entry: true
        case .outOfSpace, .failed: false
        }
    }

    init(_ error: SystemFileError) {
        switch error {
        case .outOfSpace: self = .outOfSpace
        case .failed(let reason): self = .failed(reason)
        }
    }
}

/// Runs calls of the system, whose errors it throws as errors of the archive.
func onFile<Value>(
    _ body: () throws(SystemFileError) -> Value
) throws(ArchiveError) -> Value {
    do throws(SystemFileError) {
        return try body()
    } catch {
        throw ArchiveError(error)
    }
}

/// Up to `count` bytes from an offset: fewer only at the end of the file.
func archivedBytes(
    _ count: Int, at offset: Int64, of file: SystemFile
) throws(ArchiveError) -> [UInt8] {
    try onFile { () throws(SystemFileError) in try file.bytes(count, at: offset) }
}

/// A fault of an archive as a whole.
package enum ArchiveFault: Hashable, Sendable {
    /// There is no central directory: the file is not a ZIP archive, or is truncated.
    case directoryMissing
    /// The end record is not that of a valid archive in one file.
    case directoryBroken(String)
    case directoryTooLarge(bytes: Int64, max: Int64)
    case tooManyEntries(count: Int64, max: Int)
    /// All entries together, uncompressed.
    case tooLarge(max: Int64)
    /// All entries together; `max` is the limit for `packedBytes`.
    case expandsTooMuch(bytes: Int64, packedBytes: Int64, max: Int64)
    /// The entries are longer than the archive, so some overlap.
    case entriesOverlap
    /// An archive without entries cannot be written.
    case empty
}

/// A fault of an entry.
package enum EntryFault: Hashable, Sendable {
    case nameEmpty
    case nameTooLong(bytes: Int, max: Int)
    case nameNotUTF8
    case nameHasControlCharacter
    /// A name with a path separator, or `.` or `..`, could be written outside the target folder.
    case nameIsPath
    case nameRepeated
    case missing
    case encrypted
    /// The compression method is not deflate.
    case methodUnsupported(UInt16)
    case tooLarge(bytes: Int64, max: Int64)
    /// `max` is the limit for `packedBytes`.
    case expandsTooMuch(bytes: Int64, packedBytes: Int64, max: Int64)
    /// The central directory has another size than the contents.
    case sizeWrong(declared: Int64)
    case checksumWrong
    /// The archive ends within the entry, or the contents cannot be decompressed.
    case broken(String)
    /// `line` counts from 1.
    case lineTooLong(line: Int, maxBytes: Int)
}
