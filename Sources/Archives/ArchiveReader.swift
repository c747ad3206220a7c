/// A ZIP archive in a file, open for reading.
///
/// What counts is the directory at its end, as Java's writers know sizes only after the contents.
/// Opening checks all of it, so every entry has a sound name of its own and keeps the limits, and
/// reading never gives more of one than the directory says.
///
/// Reading takes memory for the directory and a few buffers, however large the entries are. It
/// waits for the disk. Neither this nor what it gives may be used by two threads at a time.
package final class ArchiveReader {
    /// In the order of the directory.
    package let entries: [ArchiveEntry]
    private let archive: OpenArchive
    private let placesByName: [[UInt8]: Int]

    package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        let file = try SystemFile(reading: path)
        let size = try file.size()
        let end = try DirectoryEnd(of: file, within: limits)
        let names = try directoryNames(in: file, at: end)
        let archive = try OpenArchive(reading: file, directory: end)
        var entries: [ArchiveEntry] = []
        var places: [[UInt8]: Int] = [:]
        var total = Total(limits: limits, archiveBytes: size)
        for (place, name) in names.enumerated() {
            let entry = try archive.entry(at: place, named: name, within: limits)
            guard places.updateValue(place, forKey: name) == nil else {
                throw .entry(entry.name, .nameRepeated)
            }
            try total.add(entry)
            entries.append(entry)
        }
        try total.check()
        self.archive = archive
        self.entries = entries
        placesByName = places
    }

    /// By its name, byte for byte.
    package func entry(_ name: String) -> ArchiveEntry? {
        placesByName[Array(name.utf8)].map { entries[$0] }
    }

    /// The contents of an entry from their start. Several may be read side by side.
    package func read(_ name: String) throws(ArchiveError) -> EntryReader {
        guard let entry = entry(name) else { throw .entry(name, .missing) }
        return try EntryReader(entry, of: archive)
    }

    /// The lines of an entry, each of `maxBytes` at most without its end.
    package func lines(of name: String, maxBytes: Int) throws(ArchiveError) -> LineReader {
        LineReader(try read(name), maxBytes: maxBytes)
    }
}

/// What the entries so far have together.
private struct Total {
    let limits: ArchiveLimits
    let archiveBytes: Int64
    private var bytes: Int64 = 0
    private var packedBytes: Int64 = 0

    init(limits: ArchiveLimits, archiveBytes: Int64) {
        self.limits = limits
        self.archiveBytes = archiveBytes
    }

    mutating func add(_ entry: ArchiveEntry) throws(ArchiveError) {
        guard entry.size <= limits.totalBytes - bytes else {
            throw .archive(.tooLarge(max: limits.totalBytes))
        }
        guard entry.packedBytes <= archiveBytes - packedBytes else {
            throw .archive(.entriesOverlap)
        }
        bytes += entry.size
        packedBytes += entry.packedBytes
    }

    func check() throws(ArchiveError) {
        guard limits.allowsExpansion(of: packedBytes, to: bytes) else {
            throw .archive(
                .expandsTooMuch(bytes: bytes, packedBytes: packedBytes, max: limits.expansion))
        }
    }
}
