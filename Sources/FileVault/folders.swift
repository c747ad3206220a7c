import Foundation
import SyncEngine
import SystemFiles

/// Creates a folder and those above it, such that they survive a loss of power.
func makeFolder(_ path: String) throws(SystemFileError) {
    if mkdir(path, 0o700) == 0 { return try synchronizeFolder(above(path)) }
    if errno == EEXIST { return }
    guard errno == ENOENT else { throw SystemFileError("make", path) }
    try makeFolder(above(path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw SystemFileError("make", path) }
    try synchronizeFolder(above(path))
}

/// Makes the entries of a folder survive a loss of power.
func synchronizeFolder(_ path: String) throws(SystemFileError) {
    try SystemFile(path, O_RDONLY).synchronize()
}

/// Gives a file a second name. An existing file with the name and size stays: the name is the hash
/// of its contents. One of another size is damaged and is replaced. Returns false if `path` does
/// not exist.
func linkFile(_ path: String, to name: String) throws(SystemFileError) -> Bool {
    if link(path, name) == 0 { return true }
    if errno == ENOENT { return false }
    guard errno == EEXIST else { throw SystemFileError("link to", name) }
    guard let file = try SystemFile(existing: path, O_RDONLY) else { return false }
    let present = try SystemFile(existing: name, O_RDONLY)
    if try present?.size() == file.size() { return true }
    guard rename(path, name) == 0 else { throw SystemFileError("rename to", name) }
    return true
}

/// Returns false if the file does not exist.
func removeFile(_ path: String) throws(SystemFileError) -> Bool {
    if unlink(path) == 0 { return true }
    guard errno == ENOENT else { throw SystemFileError("remove", path) }
    return false
}

/// Empty if the folder does not exist.
func namesOfFiles(in folder: String) throws(SystemFileError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
        throw .failed("'\(folder)' cannot be listed: \(error)")
    }
}

/// Nil if the file does not exist.
func lastChange(of path: String) throws(SystemFileError) -> Instant? {
    var status = stat()
    guard stat(path, &status) == 0 else {
        guard errno == ENOENT else { throw SystemFileError("look at", path) }
        return nil
    }
    #if canImport(Darwin)
        let time = status.st_mtimespec
    #else
        let time = status.st_mtim
    #endif
    return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
}

private func above(_ path: String) -> String {
    let folder = (path as NSString).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
}
