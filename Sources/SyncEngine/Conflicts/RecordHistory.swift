package import ChangeRules

/// A request for one page of a record's history.
package struct HistoryRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let guid: String
    /// Returns entries before this number; nil for the newest.
    package let before: Int64?
    /// Maximum number of entries.
    package let limit: Int
    /// The page ends with the entry whose text reaches this size, hidden values included.
    package let maxBytes: Int

    package init(
        environment: EnvironmentID, guid: String, before: Int64?, limit: Int, maxBytes: Int
    ) {
        self.environment = environment
        self.guid = guid
        self.before = before
        self.limit = limit
        self.maxBytes = maxBytes
    }
}

/// A record and a page of its history, from one snapshot.
package struct RecordHistory: Hashable, Sendable {
    /// Fingerprint of the environment's current definition in the snapshot.
    package let fingerprint: String
    package let record: StoredRecord
    /// All ownership changes of the record, oldest first.
    package let ownershipChanges: [OwnershipChange]
    /// Newest first.
    package let entries: [HistoryEntry]
    /// The numbers of the entries, in the same, descending order.
    package let numbers: [Int64]
    package let hasMore: Bool

    package init(
        fingerprint: String, record: StoredRecord, ownershipChanges: [OwnershipChange],
        entries: [HistoryEntry], numbers: [Int64], hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.record = record
        self.ownershipChanges = ownershipChanges
        self.entries = entries
        self.numbers = numbers
        self.hasMore = hasMore
    }
}

/// A request for one page of the records with open conflicts.
package struct ConflictedRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    /// Nil for any model.
    package let model: String?
    /// Nil for any guid.
    package let guids: [String]?
    /// Returns records after this one, in the order of model and guid, compared by bytes.
    package let after: RecordKey?
    /// Maximum number of records.
    package let limit: Int
    /// The page ends with the record that reaches this size.
    package let maxBytes: Int

    package init(
        environment: EnvironmentID, model: String?, guids: [String]?, after: RecordKey?,
        limit: Int, maxBytes: Int
    ) {
        self.guids = guids
        self.environment = environment
        self.model = model
        self.after = after
        self.limit = limit
        self.maxBytes = maxBytes
    }
}

/// A page of records with open conflicts, from one snapshot.
package struct ConflictedPage: Hashable, Sendable {
    /// Fingerprint of the environment's current definition in the snapshot.
    package let fingerprint: String
    package let records: [StoredRecord]
    /// Open conflicts by guid, oldest first.
    package let conflicts: [String: [StoredConflict]]
    /// Size of the stored text of records and conflicts.
    package let bytes: Int
    package let hasMore: Bool

    package init(
        fingerprint: String, records: [StoredRecord], conflicts: [String: [StoredConflict]],
        bytes: Int, hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.records = records
        self.conflicts = conflicts
        self.bytes = bytes
        self.hasMore = hasMore
    }
}
