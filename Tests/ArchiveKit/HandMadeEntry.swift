import Archives
import Foundation

/// An entry of a `HandMadeArchive`, with its record in the directory.
package struct HandMadeEntry {
    package var name: [UInt8]
    /// The compressed contents.
    package var packed: [UInt8]
    package var method = 0
    package var flags = 0
    package var size: Int
    package var packedBytes: Int
    package var checksum: UInt32
    /// A false offset.
    package var offset: Int?
    /// The name in the local header, if it differs.
    package var localName: [UInt8]?

    /// Stored uncompressed.
    package init(_ name: String, _ contents: [UInt8]) {
        self.name = Array(name.utf8)
        packed = contents
        size = contents.count
        packedBytes = contents.count
        checksum = crc32(of: contents)
    }

    package init(_ name: String, _ text: String = "") {
        self.init(name, Array(text.utf8))
    }

    /// Deflated by Waggle's own writer.
    package init(_ name: String, deflating contents: [UInt8]) throws {
        let path = "\(NSTemporaryDirectory())waggle-\(UUID().uuidString).zip"
        let writer = try ArchiveWriter(path: path, modifiedSeconds: 0)
        try writer.add("a", bytes: contents)
        try writer.finish()
        let archive = Array(try Data(contentsOf: URL(filePath: path)))
        try FileManager.default.removeItem(atPath: path)
        self.name = Array(name.utf8)
        method = 8
        size = contents.count
        packedBytes = number(in: archive, at: 18)
        packed = Array(archive[31..<31 + packedBytes])
        checksum = UInt32(number(in: archive, at: 14))
    }

    /// A copy with a change.
    package func with(_ change: (inout HandMadeEntry) -> Void) -> HandMadeEntry {
        var entry = self
        change(&entry)
        return entry
    }

    /// With sizes and checksum after the contents, as Java's writers put them.
    package func withDescriptor() -> HandMadeEntry {
        with { $0.flags |= 8 }
    }

    package var local: [UInt8] {
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

    package func record(at offset: Int, isLong: Bool) -> [UInt8] {
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

/// In little-endian order, truncated to `count` bytes.
package func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
}

package func crc32(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~UInt32(0)) { crc, byte in
        (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in
            crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0)
        }
    }
}

/// A little-endian number of four bytes.
private func number(in bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
}
