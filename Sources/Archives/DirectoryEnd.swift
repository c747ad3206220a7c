/// What the end of a ZIP archive says of its directory.
///
/// libzip follows every end that it finds, and makes room for as many entries as it is told of. So
/// the end is read here first, and held to the limits: there is one, it ends the archive, and the
/// directory that it names can be what it is said to be.
struct DirectoryEnd {
    let entries: Int
    /// Where the directory begins, from the start of the archive.
    let offset: Int64
    /// Of the directory.
    let bytes: Int

    init(of file: SystemFile, within limits: ArchiveLimits) throws(ArchiveError) {
        let tail = try Tail(of: file)
        let short = try tail.endRecord()
        let long = try tail.longEndRecord(before: short, in: file)
        let end = long ?? short
        guard end.isOnlyPart, short.isOnlyPart else { throw broken("it is one of several parts") }
        guard short.agrees(with: end) else { throw broken("its two ends contradict each other") }
        guard end.entries <= limits.entries else {
            throw .archive(.tooManyEntries(count: end.entries, max: limits.entries))
        }
        guard end.bytes <= limits.directoryBytes else {
            throw .archive(.directoryTooLarge(bytes: end.bytes, max: limits.directoryBytes))
        }
        guard end.offset <= end.place - end.bytes,
            end.entries <= end.bytes / Int64(DirectoryRecord.fixedLength)
        else {
            throw broken("it does not fit where it is said to be")
        }
        guard !tail.hasSecondEnd(from: end.offset) else { throw broken("it has two ends") }
        entries = Int(end.entries)
        offset = end.offset
        bytes = Int(end.bytes)
    }
}

/// An end record, the short one or the one of the format's extension to 64 bits.
private struct EndRecord {
    /// Where it stands, from the start of the archive.
    let place: Int64
    let isOnlyPart: Bool
    let entries: Int64
    /// Of the directory.
    let bytes: Int64
    /// Of the directory, from the start of the archive.
    let offset: Int64

    init(short record: ArraySlice<UInt8>, at place: Int64) {
        self.place = place
        entries = number(in: record, at: 10, bytes: 2)
        isOnlyPart =
            number(in: record, at: 4, bytes: 4) == 0
            && number(in: record, at: 8, bytes: 2) == entries
        bytes = number(in: record, at: 12, bytes: 4)
        offset = number(in: record, at: 16, bytes: 4)
    }

    init(long record: ArraySlice<UInt8>, at place: Int64) {
        self.place = place
        entries = number(in: record, at: 32, bytes: 8)
        isOnlyPart =
            number(in: record, at: 16, bytes: 8) == 0
            && number(in: record, at: 24, bytes: 8) == entries
        bytes = number(in: record, at: 40, bytes: 8)
        offset = number(in: record, at: 48, bytes: 8)
    }

    /// Whether each number of this short one is that of the long one, or is said to be there.
    func agrees(with long: EndRecord) -> Bool {
        (entries == long.entries || entries == 0xFFFF)
            && (bytes == long.bytes || bytes == 0xFFFF_FFFF)
            && (offset == long.offset || offset == 0xFFFF_FFFF)
    }
}

/// The part of an archive in which libzip looks for its end.
private struct Tail {
    private static let longestComment: Int64 = 0xFFFF
    private static let shortLength = 22
    private static let longLength = 56
    private static let locatorLength = 20
    private static let shortMark: [UInt8] = [0x50, 0x4B, 5, 6]
    private static let longMark: [UInt8] = [0x50, 0x4B, 6, 6]
    private static let locatorMark: [UInt8] = [0x50, 0x4B, 6, 7]

    private let bytes: [UInt8]
    /// Of the first byte, from the start of the archive.
    private let start: Int64

    init(of file: SystemFile) throws(ArchiveError) {
        let size = try file.size()
        let length = min(
            size, Self.longestComment + Int64(Self.shortLength + Self.locatorLength))
        start = size - length
        bytes = try file.bytes(Int(length), at: start)
    }

    func endRecord() throws(ArchiveError) -> EndRecord {
        let place = places(of: Self.shortMark, from: 0).last { place in
            let comment = number(in: bytes[place...], at: 20, bytes: 2)
            return place + Self.shortLength + Int(comment) == bytes.count
        }
        guard let place else { throw .archive(.directoryMissing) }
        return EndRecord(short: bytes[place...], at: start + Int64(place))
    }

    /// Nil when the archive does without the extension.
    func longEndRecord(
        before end: EndRecord, in file: SystemFile
    ) throws(ArchiveError) -> EndRecord? {
        let place = Int(end.place - start) - Self.locatorLength
        guard place >= 0, bytes[place...].starts(with: Self.locatorMark) else { return nil }
        let record = number(in: bytes[place...], at: 8, bytes: 8)
        guard record <= start + Int64(place - Self.longLength) else {
            throw broken("its second end is not where it is said to be")
        }
        let long = try file.bytes(Self.longLength, at: record)
        guard long.count == Self.longLength, long.starts(with: Self.longMark) else {
            throw broken("its second end is not where it is said to be")
        }
        return EndRecord(long: long[...], at: record)
    }

    func hasSecondEnd(from offset: Int64) -> Bool {
        places(of: Self.shortMark, from: max(0, Int(offset - start))).count > 1
    }

    private func places(of mark: [UInt8], from first: Int) -> [Int] {
        let last = bytes.count - Self.shortLength
        guard first <= last else { return [] }
        return (first...last).filter { place in
            bytes[place] == mark[0] && bytes[place...].starts(with: mark)
        }
    }
}

/// A number with its lowest byte first; one that is too large for the type is its largest.
func number(in record: ArraySlice<UInt8>, at place: Int, bytes count: Int) -> Int64 {
    let first = record.startIndex + place
    let number = record[first..<first + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(clamping: number)
}

func broken(_ reason: String) -> ArchiveError {
    .archive(.directoryBroken(reason))
}
