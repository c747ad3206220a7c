import SystemFiles

/// The location of the central directory, from the end of a ZIP archive.
///
/// libzip accepts any end record that it finds, and allocates memory for as many entries as the
/// record declares. The end is therefore validated here first: there is one end record, it is the
/// last part of the archive, and the directory it locates is plausible and within the limits.
struct DirectoryEnd {
    let entries: Int
    /// The start of the central directory, from the start of the archive.
    let offset: Int64
    /// The size of the central directory.
    let bytes: Int

    init(of file: SystemFile, within limits: ArchiveLimits) throws(ArchiveError) {
        let tail = try Tail(of: file)
        let short = try tail.endRecord()
        let long = try tail.zip64EndRecord(before: short, in: file)
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

/// An end of central directory record, in its plain form or its ZIP64 form.
private struct EndRecord {
    /// Its offset from the start of the archive.
    let place: Int64
    let isOnlyPart: Bool
    let entries: Int64
    /// The size of the central directory.
    let bytes: Int64
    /// The start of the central directory, from the start of the archive.
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

    /// Whether each number of this plain record equals that of the ZIP64 record, or refers to it.
    func agrees(with long: EndRecord) -> Bool {
        (entries == long.entries || entries == 0xFFFF)
            && (bytes == long.bytes || bytes == 0xFFFF_FFFF)
            && (offset == long.offset || offset == 0xFFFF_FFFF)
    }
}

/// The part of an archive in which libzip searches for the end record.
private struct Tail {
    private static let maxCommentBytes: Int64 = 0xFFFF
    private static let endLength = 22
    private static let zip64EndLength = 56
    private static let zip64LocatorLength = 20
    private static let endSignature: [UInt8] = [0x50, 0x4B, 5, 6]
    private static let zip64EndSignature: [UInt8] = [0x50, 0x4B, 6, 6]
    private static let zip64LocatorSignature: [UInt8] = [0x50, 0x4B, 6, 7]

    private let bytes: [UInt8]
    /// The offset of the first byte, from the start of the archive.
    private let start: Int64

    init(of file: SystemFile) throws(ArchiveError) {
        let size = try onFile { () throws(SystemFileError) in try file.size() }
        let length = min(
            size, Self.maxCommentBytes + Int64(Self.endLength + Self.zip64LocatorLength))
        start = size - length
        bytes = try archivedBytes(Int(length), at: start, of: file)
    }

    func endRecord() throws(ArchiveError) -> EndRecord {
        let place = places(of: Self.endSignature, from: 0).last { place in
            let comment = number(in: bytes[place...], at: 20, bytes: 2)
            return place + Self.endLength + Int(comment) == bytes.count
        }
        guard let place else { throw .archive(.directoryMissing) }
        return EndRecord(short: bytes[place...], at: start + Int64(place))
    }

    /// Nil if the archive does not use ZIP64.
    func zip64EndRecord(
        before end: EndRecord, in file: SystemFile
    ) throws(ArchiveError) -> EndRecord? {
        let place = Int(end.place - start) - Self.zip64LocatorLength
        guard place >= 0, bytes[place...].starts(with: Self.zip64LocatorSignature) else {
            return nil
        }
        let record = number(in: bytes[place...], at: 8, bytes: 8)
        guard record <= start + Int64(place - Self.zip64EndLength) else {
            throw broken("its second end is not where it is said to be")
        }
        let long = try archivedBytes(Self.zip64EndLength, at: record, of: file)
        guard long.count == Self.zip64EndLength, long.starts(with: Self.zip64EndSignature) else {
            throw broken("its second end is not where it is said to be")
        }
        return EndRecord(long: long[...], at: record)
    }

    func hasSecondEnd(from offset: Int64) -> Bool {
        places(of: Self.endSignature, from: max(0, Int(offset - start))).count > 1
    }

    private func places(of signature: [UInt8], from first: Int) -> [Int] {
        let last = bytes.count - Self.endLength
        guard first <= last else { return [] }
        return (first...last).filter { place in
            bytes[place] == signature[0] && bytes[place...].starts(with: signature)
        }
    }
}

/// A little-endian number; clamped to the range of the type.
func number(in record: ArraySlice<UInt8>, at place: Int, bytes count: Int) -> Int64 {
    let first = record.startIndex + place
    let number = record[first..<first + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int64(clamping: number)
}

func broken(_ reason: String) -> ArchiveError {
    .archive(.directoryBroken(reason))
}
