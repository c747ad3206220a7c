/// Limits for reading a ZIP archive. Entries beyond them are refused before decompression.
package struct ArchiveLimits: Hashable, Sendable {
    package var entries = 10_000
    /// The entries in the directory of an archive of which the others are left out.
    package var salvagedEntries = 50_000
    /// The size of the central directory, which is held in memory.
    package var directoryBytes: Int64 = 8 << 20
    /// The length of an entry's name, in UTF-8.
    package var nameBytes = 255
    /// The uncompressed size of one entry.
    package var entryBytes: Int64 = 256 << 20
    /// The uncompressed size of all entries together.
    package var totalBytes: Int64 = 1 << 30
    /// The maximum compression ratio, of each entry and of all together. Text has a ratio of 5 to
    /// 50, an image of one colour of a thousand.
    package var expansion: Int64 = 200
    /// The uncompressed size up to which any ratio is allowed.
    package var freelyExpandedBytes: Int64 = 10 << 20

    package init() {}
}

extension ArchiveLimits {
    func allowsExpansion(of packed: Int64, to unpacked: Int64) -> Bool {
        unpacked <= freelyExpandedBytes || unpacked / max(1, expansion) <= packed
    }
}
