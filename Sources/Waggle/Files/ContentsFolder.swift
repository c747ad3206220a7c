import Foundation
import Hashing

/// The contents of one user's files on a device, each under its guid and written atomically. At
/// most one chunk of a file is in memory.
struct ContentsFolder: Sendable {
    let place: URL

    static let pieceBytes = 1 << 20

    func path(of guid: String) -> URL { place.appending(path: guid) }

    /// The part of a download that has been received.
    func partPath(of guid: String) -> URL { place.appending(path: guid + ".part") }

    func hasContents(of guid: String) -> Bool {
        FileManager.default.fileExists(atPath: path(of: guid).path)
    }

    /// Copies the contents of a file. Returns their length in bytes and their digest.
    func take(_ source: URL, as guid: String) throws -> (bytes: Int64, digest: String) {
        dropPart(of: guid)
        // In chunks: the copy has the permissions of the folder, not those of the source.
        try append([], to: guid)
        var bytes: Int64 = 0
        while case let piece = try piece(of: source, from: bytes), !piece.isEmpty {
            try append(piece, to: guid)
            bytes += Int64(piece.count)
        }
        let taken = try measure(partPath(of: guid))
        try finish(guid)
        return taken
    }

    func take(_ data: Data, as guid: String) throws -> (bytes: Int64, digest: String) {
        dropPart(of: guid)
        try append([UInt8](data), to: guid)
        let taken = try measure(partPath(of: guid))
        try finish(guid)
        return taken
    }

    /// Reads a chunk from an offset. The last chunk is shorter; at the end it is empty.
    func piece(of file: URL, from offset: Int64) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(offset))
        return [UInt8](try handle.read(upToCount: Self.pieceBytes) ?? Data())
    }

    /// The number of bytes of a download that have been received.
    func received(of guid: String) -> Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: partPath(of: guid).path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    func append(_ bytes: [UInt8], to guid: String) throws {
        try makeFolder(place)
        let part = partPath(of: guid)
        try makeOwnFile(part.path)
        let handle = try FileHandle(forWritingTo: part)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(bytes))
    }

    /// Makes a complete download the contents of its file.
    func finish(_ guid: String) throws {
        let handle = try FileHandle(forWritingTo: partPath(of: guid))
        try handle.synchronize()
        try handle.close()
        guard rename(partPath(of: guid).path, path(of: guid).path) == 0 else {
            throw DatabaseError.failed("'\(path(of: guid).path)' cannot be replaced")
        }
    }

    func dropPart(of guid: String) {
        try? FileManager.default.removeItem(at: partPath(of: guid))
    }

    func remove(_ guid: String) {
        try? FileManager.default.removeItem(at: path(of: guid))
        dropPart(of: guid)
    }

    func measure(_ file: URL) throws -> (bytes: Int64, digest: String) {
        var hash = SHA256()
        var bytes: Int64 = 0
        while true {
            let piece = try piece(of: file, from: bytes)
            guard !piece.isEmpty else { break }
            hash.update(piece)
            bytes += Int64(piece.count)
        }
        return (bytes, Data(hash.finalize()).base64EncodedString())
    }
}
