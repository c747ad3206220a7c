/// What was found, or not, of the records that candidates belong to. Many belong to the same, so
/// that most find it here. Flat: there is room for so many small ones.
struct RelatedRecords: Sendable {
    /// That a record was looked for.
    struct Entry: Sendable {
        /// Nil where there is none, or none that the asker may see.
        let record: SeenRecord?
    }

    private static let most = 256
    private static let mostBytes = 4096

    private var entries: [String: Entry] = [:]

    subscript(guid: String) -> Entry? { entries[guid] }

    /// `record` is what was found.
    mutating func note(_ guid: String, _ record: StoredRecord?, _ entry: Entry) {
        guard (record?.fieldsText.utf8.count ?? 0) <= Self.mostBytes else { return }
        if entries.count >= Self.most { entries = [:] }
        entries[guid] = entry
    }
}
