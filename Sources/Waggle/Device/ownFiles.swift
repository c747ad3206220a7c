import Foundation

/// A folder that no other user of this computer may look into, unless it is there already.
func makeFolder(_ place: URL) throws {
    try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
}

/// A file of nothing that no other user of this computer may read, unless it is there already. What
/// SQLite puts beside it has the same rights.
func makeOwnFile(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    let isMade = FileManager.default.createFile(
        atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    guard isMade else { throw DatabaseError.failed("'\(path)' cannot be written") }
}
