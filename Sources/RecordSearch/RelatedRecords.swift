import SyncEngine

/// A cache of related records that a search has looked up, missing ones included. Many candidates
/// relate to the same record. The cache is emptied when it has 256 entries, and skips records of
/// more than 4096 bytes.
struct RelatedRecords: Sendable {
    /// The result of one lookup.
    struct Entry: Sendable {
        /// Nil if the record does not exist or the asker may not see it.
        let record: VisibleRecord?
    }

    private static let most = 256
    static let mostBytes = 4096

    private var entries: [String: Entry] = [:]

    subscript(guid: String) -> Entry? { entries[guid] }

    /// Adds an entry. `record` is the stored record that the lookup found.
    mutating func note(_ guid: String, _ record: StoredRecord?, _ entry: Entry) {
        guard (record?.fieldsText.utf8.count ?? 0) <= Self.mostBytes else { return }
        if entries.count >= Self.most { entries = [:] }
        entries[guid] = entry
    }
}
