import Archives

/// Checks the guarantees of reading an archive with arbitrary contents: either a descriptive error,
/// or entries that are within the limits, have the same contents however they are read, and can be
/// written again to `copy`, where no file may exist. Returns the violated guarantees.
///
/// Salvaging leaves out what is at fault, and nothing else.
func brokenArchiveInvariants(
    at path: String, within limits: ArchiveLimits, copy: String
) -> [String] {
    brokenInvariants(ofSalvagingAt: path, within: limits)
        + brokenInvariants(ofReadingAt: path, within: limits, copy: copy)
}

private func brokenInvariants(
    ofSalvagingAt path: String, within limits: ArchiveLimits
) -> [String] {
    let whole = try? ArchiveReader(path: path, limits: limits)
    do throws(ArchiveError) {
        let salvaged = try ArchiveReader(salvaging: path, first: "data", limits: limits)
        var broken = keeps(limits, salvaged.entries) ? [] : ["salvaging keeps no limits"]
        if (whole == nil) != (salvaged.fault != nil) {
            broken.append("salvaging tells another fault than reading")
        }
        if let whole, Set(whole.entries) != Set(salvaged.entries) {
            broken.append("salvaging leaves something out of a whole archive")
        }
        return broken
    } catch {
        return whole == nil ? [] : ["a whole archive cannot be salvaged"]
    }
}

private func brokenInvariants(
    ofReadingAt path: String, within limits: ArchiveLimits, copy: String
) -> [String] {
    do throws(ArchiveError) {
        let archive = try ArchiveReader(path: path, limits: limits)
        var broken = archive.entries.flatMap { brokenInvariants(of: $0, in: archive) }
        if !keeps(limits, archive.entries) { broken.append("the limits are not kept") }
        return broken + brokenInvariants(ofCopying: archive, to: copy)
    } catch {
        return error.description.isEmpty ? ["an error says nothing"] : []
    }
}

private func keeps(_ limits: ArchiveLimits, _ entries: [ArchiveEntry]) -> Bool {
    let total = entries.reduce(0) { $0 + $1.size }
    return entries.count <= limits.entries && total <= limits.totalBytes
        && entries.allSatisfy { $0.size <= limits.entryBytes }
}

// MARK: - Reading

/// The items before the end, and the error that ended them.
private struct Outcome<Piece: Equatable>: Equatable {
    var pieces: [Piece] = []
    var error: ArchiveError?

    init(_ next: () throws(ArchiveError) -> Piece?) {
        do throws(ArchiveError) {
            while let piece = try next() { pieces.append(piece) }
        } catch {
            self.error = error
        }
    }
}

private func brokenInvariants(of entry: ArchiveEntry, in archive: ArchiveReader) -> [String] {
    let large = read(entry, of: archive) { _ in 1 << 16 }
    let small = read(entry, of: archive) { 1 + $0 % 97 }
    let bytes = large.pieces.flatMap(\.self)
    var broken: [String] = []
    if large.error != small.error {
        broken.append("the error of '\(entry.name)' depends on the size of its pieces")
    }
    if bytes.count > entry.size || small.pieces.reduce(0, { $0 + $1.count }) > entry.size {
        broken.append("'\(entry.name)' has more bytes than the directory says")
    }
    guard large.error == nil else { return broken }
    if bytes != small.pieces.flatMap(\.self) || bytes.count != entry.size {
        broken.append("'\(entry.name)' depends on the size of its pieces")
    }
    if !readsLines(of: bytes, entry, of: archive) {
        broken.append("'\(entry.name)' has other lines")
    }
    return broken
}

private func read(
    _ entry: ArchiveEntry, of archive: ArchiveReader, count: (Int) -> Int
) -> Outcome<[UInt8]> {
    var reader: EntryReader?
    var number = 0
    return Outcome { () throws(ArchiveError) in
        if reader == nil { reader = try archive.read(entry.name) }
        number += 1
        guard let piece = try reader?.next(count(number)), !piece.isEmpty else { return nil }
        return piece
    }
}

/// Compared with a simple implementation.
private func readsLines(of bytes: [UInt8], _ entry: ArchiveEntry, of archive: ArchiveReader) -> Bool
{
    let maxBytes = 40
    var reader: LineReader?
    let outcome = Outcome { () throws(ArchiveError) in
        if reader == nil { reader = try archive.lines(of: entry.name, maxBytes: maxBytes) }
        return try reader?.next()
    }
    let lines = plainLines(of: bytes)
    guard let long = lines.firstIndex(where: { $0.count > maxBytes }) else {
        return outcome.error == nil && outcome.pieces == lines
    }
    return outcome.pieces == Array(lines[..<long])
        && outcome.error
            == .entry(entry.name, .lineTooLong(line: long + 1, maxBytes: maxBytes))
}

func plainLines(of bytes: [UInt8]) -> [[UInt8]] {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    var lines = text.split(separator: 10, omittingEmptySubsequences: false)
    let last = lines.removeLast()
    return lines.map { Array($0.last == 13 ? $0.dropLast() : $0) }
        + (last.isEmpty ? [] : [Array(last)])
}

// MARK: - Writing

/// Nothing is guaranteed for an archive that cannot be read completely.
private func brokenInvariants(ofCopying archive: ArchiveReader, to path: String) -> [String] {
    var contents: [(name: String, bytes: [UInt8])] = []
    for entry in archive.entries {
        let outcome = read(entry, of: archive) { _ in 1 << 16 }
        guard outcome.error == nil else { return [] }
        contents.append((entry.name, outcome.pieces.flatMap(\.self)))
    }
    do throws(ArchiveError) {
        let copy = try writeCopy(of: contents, to: path)
        for entry in contents {
            let outcome = read(try named(entry.name, in: copy), of: copy) { _ in 1 << 16 }
            guard outcome.pieces.flatMap(\.self) == entry.bytes else {
                return ["the copy of '\(entry.name)' is another"]
            }
        }
        return copy.entries.count == contents.count ? [] : ["the copy has other entries"]
    } catch {
        return contents.isEmpty && error == .archive(.empty) ? [] : ["no copy: \(error)"]
    }
}

private func named(
    _ name: String, in archive: ArchiveReader
) throws(ArchiveError) -> ArchiveEntry {
    guard let entry = archive.entry(name) else { throw .entry(name, .missing) }
    return entry
}

private func writeCopy(
    of contents: [(name: String, bytes: [UInt8])], to path: String
) throws(ArchiveError) -> ArchiveReader {
    let writer = try ArchiveWriter(path: path, modifiedSeconds: 0)
    for (number, entry) in contents.enumerated() {
        try writer.add(entry.name, bytes: entry.bytes, isStored: number % 2 == 0)
    }
    try writer.finish()
    return try ArchiveReader(path: path, limits: .none)
}

extension ArchiveLimits {
    static var none: ArchiveLimits {
        var limits = ArchiveLimits()
        limits.entryBytes = .max
        limits.totalBytes = .max
        limits.expansion = .max
        return limits
    }
}
