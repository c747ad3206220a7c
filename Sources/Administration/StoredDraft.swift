package import SyncEngine

/// A definition that operators are designing, without its text.
package struct StoredDraft: Hashable, Sendable {
    package let name: String
    /// The number of times that it was written.
    package let revision: Int64
    /// The operator who wrote it last.
    package let author: String
    package let changedAt: Instant
    /// Size of the text in bytes.
    package let size: Int

    package init(name: String, revision: Int64, author: String, changedAt: Instant, size: Int) {
        self.name = name
        self.revision = revision
        self.author = author
        self.changedAt = changedAt
        self.size = size
    }
}

/// A new text of a draft.
package struct WrittenDraft: Hashable, Sendable {
    package let name: String
    package let source: [UInt8]
    package let author: String
    package let writtenAt: Instant
    /// The revision that the author saw; 0 for a new draft.
    package let base: Int64

    package init(
        name: String, source: [UInt8], author: String, writtenAt: Instant, base: Int64
    ) {
        self.name = name
        self.source = source
        self.author = author
        self.writtenAt = writtenAt
        self.base = base
    }

    /// The draft after the write.
    package var stored: StoredDraft {
        StoredDraft(
            name: name, revision: base + 1, author: author, changedAt: writtenAt,
            size: source.count)
    }
}
