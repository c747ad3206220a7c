/// A store's entry of a file: its author and the state of its upload. The contents are in a
/// `BlobStore`.
package struct StoredFile: Hashable, Sendable {
    package let guid: String
    /// The user who first uploaded the file or named it in a record. Only this user may send the
    /// contents.
    package let login: String
    /// The time at which the file was first mentioned, or an upload of it last started or
    /// continued.
    package var at: Instant
    /// Whether a record or its history names the file. A file that is not named is *loose*.
    package var isNamed: Bool
    /// Nil until an upload starts.
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

/// An upload of a file's contents, in progress or complete.
package struct StoredUpload: Hashable, Sendable {
    /// Identifies the parts in the blob store until the upload is complete.
    package let id: String
    /// The hash that the contents must have.
    package let contents: ContentHash
    /// Total size in bytes.
    package let size: Int64
    /// The blob store holds the whole contents. They never change after that.
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

/// A file, and the records that may make it visible to an asker.
package struct KnownFile: Hashable, Sendable {
    package let file: StoredFile
    /// Records that name the file now or in an open conflict, those closest to the asker first, as
    /// far as the limit allowed.
    package let namedBy: [NamingRecord]

    package init(file: StoredFile, namedBy: [NamingRecord]) {
        self.file = file
        self.namedBy = namedBy
    }
}
