import AccessPolicy
import DefinitionModel
package import SyncEngine

/// Serves the contents of the files of an environment. `Engine` knows files only by their guids.
///
/// A file belongs to the first user who uploads it or names it in an accepted record. Only this
/// user can upload its content, which never changes. A file is visible to everyone who sees a
/// record's field with its guid, to its owner while no record names it, and to operators. For this
/// reason only users who can see a file may name it, which the engine checks in every change.
package struct FileEngine: Sendable {
    let engine: Engine
    let store: any FileStore
    let blobs: any BlobStore

    /// Creates a file engine. `store` must be the store of the engine.
    package init(engine: Engine, store: any FileStore, blobs: any BlobStore) {
        self.engine = engine
        self.store = store
        self.blobs = blobs
    }

    /// Opens the content of a file. Throws `FileRefusal.unknown` if the file does not exist or the
    /// caller may not see it.
    package func open(
        _ guid: String, for caller: Caller
    ) async throws(SyncError) -> OpenedFile {
        guard let known = try await file(guid, for: caller),
            try engine.isShown(known, to: caller)
        else { throw .file(.unknown) }
        guard let upload = known.file.upload, upload.isComplete else { throw .file(.awaited) }
        let file = try await engine.reading { () async throws(StoreError) in
            try await blobs.open(upload.contents, size: upload.size)
        }
        // A sweep may have removed an unreferenced file in the meantime.
        guard let file else { throw .file(known.file.isNamed ? .lost(upload.contents) : .unknown) }
        return OpenedFile(contents: upload.contents, size: upload.size, file: file)
    }

    /// Returns the progress of an upload to its owner. Throws `FileRefusal.unknown` for all others.
    package func upload(
        of guid: String, for caller: Caller
    ) async throws(SyncError) -> UploadState {
        let known = try await file(guid, for: caller)
        guard let file = known?.file, file.login.hasSameBytes(as: caller.asker.login) else {
            throw .file(.unknown)
        }
        guard let upload = file.upload else {
            return UploadState(guid: guid, isComplete: false, received: 0)
        }
        return upload.isComplete
            ? UploadState(guid: guid, upload, received: upload.size)
            : UploadState(guid: guid, upload, received: try await received(of: upload))
    }

    /// Takes the contents of a file that no record names, whoever owns it, and leaves the rest to
    /// the next sweep. Returns false for a file that a record names or has named. Throws
    /// `FileRefusal.unknown` for a file without contents.
    ///
    /// The caller checks that the operator lets the user do so.
    package func removeUnnamed(
        _ guid: String, by caller: Caller
    ) async throws(SyncError) -> Bool {
        guard isGuid(guid) else { throw .file(.unknown) }
        let isNamed = try await engine.reading { () async throws(StoreError) in
            try await store.changeFile(
                guid, of: caller.asker.login, in: engine.environment
            ) { state -> (StoredFile?, Bool?) in
                guard var file = state.file, file.isNamed || file.upload != nil else {
                    return (nil, nil)
                }
                guard !file.isNamed else { return (nil, true) }
                file.upload = nil
                file.at = Instant(milliseconds: 0)
                return (file, false)
            }
        }
        guard let isNamed else { throw .file(.unknown) }
        return !isNamed
    }

    private func received(of upload: StoredUpload) async throws(SyncError) -> Int64 {
        try await engine.reading { () async throws(StoreError) in
            try await blobs.received(of: upload.id)
        }
    }

    private func file(
        _ guid: String, for caller: Caller
    ) async throws(SyncError) -> KnownFile? {
        guard isGuid(guid) else { return nil }
        let request = FileRequest(
            environment: engine.environment, guid: guid, login: caller.asker.login,
            group: caller.asker.group, limit: engine.limits.namingOfFile)
        let (known, fingerprint) = try await engine.reading { () async throws(StoreError) in
            try await store.file(request)
        }
        try engine.checkIsCurrent(fingerprint)
        return known
    }
}

/// The content of a file, open for reading.
package struct OpenedFile: Sendable {
    package let contents: ContentHash
    /// The size in bytes.
    package let size: Int64
    let file: any WholeFile

    /// Reads up to `count` bytes. Returns fewer only at the end of the file.
    package func read(_ count: Int, at offset: Int64) async throws(SyncError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            bytes = try await file.read(count, at: offset)
        } catch {
            throw .store(error)
        }
        guard !bytes.isEmpty || offset == size else {
            throw .store(.unreadable("the contents \(contents.hex) became shorter"))
        }
        return bytes
    }
}

/// The progress of an upload.
package struct UploadState: Hashable, Sendable {
    package let guid: String
    /// Whether all bytes have arrived and match the announced hash.
    package let isComplete: Bool
    /// The number of bytes received.
    package let received: Int64
    /// The size of the whole file, in bytes; nil if no upload has started.
    package let size: Int64?

    init(guid: String, isComplete: Bool, received: Int64, size: Int64? = nil) {
        self.guid = guid
        self.isComplete = isComplete
        self.received = received
        self.size = size
    }

    init(guid: String, _ upload: StoredUpload, received: Int64) {
        self.init(
            guid: guid, isComplete: upload.isComplete, received: received, size: upload.size)
    }
}
