/// What the engine needs of a database to know files. Whoever is a `Store` is this too: a commit
/// reads what is known of the files that its changes name, and notes who named one first.
///
/// Every call is one transaction, as with a `Store`.
package protocol FileLedger: Sendable {
    /// Nil when nothing is known of it. The fingerprint is that of the environment's current
    /// version at that moment.
    func file(
        _ request: FileRequest
    ) async throws(StoreError) -> (known: KnownFile?, fingerprint: String)

    /// Writes one file, or nothing for nil. `deciding` gets the present state; what else came of
    /// the decision is handed through.
    func changeFile<Result: Sendable>(
        _ guid: String, of login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (FileState) -> (StoredFile?, Result)
    ) async throws(StoreError) -> Result

    /// Forgets loose files that were touched last before a moment, and says how many; fewer than
    /// the limit when there are no more.
    func sweepFiles(_ request: SweepRequest) async throws(StoreError) -> Int

    /// Those of the contents that some file has, in whatever environment.
    func held(
        contents: Set<ContentHash>
    ) async throws(StoreError) -> Set<ContentHash>

    /// Those of the uploads that some file waits for, in whatever environment.
    func held(uploads: Set<String>) async throws(StoreError) -> Set<String>
}

/// What is wanted of a file.
package struct FileRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let guid: String
    /// Their own records come first among those that name it.
    package let login: String
    /// Then those of their group.
    package let group: String
    /// Naming records at most.
    package let limit: Int

    package init(
        environment: EnvironmentID, guid: String, login: String, group: String, limit: Int
    ) {
        self.environment = environment
        self.guid = guid
        self.login = login
        self.group = group
        self.limit = limit
    }
}

/// What a commit needs to know of files. Records that name one are read only where it is not the
/// author's own.
package struct FileNeed: Hashable, Sendable {
    /// Of the files that the batch names.
    package let guids: [String]
    /// The author's.
    package let group: String
    /// Records that name a file at most, for each of them.
    package let limit: Int

    package init(guids: [String], group: String, limit: Int) {
        self.guids = guids
        self.group = group
        self.limit = limit
    }

    package static let none = FileNeed(guids: [], group: "", limit: 0)
}

/// What an upload is decided on.
package struct FileState: Hashable, Sendable {
    /// Nil when nothing is known of it.
    package let file: StoredFile?
    /// The other loose files of the same login.
    package let loose: LooseFiles

    package init(file: StoredFile?, loose: LooseFiles) {
        self.file = file
        self.loose = loose
    }
}

/// What somebody has uploaded, or begun to, and no record names.
package struct LooseFiles: Hashable, Sendable {
    package let count: Int
    /// Of all of them when they are whole.
    package let bytes: Int64

    package init(count: Int, bytes: Int64) {
        self.count = count
        self.bytes = bytes
    }
}
