import SystemFiles

/// A ZIP archive in a file, open for reading.
///
/// The central directory at the end is authoritative, because Java's writers know sizes only after
/// the contents. Opening checks all of it: names are valid and unique, and entries are within the
/// limits. Reading never gives more bytes of an entry than the directory declares.
///
/// Reading takes memory for the directory and a few buffers, however large the entries are. Calls
/// block on the disk. Neither the reader nor the objects it returns are safe for concurrent use.
package final class ArchiveReader {
    /// In the order of the central directory.
    package let entries: [ArchiveEntry]
    private let archive: OpenArchive
    private let placesByName: [[UInt8]: Int]

    package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        let (file, size) = try onFile { () throws(SystemFileError) in
            let file = try SystemFile(reading: path)
            return (file, try file.size())
        }
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

    /// Names are compared byte by byte.
    package func entry(_ name: String) -> ArchiveEntry? {
        placesByName[Array(name.utf8)].map { entries[$0] }
    }

    /// The contents of an entry from the start. Several readers may be used alternately.
    package func read(_ name: String) throws(ArchiveError) -> EntryReader {
        guard let entry = entry(name) else { throw .entry(name, .missing) }
        return try EntryReader(entry, of: archive)
    }

    /// The lines of an entry. A line, without its line break, has at most `maxBytes`.
    package func lines(of name: String, maxBytes: Int) throws(ArchiveError) -> LineReader {
        LineReader(try read(name), maxBytes: maxBytes)
    }
}

/// The totals of the entries so far.
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
