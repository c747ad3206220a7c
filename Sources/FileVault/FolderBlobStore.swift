package import FileExchange
import Foundation
import Hashing
package import SyncEngine
import SystemFiles

/// Contents of files in a folder:
///
///     app.sqlite.files/
///       4f/4f0b…c2        contents, named by SHA-256, in one of 256 folders ("shelves")
///       uploads/9A6E…     the received part of an upload
///
/// Contents are written to `uploads`, synchronised to disk, and then linked to their name, so a
/// name never refers to a partial file. Several processes may share the folder. It is created on
/// first use.
///
/// A writer holds a shared lock on a shelf from linking contents until they are recorded in the
/// database; a sweep holds an exclusive lock. Contents without a record under the exclusive lock
/// are therefore left over from a crash or belong to a deleted file. A copy holds a shared lock on
/// the folder, which a sweep of contents needs exclusively.
package struct FolderBlobStore: BlobStore {
    private let root: String
    private let threads = BlockingThreads()

    package init(path: String) {
        root = path
    }

    package func received(of upload: String) async throws(StoreError) -> Int64 {
        let path = path(ofUpload: upload)
        return try await threads.run { () throws(SystemFileError) in
            try SystemFile(existing: path, O_RDONLY)?.size() ?? 0
        }
    }

    package func open(upload: String) async throws(StoreError) -> any PartialFile {
        let (path, folder) = (path(ofUpload: upload), uploads)
        let file = try await threads.run { () throws(SystemFileError) in
            try makeFolder(folder)
            let file = try SystemFile(path, O_RDWR | O_CREAT)
            try synchronizeFolder(folder)
            return (file, size: try file.size())
        }
        return UploadFile(file.0, size: file.size, threads: threads)
    }

    package func discard(upload: String) async throws(StoreError) {
        let path = path(ofUpload: upload)
        _ = try await threads.run { () throws(SystemFileError) in try removeFile(path) }
    }

    package func open(
        _ contents: ContentHash, size: Int64
    ) async throws(StoreError) -> (any WholeFile)? {
        let path = path(of: contents)
        let threads = threads
        return try await threads.run { () throws(SystemFileError) -> ContentFile? in
            guard let file = try SystemFile(existing: path, O_RDONLY), try file.size() == size
            else {
                return nil
            }
            return ContentFile(file: file, threads: threads)
        }
    }

    package func commitUpload<Value: Sendable>(
        upload: String, as contents: ContentHash,
        noting: @Sendable () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value? {
        let (temporary, final) = (path(ofUpload: upload), path(of: contents))
        let shelf = shelf(of: contents)
        let held = try await threads.run { () throws(SystemFileError) -> SystemFile? in
            guard let file = try SystemFile(existing: temporary, O_RDONLY) else { return nil }
            try file.synchronize()
            try makeFolder(shelf)
            let held = try SystemFile(shelf, O_RDONLY)
            try held.lock(LOCK_SH)
            guard try linkFile(temporary, to: final) else { return nil }
            try held.synchronize()
            return held
        }
        guard let held else { return nil }
        let value = try await noting()
        try await threads.run { () throws(SystemFileError) in
            try held.lock(LOCK_UN)
            _ = try removeFile(temporary)
        }
        return value
    }
}

// MARK: - Sweeping

extension FolderBlobStore {
    package func holdContents() async throws(StoreError) -> any StoreHold {
        let root = root
        let folder = try await threads.run { () throws(SystemFileError) in
            let folder = try SystemFile(existing: root, O_RDONLY)
            try folder?.lock(LOCK_SH)
            return folder
        }
        return FolderHold(folder: folder, threads: threads)
    }

    package func sweepUploads(
        untouchedSince moment: Instant,
        held: @Sendable (Set<String>) async throws(StoreError) -> Set<String>
    ) async throws(StoreError) -> Int {
        let folder = uploads
        let names = try await threads.run { () throws(SystemFileError) in
            try namesOfFiles(in: folder)
        }
        let awaited = try await held(Set(names))
        return try await threads.run { () throws(SystemFileError) in
            var removed = 0
            let now = Int64(Date().timeIntervalSince1970 * 1000)
            let oldest = Instant(milliseconds: now - Self.unexpectedMilliseconds)
            for name in names {
                let path = "\(folder)/\(name)"
                let limit = awaited.contains(name) ? moment : max(moment, oldest)
                guard try lastChange(of: path).map({ $0 < limit }) ?? false else { continue }
                removed += try removeFile(path) ? 1 : 0
            }
            return removed
        }
    }

    package func sweepContents(
        held: @Sendable (Set<ContentHash>) async throws(StoreError) -> Set<ContentHash>
    ) async throws(StoreError) -> Int {
        // Separate threads: all others may be waiting for the shelf that is locked here.
        let threads = BlockingThreads()
        let root = root
        let folder = try await threads.run { () throws(SystemFileError) -> SystemFile? in
            let folder = try SystemFile(existing: root, O_RDONLY)
            return try folder?.lock(LOCK_EX | LOCK_NB) == true ? folder : nil
        }
        // Without contents, or held.
        guard let folder else { return 0 }
        defer { withExtendedLifetime(folder) {} }
        var removed = 0
        for number in UInt8.min...UInt8.max {
            let shelf = "\(root)/\(hexadecimal([number]))"
            removed += try await sweepShelf(shelf, on: threads, held: held)
        }
        return removed
    }

    private func sweepShelf(
        _ shelf: String, on threads: BlockingThreads,
        held: @Sendable (Set<ContentHash>) async throws(StoreError) -> Set<ContentHash>
    ) async throws(StoreError) -> Int {
        let opened = try await threads.run { () throws(SystemFileError) -> SystemFile? in
            let opened = try SystemFile(existing: shelf, O_RDONLY)
            try opened?.lock(LOCK_EX)
            return opened
        }
        guard let opened else { return 0 }
        let contents = try await threads.run { () throws(SystemFileError) in
            Set(try namesOfFiles(in: shelf).compactMap(ContentHash.init(hex:)))
        }
        let needed = contents.isEmpty ? [] : try await held(contents)
        return try await threads.run { () throws(SystemFileError) in
            for hash in contents.subtracting(needed) {
                _ = try removeFile("\(shelf)/\(hash.hex)")
            }
            try opened.lock(LOCK_UN)
            return contents.count - needed.count
        }
    }
}

/// A shared lock on the folder; nil if there is none.
private struct FolderHold: StoreHold {
    let folder: SystemFile?
    let threads: BlockingThreads

    func release() async {
        // Otherwise the lock ends with this object.
        try? await threads.run { () throws(SystemFileError) in _ = try folder?.lock(LOCK_UN) }
    }
}

// MARK: - Names

extension FolderBlobStore {
    private var uploads: String { "\(root)/uploads" }

    private func path(ofUpload id: String) -> String { "\(uploads)/\(id)" }

    private func shelf(of contents: ContentHash) -> String { "\(root)/\(contents.hex.prefix(2))" }

    private func path(of contents: ContentHash) -> String {
        "\(shelf(of: contents))/\(contents.hex)"
    }
}
