import Foundation

/// Creates a folder that only its owner may open. Leaves an existing folder as it is.
func makeFolder(_ place: URL) throws {
    try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}

/// Creates an empty file that only its owner may read. Leaves an existing file as it is. SQLite
/// gives its write-ahead log the same permissions.
func makeOwnFile(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let isMade = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard isMade else { throw DatabaseError.failed("'\(path)' cannot be written") }
}
