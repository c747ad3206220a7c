import Foundation

@testable import Archives

/// A temporary folder, removed when the last reference is released.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "waggle-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
    }
}

/// An archive in a temporary folder of its own.
final class StoredArchive {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: [UInt8]) throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: "a.zip")
    }

    /// The contents of every entry, in the order of the directory.
    func contents(
        within limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [NamedContents] {
        try namedContents(ofArchiveAt: path, within: limits)
    }

    func error(within limits: ArchiveLimits = ArchiveLimits()) -> ArchiveError? {
        do throws(ArchiveError) {
            _ = try contents(within: limits)
            return nil
        } catch {
            return error
        }
    }
}

struct NamedContents: Hashable {
    let name: String
    let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    init(_ name: String, _ text: String) {
        self.init(name, Array(text.utf8))
    }
}

func namedContents(
    ofArchiveAt path: String, within limits: ArchiveLimits = ArchiveLimits()
) throws(ArchiveError) -> [NamedContents] {
    let archive = try ArchiveReader(path: path, limits: limits)
    var contents: [NamedContents] = []
    for entry in archive.entries {
        contents.append(NamedContents(entry.name, try allBytes(of: try archive.read(entry.name))))
    }
    return contents
}

func allBytes(of reader: EntryReader) throws(ArchiveError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
        let piece = try reader.next(64 << 10)
        guard !piece.isEmpty else { return bytes }
        bytes += piece
    }
}
