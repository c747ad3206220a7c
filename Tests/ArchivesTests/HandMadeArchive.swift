@testable import Archives

/// A ZIP archive put together byte by byte, so that it can say what is not so.
struct HandMadeArchive {
    var entries: [HandMadeEntry]
    /// In the extension of the format to 64 bits.
    var isLong = false
    var comment: [UInt8] = []
    // What the end of the directory says where it is not so.
    var saidEntries: Int?
    var saidBytes: Int?
    var saidOffset: Int?
    var part = 0
    // What the short end says, of the number of entries, and the locator, of the long end's place,
    // where it is not so.
    var saidShortly = 0xFFFF
    var saidLongEnd: Int?

    init(_ entries: [HandMadeEntry], with change: (inout HandMadeArchive) -> Void = { _ in }) {
        self.entries = entries
        change(&self)
    }

    var bytes: [UInt8] {
        var contents: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            directory += entry.record(at: entry.offset ?? contents.count, isLong: isLong)
            contents += entry.local
        }
        return contents + directory + end(after: directory, at: contents.count)
    }

    private func end(after directory: [UInt8], at offset: Int) -> [UInt8] {
        let count = saidEntries ?? entries.count
        let (length, said) = (saidBytes ?? directory.count, saidOffset ?? offset)
        guard isLong else {
            return shortEnd(count: count, length: length, offset: said)
        }
        let long: [UInt8] =
            [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(part, 4)
            + little(part, 4) + little(count, 8) + little(count, 8) + little(length, 8)
            + little(said, 8)
        let locator: [UInt8] =
            [0x50, 0x4B, 6, 7] + little(0, 4)
            + little(saidLongEnd ?? offset + directory.count, 8) + little(1, 4)
        return long + locator
            + shortEnd(count: saidShortly, length: 0xFFFF_FFFF, offset: 0xFFFF_FFFF)
    }

    private func shortEnd(count: Int, length: Int, offset: Int) -> [UInt8] {
        [0x50, 0x4B, 5, 6] + little(part, 2) + little(part, 2) + little(count, 2)
            + little(count, 2) + little(length, 4) + little(offset, 4) + little(comment.count, 2)
            + comment
    }
}

/// An entry of one, and what the directory says of it.
struct HandMadeEntry {
    var name: [UInt8]
    /// As the contents lie in the archive.
    var packed: [UInt8]
    var method = 0
    var flags = 0
    var size: Int
    var packedBytes: Int
    var checksum: UInt32
    /// Where it lies, when that is not so.
    var offset: Int?
    /// What stands before the contents, where it is another name.
    var localName: [UInt8]?

    /// Stored as it is.
    init(_ name: String, _ contents: [UInt8]) {
        self.name = Array(name.utf8)
        packed = contents
        size = contents.count
        packedBytes = contents.count
        checksum = crc32(of: contents)
    }

    init(_ name: String, _ text: String = "") {
        self.init(name, Array(text.utf8))
    }

    /// As our own writer deflates it.
    init(_ name: String, deflating contents: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let writer = try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
        try writer.add("a", bytes: contents)
        try writer.finish()
        let archive = try folder.bytes(of: "a.zip")
        self.name = Array(name.utf8)
        method = 8
        size = contents.count
        packedBytes = Int(number(in: archive[...], at: 18, bytes: 4))
        packed = Array(archive[31..<31 + packedBytes])
        checksum = UInt32(number(in: archive[...], at: 14, bytes: 4))
    }

    /// The same with some of it changed.
    func with(_ change: (inout HandMadeEntry) -> Void) -> HandMadeEntry {
        var entry = self
        change(&entry)
        return entry
    }

    /// With sizes and checksum behind the contents, as Java's writers put them.
    func withDescriptor() -> HandMadeEntry {
        with { $0.flags |= 8 }
    }

    var local: [UInt8] {
        let hasDescriptor = flags & 8 != 0
        let numbers = little(Int(checksum), 4) + little(packedBytes, 4) + little(size, 4)
        let head: [UInt8] =
            [0x50, 0x4B, 3, 4] + little(20, 2) + little(flags, 2) + little(method, 2)
        let place = hasDescriptor ? little(0, 12) : numbers
        let descriptor: [UInt8] = hasDescriptor ? [0x50, 0x4B, 7, 8] + numbers : []
        let name = localName ?? name
        return head + little(0x21_0000, 4) + place + little(name.count, 2) + little(0, 2) + name
            + packed + descriptor
    }

    func record(at offset: Int, isLong: Bool) -> [UInt8] {
        let head: [UInt8] =
            [0x50, 0x4B, 1, 2] + little(20, 2) + little(20, 2) + little(flags, 2)
            + little(method, 2) + little(0x21_0000, 4) + little(Int(checksum), 4)
        let extra =
            isLong
            ? little(1, 2) + little(24, 2) + little(size, 8) + little(packedBytes, 8)
                + little(offset, 8) : []
        let (size, packed, place) =
            isLong
            ? (0xFFFF_FFFF, 0xFFFF_FFFF, 0xFFFF_FFFF) : (size, packedBytes, offset)
        return head + little(packed, 4) + little(size, 4) + little(name.count, 2)
            + little(extra.count, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4)
            + little(place, 4) + name + extra
    }
}

/// With its lowest byte first; what does not fit is cut off.
func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
}

func crc32(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
            crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0)
        }
    }
}
