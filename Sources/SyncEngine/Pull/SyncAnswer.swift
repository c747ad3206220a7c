package import ChangeRules

/// The answer to a `PushPull`, not yet encoded.
package struct SyncAnswer: Sendable {
    /// One per change, in the order of the call.
    package let outcomes: [Outcome]
    package let records: AnswerRecords
    /// Records that the caller may no longer see.
    package let dropped: [RecordKey]
    /// The cursor of the next call, once `records` are stored.
    package let cursor: String
    /// Whether more records are waiting.
    package let hasMore: Bool
    /// Whether the records start from the first one, because the changes since the cursor are not
    /// known.
    package let isResync: Bool
}
