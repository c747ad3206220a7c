import SystemFiles

/// A ZIP archive in a file, open for reading.
///
/// The central directory at the end is authoritative, because Java's writers know sizes only after
/// the contents. Opening checks all of it: names are valid and unique, and entries are within the
/// limits; what is not is an error, or left out. Reading never gives more bytes of an entry than
/// the directory declares.
///
/// Reading takes memory for the directory and a few buffers, however large the entries are. Calls
/// block on the disk. Neither the reader nor the objects it returns are safe for concurrent use.
package final class ArchiveReader {
    /// In the order of the central directory.
    package let entries: [ArchiveEntry]
    /// The reason why there are fewer entries than in the directory; nil if there are not.
    package let fault: ArchiveError?
    private let archive: OpenArchive
    private let placesByName: [[UInt8]: Int]

    /// Throws if anything that the directory tells is wrong or beyond a limit.
    package init(path: String, limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        let (archive, names, bytes) = try opened(path, limits)
        var list = EntryList(limits: limits, archiveBytes: bytes)
        for (place, name) in names.enumerated() {
            try list.add(try archive.entry(at: place, named: name, within: limits), named: name)
        }
        guard list.mayExpand else { throw list.expandsTooMuch }
        self.archive = archive
        fault = nil
        entries = list.entries
        placesByName = list.places
    }

    /// Leaves out the entries that are wrong or beyond a limit. `fault` is that of the first of
    /// them. Throws if the directory itself cannot be read.
    ///
    /// - Parameter first: The entry that limits of all entries together leave out last.
    package init(
        salvaging path: String, first: String, limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        let first = Array(first.utf8)
        var wider = limits
        wider.entries = max(limits.entries, limits.salvagedEntries)
        let (archive, names, bytes) = try opened(path, wider)
        let named = names.indices.map { (place: $0, name: names[$0]) }
        let order = named.filter { $0.name == first } + named.filter { $0.name != first }
        var list = EntryList(limits: limits, archiveBytes: bytes)
        var fault = try list.addAll(order, of: archive)
        if !list.mayExpand {
            list = EntryList(limits: limits, archiveBytes: bytes)
            fault = try list.addAll(order, of: archive, keepingExpansion: true)
        }
        self.archive = archive
        self.fault = fault
        entries = list.entries
        placesByName = list.places
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

/// An archive with the names in its directory, and its size.
private func opened(
    _ path: String, _ limits: ArchiveLimits
) throws(ArchiveError) -> (OpenArchive, names: [[UInt8]], bytes: Int64) {
    let (file, size) = try onFile { () throws(SystemFileError) in
        let file = try SystemFile(reading: path)
        return (file, try file.size())
    }
    let end = try DirectoryEnd(of: file, within: limits)
    let names = try directoryNames(in: file, at: end)
    return (try OpenArchive(reading: file, directory: end), names, size)
}

/// The entries so far, and their totals.
private struct EntryList {
    let limits: ArchiveLimits
    let archiveBytes: Int64
    private(set) var entries: [ArchiveEntry] = []
    private(set) var places: [[UInt8]: Int] = [:]
    private var bytes: Int64 = 0
    private var packedBytes: Int64 = 0

    init(limits: ArchiveLimits, archiveBytes: Int64) {
        self.limits = limits
        self.archiveBytes = archiveBytes
    }

    mutating func add(_ entry: ArchiveEntry, named name: [UInt8]) throws(ArchiveError) {
        guard places[name] == nil else { throw .entry(entry.name, .nameRepeated) }
        guard entry.size <= limits.totalBytes - bytes else {
            throw .archive(.tooLarge(max: limits.totalBytes))
        }
        guard entry.packedBytes <= archiveBytes - packedBytes else {
            throw .archive(.entriesOverlap)
        }
        bytes += entry.size
        packedBytes += entry.packedBytes
        places[name] = entries.count
        entries.append(entry)
    }

    private mutating func removeLast(named name: [UInt8]) {
        guard let last = entries.popLast() else { return }
        places[name] = nil
        bytes -= last.size
        packedBytes -= last.packedBytes
    }

    /// Adds entries, with their places in the directory, but not those that are wrong or beyond a
    /// limit. Returns the fault of the first of these.
    ///
    /// - Parameter keepingExpansion: Whether they stay within the ratio of all of them after each.
    mutating func addAll(
        _ named: [(place: Int, name: [UInt8])], of archive: OpenArchive,
        keepingExpansion: Bool = false
    ) throws(ArchiveError) -> ArchiveError? {
        var fault: ArchiveError?
        for (place, name) in named {
            do throws(ArchiveError) {
                let entry = try archive.entry(at: place, named: name, within: limits)
                guard entries.count < limits.entries else {
                    throw ArchiveError.archive(
                        .tooManyEntries(count: Int64(named.count), max: limits.entries))
                }
                try add(entry, named: name)
                guard keepingExpansion, !mayExpand else { continue }
                let excess = expandsTooMuch
                removeLast(named: name)
                throw excess
            } catch {
                guard error.isOfContents else { throw error }
                fault = fault ?? error
            }
        }
        return fault
    }

    var mayExpand: Bool { limits.allowsExpansion(of: packedBytes, to: bytes) }

    var expandsTooMuch: ArchiveError {
        .archive(.expandsTooMuch(bytes: bytes, packedBytes: packedBytes, max: limits.expansion))
    }
}
