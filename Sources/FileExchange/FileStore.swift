package import SyncEngine

/// Storage for the metadata of files. Every `Store` implements it: a commit reads the state of the
/// files that its changes name, and records the first user to name a file.
///
/// Every call is one transaction, as in `Store`.
package protocol FileStore: Sendable {
    /// Returns what is known of a file, or nil if nothing is, with the fingerprint of the
    /// definition that is current in the transaction.
    func file(
        _ request: FileRequest
    ) async throws(StoreError) -> (known: KnownFile?, fingerprint: String)

    /// Lets `deciding` choose the new state of a file from its present state, and writes it unless
    /// it is nil. Returns the result of `deciding`.
    func changeFile<Result: Sendable>(
        _ guid: String, of login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (FileState) -> (StoredFile?, Result)
    ) async throws(StoreError) -> Result

    /// Deletes unreferenced files that were last touched before a moment. Returns their number,
    /// which is below the limit if none are left.
    func sweepFiles(_ request: SweepRequest) async throws(StoreError) -> Int

    /// Returns the given contents that a file in any environment has.
    func held(
        contents: Set<ContentHash>
    ) async throws(StoreError) -> Set<ContentHash>

    /// Returns the given uploads that a file in any environment waits for.
    func held(uploads: Set<String>) async throws(StoreError) -> Set<String>
}

/// The state on which an upload is decided.
package struct FileState: Hashable, Sendable {
    /// The file; nil if nothing is known of it.
    package let file: StoredFile?
    /// The other unreferenced files of the same user.
    package let loose: UnreferencedFiles

    package init(file: StoredFile?, loose: UnreferencedFiles) {
        self.file = file
        self.loose = loose
    }
}

/// The files that a user has started to upload and that no record names.
package struct UnreferencedFiles: Hashable, Sendable {
    package let count: Int
    /// The sum of the sizes of these files, in bytes, including parts not yet uploaded.
    package let bytes: Int64

    package init(count: Int, bytes: Int64) {
        self.count = count
        self.bytes = bytes
    }
}
