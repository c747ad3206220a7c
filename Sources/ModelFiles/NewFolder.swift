import Foundation

/// A folder that is made with all that belongs into it, or not at all.
package struct NewFolder: Sendable {
    private let place: URL

    package init(path: String) {
        place = URL(filePath: path).standardizedFileURL
    }

    /// Throws where something is there that would be lost or mixed with it. An empty folder may be.
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

    /// By their paths in the folder. They are written beside it first, so that whenever this ends,
    /// it is whole or not there.
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
            throw .unwritable(place.path, reason: error.localizedDescription)
        }
    }

    private func write(_ bytes: [UInt8], to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    /// Fails where something has come there meanwhile; an empty folder is replaced.
    private func move(_ draft: URL) throws {
        guard rename(draft.path, place.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }
}
