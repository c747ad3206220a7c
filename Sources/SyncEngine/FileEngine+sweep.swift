/// What was removed.
package struct SweptFiles: Hashable, Sendable {
    /// Files that nothing named, which are not known any more.
    package var files = 0
    /// Contents that no file has.
    package var contents = 0
    /// Uploads that nobody waited for, or went on with.
    package var uploads = 0

    package init() {}
}

extension FileEngine {
    /// Forgets the environment's files that no record names, not even by its history, and whose
    /// upload was last gone on with before a moment. Then it removes what is left over on the disk,
    /// of this and of every other environment, whatever a crash has left there too. The moment
    /// should be some days past: a client may upload long before it pushes the record.
    ///
    /// The rows go first, the bytes after: what is still on the disk then is found the next time.
    package func sweepFiles(before moment: Instant) async throws(SyncError) -> SweptFiles {
        let batch = 1000
        var swept = SweptFiles()
        var found = batch
        while found == batch, !Task.isCancelled {
            let request = SweepRequest(
                environment: engine.environment, before: moment, limit: batch)
            found = try await engine.reading { () async throws(StoreError) in
                try await ledger.sweepFiles(request)
            }
            swept.files += found
        }
        swept.uploads = try await engine.reading { () async throws(StoreError) in
            try await vault.sweepUploads(untouchedSince: moment) {
                (uploads) async throws(StoreError) in
                try await ledger.held(uploads: uploads)
            }
        }
        swept.contents = try await engine.reading { () async throws(StoreError) in
            try await vault.sweepContents { (contents) async throws(StoreError) in
                try await ledger.held(contents: contents)
            }
        }
        return swept
    }
}
