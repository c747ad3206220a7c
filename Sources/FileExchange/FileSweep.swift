package import SyncEngine

/// The number of objects that a sweep removed.
package struct FileSweepResult: Hashable, Sendable {
    /// Files that no record named.
    package var files = 0
    /// Contents that no file had.
    package var contents = 0
    /// Uploads that no file waited for, or that were abandoned.
    package var uploads = 0

    package init() {}
}

/// Removes files that no record or history entry names.
package struct FileSweep: Sendable {
    private let store: any FileStore
    private let blobs: any BlobStore

    package init(store: any FileStore, blobs: any BlobStore) {
        self.store = store
        self.blobs = blobs
    }

    /// Removes files from an environment that no record or history entry names and whose upload
    /// last progressed before a moment. Then removes unused contents and uploads from the disk, for
    /// all environments, including the remains of a crash.
    ///
    /// The moment should be some days in the past, because a client may upload a file long before
    /// it pushes the record. Rows are deleted before bytes, so the next sweep finds whatever this
    /// one leaves on the disk.
    package func run(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(StoreError) -> FileSweepResult {
        let request = SweepRequest(environment: environment, before: moment, limit: 1000)
        let files = try await request.repeated(store.sweepFiles)
        var purged = try await removeUnused(before: moment)
        purged.files = files
        return purged
    }

    /// Removes unused contents and uploads from the disk, also when there is no environment left.
    package func removeUnused(
        before moment: Instant
    ) async throws(StoreError) -> FileSweepResult {
        var purged = FileSweepResult()
        purged.uploads = try await blobs.sweepUploads(untouchedSince: moment) {
            (uploads) async throws(StoreError) in
            try await store.held(uploads: uploads)
        }
        purged.contents = try await blobs.sweepContents { (contents) async throws(StoreError) in
            try await store.held(contents: contents)
        }
        return purged
    }
}

extension FileEngine {
    /// Sweeps the files of the engine's environment: see `FileSweep`.
    package func sweepFiles(before moment: Instant) async throws(SyncError) -> FileSweepResult {
        try await engine.reading { () async throws(StoreError) in
            try await FileSweep(store: store, blobs: blobs)
                .run(in: engine.environment, before: moment)
        }
    }
}
