import Foundation
import SystemFiles

/// A folder that is created atomically with all its files.
package struct NewFolder: Sendable {
    private let place: URL

    package init(path: String) {
        place = URL(filePath: path).standardizedFileURL
    }

    /// Throws if files at the path would be lost or mixed with the new ones. An empty folder is
    /// fine.
    package func checkIsFree() throws(ModelFileError) {
        let names: [String]
        do {
            guard FileManager.default.fileExists(atPath: place.path) else { return }
            names = try FileManager.default.contentsOfDirectory(atPath: place.path)
        } catch {
            throw .taken(place.lastPathComponent)
        }
        guard names.isEmpty else { throw .taken(place.lastPathComponent) }
    }

    /// `files` have paths relative to the folder. They are written to a temporary folder beside it
    /// first, so that the folder is complete whenever it exists.
    package func write(_ files: [(path: String, bytes: [UInt8])]) throws(ModelFileError) {
        try checkIsFree()
        let draft = place.deletingLastPathComponent().appending(
            path: ".\(place.lastPathComponent)-\(ProcessInfo.processInfo.globallyUniqueString)")
        do {
            try FileManager.default.createDirectory(
                at: draft, withIntermediateDirectories: false)
            for (path, bytes) in files { try write(bytes, to: draft.appending(path: path)) }
            try move(draft)
        } catch {
            try? FileManager.default.removeItem(at: draft)
            throw .unwritable(place.path, reason: systemReason(of: error))
        }
    }

    private func write(_ bytes: [UInt8], to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Fails if the path has come into use meanwhile; replaces an empty folder.
    private func move(_ draft: URL) throws {
        guard rename(draft.path, place.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
