package import SyncEngine

/// The number of objects that a sweep removed.
package struct SweptFiles: Hashable, Sendable {
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
    private let ledger: any FileStore
    private let vault: any BlobStore

    package init(ledger: any FileStore, vault: any BlobStore) {
        self.ledger = ledger
        self.vault = vault
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
    ) async throws(StoreError) -> SweptFiles {
        var swept = SweptFiles()
        let request = SweepRequest(environment: environment, before: moment, limit: 1000)
        swept.files = try await request.repeated(ledger.sweepFiles)
        swept.uploads = try await vault.sweepUploads(untouchedSince: moment) {
            (uploads) async throws(StoreError) in
            try await ledger.held(uploads: uploads)
        }
        swept.contents = try await vault.sweepContents { (contents) async throws(StoreError) in
            try await ledger.held(contents: contents)
        }
        return swept
    }
}

extension FileEngine {
    /// Sweeps the files of the engine's environment: see `FileSweep`.
    package func sweepFiles(before moment: Instant) async throws(SyncError) -> SweptFiles {
        try await engine.reading { () async throws(StoreError) in
            try await FileSweep(ledger: ledger, vault: vault)
                .run(in: engine.environment, before: moment)
        }
    }
}
