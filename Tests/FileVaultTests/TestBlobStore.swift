import FileExchange
import Foundation
import SyncEngine
import Testing

@testable import FileVault

/// A blob store in a temporary folder, removed with this object.
final class TestBlobStore: Sendable {
    let folder: URL
    let blobs: FolderBlobStore

    var path: String { folder.appending(path: "app.sqlite.files").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        blobs = FolderBlobStore(path: folder.appending(path: "app.sqlite.files").path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The contents of all files, by path.
    func files() throws -> [String: String] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            let file = URL(fileURLWithPath: path + "/" + name)
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else {
                continue
            }
            files[name] = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
        return files
    }

    /// Appends a text to an upload in a separate request.
    func append(_ text: String, to upload: String) async throws {
        #expect(try await blobs.open(upload: upload).append(Array(text.utf8)))
    }

    /// Stores a text as contents.
    func keep(_ text: String, as contents: ContentHash, upload: String = "u") async throws {
        try await append(text, to: upload)
        let noted = try await blobs.commitUpload(upload: upload, as: contents) {
            () async throws(StoreError) in true
        }
        #expect(noted == true)
    }

    /// Reads contents from the first byte.
    func text(of contents: ContentHash, size: Int64) async throws -> String? {
        guard let file = try await blobs.open(contents, size: size) else { return nil }
        return String(decoding: try await file.read(1000, at: 0), as: UTF8.self)
    }

    /// Whether another process could lock the shelf now.
    func canLock(shelf: String, _ operation: Int32) -> Bool {
        let descriptor = open("\(path)/\(shelf)", O_RDONLY)
        defer { close(descriptor) }
        return flock(descriptor, operation | LOCK_NB) == 0
    }
}

extension ContentHash {
    /// A hash with this prefix.
    static func test(_ prefix: String) throws -> ContentHash {
        try #require(
            ContentHash(hex: prefix + String(repeating: "0", count: 64 - prefix.utf8.count)))
    }
}

/// The error of a failed record in the database.
let failedNote = StoreError.failed("no note")
