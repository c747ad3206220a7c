/// Why an archive is not read or written. `description` says it for people.
package enum ArchiveError: Error, Hashable, Sendable {
    /// The archive as a whole is at fault.
    case archive(ArchiveFault)
    /// One entry is at fault, of this name as far as it can be shown.
    case entry(String, EntryFault)
    /// The disk is full, or a quota is used up.
    case outOfSpace
    /// The machine is at fault: which file, and what the system says.
    case failed(String)
}

/// What is wrong with an archive as a whole.
package enum ArchiveFault: Hashable, Sendable {
    /// It does not end with a directory: it is no ZIP archive, or it is cut off.
    case directoryMissing
    /// What is at its end cannot be the directory of an archive in one file.
    case directoryBroken(String)
    case directoryTooLarge(bytes: Int64, max: Int64)
    case tooManyEntries(count: Int64, max: Int)
    /// Of all entries together, unpacked.
    case tooLarge(max: Int64)
    /// Of all entries together; `max` bytes may come of a packed one.
    case expandsTooMuch(bytes: Int64, packedBytes: Int64, max: Int64)
    /// Its entries are longer than it is, so some are stored over others.
    case entriesOverlap
    /// It was to be written without an entry.
    case empty
}

/// What is wrong with an entry of an archive.
package enum EntryFault: Hashable, Sendable {
    case nameEmpty
    case nameTooLong(bytes: Int, max: Int)
    case nameNotUTF8
    case nameHasControlCharacter
    /// With one, a name could lead out of the folder that it is written to. So could `.` and `..`.
    case nameIsPath
    case nameRepeated
    case missing
    case encrypted
    /// It is packed, and not by deflating.
    case methodUnsupported(UInt16)
    case tooLarge(bytes: Int64, max: Int64)
    /// `max` bytes may come of a packed one.
    case expandsTooMuch(bytes: Int64, packedBytes: Int64, max: Int64)
    /// The directory names another size than the contents have.
    case sizeWrong(declared: Int64)
    case checksumWrong
    /// The archive ends within it, or it cannot be unpacked.
    case broken(String)
    /// `line` counts from 1.
    case lineTooLong(line: Int, maxBytes: Int)
}
