package import ChangeRules

/// The answer to a `PushPull`, not encoded yet.
package struct SyncAnswer: Sendable {
    /// One for each change, in the order of the call.
    package let outcomes: [Outcome]
    package let records: AnswerRecords
    /// Records that the caller may no longer see.
    package let dropped: [RecordKey]
    /// To go on from, once `records` are stored.
    package let cursor: String
    /// Whether more is waiting.
    package let hasMore: Bool
    /// Whether the records start from nothing again: what changed since the cursor is not known.
    package let isResync: Bool
}
