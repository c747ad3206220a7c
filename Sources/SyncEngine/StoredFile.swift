/// A file as a store knows it: whose it is, and how far its contents have come. The contents
/// themselves lie in a `Vault`.
package struct StoredFile: Hashable, Sendable {
    package let guid: String
    /// Who spoke of it first, by uploading it or by naming it in a record. The contents come from
    /// nobody else.
    package let login: String
    /// When it was first spoken of, or its contents were last begun or gone on with.
    package var at: Instant
    /// Whether a record names it, or a record's history. A file that is not named is *loose*.
    package var isNamed: Bool
    /// Nil while nobody has begun to send contents.
    package var upload: StoredUpload?

    package init(
        guid: String, login: String, at: Instant, isNamed: Bool, upload: StoredUpload?
    ) {
        self.guid = guid
        self.login = login
        self.at = at
        self.isNamed = isNamed
        self.upload = upload
    }
}

/// The contents of a file, on their way or arrived.
package struct StoredUpload: Hashable, Sendable {
    /// By which the vault knows what has come, until all has.
    package let id: String
    /// What they must turn out to have.
    package let contents: ContentHash
    /// Of all of them, in bytes.
    package let size: Int64
    /// They are in the vault, whole. They stay what they are from then on.
    package var isComplete: Bool

    package init(id: String, contents: ContentHash, size: Int64, isComplete: Bool) {
        self.id = id
        self.contents = contents
        self.size = size
        self.isComplete = isComplete
    }
}

/// A record that names a file, with its open conflicts.
package struct NamingRecord: Hashable, Sendable {
    package let record: StoredRecord
    package let conflicts: [StoredConflict]

    package init(record: StoredRecord, conflicts: [StoredConflict]) {
        self.record = record
        self.conflicts = conflicts
    }
}

/// A file, and records by which somebody may be shown it.
package struct KnownFile: Hashable, Sendable {
    package let file: StoredFile
    /// Those that name it now, or in an open conflict, and first those that are nearest to whom it
    /// was asked for. Not more than were asked for.
    package let namedBy: [NamingRecord]

    package init(file: StoredFile, namedBy: [NamingRecord]) {
        self.file = file
        self.namedBy = namedBy
    }
}
