/// What a ZIP archive may hold at most. Whatever is above is refused before it is unpacked.
package struct ArchiveLimits: Hashable, Sendable {
    package var entries = 10_000
    /// Of the directory at the archive's end, which is held in memory.
    package var directoryBytes: Int64 = 8 << 20
    /// Of the name of an entry, in UTF-8.
    package var nameBytes = 255
    /// Of one entry, unpacked.
    package var entryBytes: Int64 = 256 << 20
    /// Of all entries together, unpacked.
    package var totalBytes: Int64 = 1 << 30
    /// How many bytes may come of one packed byte, in an entry and in all of them together. Text
    /// comes to 5 to 50, a picture of one colour to a thousand.
    package var expansion: Int64 = 200
    /// So many bytes may come of however few.
    package var freelyExpandedBytes: Int64 = 10 << 20

    package init() {}
}

extension ArchiveLimits {
    func allowsExpansion(of packed: Int64, to unpacked: Int64) -> Bool {
        unpacked <= freelyExpandedBytes || unpacked / max(1, expansion) <= packed
    }
}
