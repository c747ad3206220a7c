package import ChangeRules

/// Which entries of a record's history are wanted.
package struct HistoryRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    package let guid: String
    /// Those before the entry with this number; nil for the last ones.
    package let before: Int64?
    /// Entries at most.
    package let limit: Int

    package init(environment: EnvironmentID, guid: String, before: Int64?, limit: Int) {
        self.environment = environment
        self.guid = guid
        self.before = before
        self.limit = limit
    }
}

/// A record, and what was done to it, from one snapshot.
package struct RecordHistory: Hashable, Sendable {
    /// Of the environment's current version at that moment.
    package let fingerprint: String
    package let record: StoredRecord
    /// All of the record's, oldest first.
    package let moves: [OwnershipMove]
    /// The last first.
    package let entries: [HistoryEntry]
    /// Of the entries, in the same order: each less than the one before.
    package let numbers: [Int64]
    package let hasMore: Bool

    package init(
        fingerprint: String, record: StoredRecord, moves: [OwnershipMove],
        entries: [HistoryEntry], numbers: [Int64], hasMore: Bool
    ) {
        self.fingerprint = fingerprint
        self.record = record
        self.moves = moves
        self.entries = entries
        self.numbers = numbers
        self.hasMore = hasMore
    }
}

/// Which records with open conflicts are wanted.
package struct ConflictedRequest: Hashable, Sendable {
    package let environment: EnvironmentID
    /// Nil for any.
    package let model: String?
    /// Nil for any.
    package let guids: [String]?
    /// Those that come after it in the order of model and guid, by bytes.
    package let after: RecordKey?
    /// Records at most.
    package let limit: Int
    /// The page ends with the record that reaches it.
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

/// Records with open conflicts, from one snapshot.
package struct ConflictedPage: Hashable, Sendable {
    /// Of the environment's current version at that moment.
    package let fingerprint: String
    package let records: [StoredRecord]
    /// By guid, oldest first.
    package let conflicts: [String: [StoredConflict]]
    /// Of the records' and conflicts' stored text.
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
