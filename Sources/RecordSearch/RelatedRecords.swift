import SyncEngine

/// A cache of related records that a search has looked up, missing ones included. Many candidates
/// relate to the same record, which is read and parsed once, however large it is. The cache is
/// emptied when it has 256 entries, or their values have more bytes than a batch.
struct RelatedRecords: Sendable {
    /// The result of one lookup.
    struct Entry: Sendable {
        /// Nil if the record does not exist or the asker may not see it.
        let record: VisibleRecord?
    }

    private static let most = 256

    private var entries: [String: Entry] = [:]
    private var bytes = 0

    subscript(guid: String) -> Entry? { entries[guid] }

    /// Adds an entry for a record that has none.
    mutating func note(_ guid: String, _ entry: Entry) {
        let added = entry.record?.keptBytes ?? 0
        if entries.count >= Self.most || bytes + added > BatchSize.maxBytes {
            (entries, bytes) = ([:], 0)
        }
        entries[guid] = entry
        bytes += added
    }
}
