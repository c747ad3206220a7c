import SystemFiles

extension ArchiveError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .archive(let fault): fault.message
        case .entry(let name, let fault): "the entry \(quoted(name)) \(fault.message)"
        case .outOfSpace: SystemFileError.outOfSpace.description
        case .failed(let reason): reason
        }
    }
}

extension ArchiveFault {
    fileprivate var message: String {
        switch self {
        case .directoryMissing:
            "there is no directory at the end: this is not a ZIP archive, or it is cut off"
        case .directoryBroken(let reason):
            "the directory of the archive is broken: \(reason)"
        case .directoryTooLarge(let bytes, let max):
            "the directory of the archive has \(bytes) bytes, and may have \(max)"
        case .tooManyEntries(let count, let max):
            "the archive has \(count) entries, and may have \(max)"
        case .tooLarge(let max):
            "the archive has more than \(max) bytes when it is unpacked"
        case .expandsTooMuch(let bytes, let packed, let max):
            "the archive unpacks \(packed) bytes to \(bytes), more than \(max) times as many"
        case .entriesOverlap:
            "the entries of the archive overlap: together they are longer than it is"
        case .empty:
            "the archive has no entry: add one"
        }
    }
}

extension EntryFault {
    fileprivate var message: String {
        switch self {
        case .nameEmpty: "has an empty name"
        case .nameTooLong(let bytes, let max):
            "has a name of \(bytes) bytes, and may have one of \(max)"
        case .nameNotUTF8: "has a name that is not in UTF-8"
        case .nameHasControlCharacter: "has a control character in its name"
        case .nameIsPath: "has a name that is a path: give it one without '/', '\\' and '..'"
        case .nameRepeated: "is there twice"
        case .missing: "is missing"
        case .encrypted: "is encrypted: write it without a password"
        case .methodUnsupported(let method):
            "is packed by the method \(method): deflate it, or store it as it is"
        case .tooLarge(let bytes, let max): "has \(bytes) bytes, and may have \(max)"
        case .expandsTooMuch(let bytes, let packed, let max):
            "unpacks \(packed) bytes to \(bytes), more than \(max) times as many"
        case .sizeWrong(let declared):
            "does not have the \(declared) bytes that the directory names"
        case .checksumWrong: "has another checksum than the directory names"
        case .broken(let reason): "is broken: \(reason)"
        case .lineTooLong(let line, let maxBytes):
            "has more than \(maxBytes) bytes in line \(line)"
        }
    }
}

/// For display: shortened, without control characters.
private func quoted(_ name: String) -> String {
    let shown = name.unicodeScalars.prefix(81).map { scalar in
        scalar.properties.generalCategory == .control ? "\u{FFFD}" : String(scalar)
    }
    return "'" + shown.prefix(80).joined() + (shown.count > 80 ? "…'" : "'")
}
