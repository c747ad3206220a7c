import SystemFiles

/// The names of the entries in the central directory, byte for byte. libzip returns C strings, so a
/// name with a NUL would be cut.
func directoryNames(
    in file: SystemFile, at end: DirectoryEnd
) throws(ArchiveError) -> [[UInt8]] {
    let directory = try archivedBytes(end.bytes, at: end.offset, of: file)
    var names: [[UInt8]] = []
    var rest = directory[...]
    for _ in 0..<end.entries {
        guard let record = DirectoryRecord(rest) else {
            throw broken("it has fewer entries than it is said to have")
        }
        names.append(Array(record.name))
        rest = rest.dropFirst(record.length)
    }
    guard rest.isEmpty else { throw broken("it has more entries than it is said to have") }
    return names
}

/// The name and length of an entry in the central directory.
struct DirectoryRecord {
    static let fixedLength = 46
    private static let signature: [UInt8] = [0x50, 0x4B, 1, 2]

    let name: ArraySlice<UInt8>
    let length: Int

    /// Nil if no entry begins here.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.fixedLength, bytes.starts(with: Self.signature) else {
            return nil
        }
        let lengths = [28, 30, 32].map { Int(number(in: bytes, at: $0, bytes: 2)) }
        length = lengths.reduce(Self.fixedLength, +)
        guard length <= bytes.count else { return nil }
        name = bytes.dropFirst(Self.fixedLength).prefix(lengths[0])
    }
}
