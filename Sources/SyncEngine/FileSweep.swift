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

/// Removes what no record of any kept version names.
package struct FileSweep: Sendable {
    private let ledger: any FileLedger
    private let vault: any Vault

    package init(ledger: any FileLedger, vault: any Vault) {
        self.ledger = ledger
        self.vault = vault
    }

    /// Forgets an environment's files that no record names, not even by its history, and whose
    /// upload was last gone on with before a moment. Then it removes what is left over on the disk,
    /// of this and of every other environment, whatever a crash has left there too. The moment
    /// should be some days past: a client may upload long before it pushes the record.
    ///
    /// The rows go first, the bytes after: what is still on the disk then is found the next time.
    package func run(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(StoreError) -> SweptFiles {
        var swept = SweptFiles()
        let request = SweepRequest(environment: environment, before: moment, limit: 1000)
        var found = request.limit
        while found == request.limit, !Task.isCancelled {
            found = try await ledger.sweepFiles(request)
            swept.files += found
        }
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
    /// Sweeps the files of the engine's environment, as `FileSweep` says.
    package func sweepFiles(before moment: Instant) async throws(SyncError) -> SweptFiles {
        try await engine.reading { () async throws(StoreError) in
            try await FileSweep(ledger: ledger, vault: vault)
                .run(in: engine.environment, before: moment)
        }
    }
}
