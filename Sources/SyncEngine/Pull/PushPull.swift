package import ChangeRules

/// A push and the pull that follows it, in one call.
package struct PushPull: Hashable, Sendable {
    /// At most `Limits.changes`.
    package var changes: [Change]
    /// Ids of the changes whose outcomes the device has stored; the server deletes these outcomes.
    /// At most `Limits.changes`.
    package var acknowledged: [String]
    /// The cursor of the last answer; nil for all records from the start.
    package var cursor: String?
    /// Maximum number of records in the answer; nil for `Limits.defaultPageRecords`.
    package var limit: Int?

    package init(
        changes: [Change] = [], acknowledged: [String] = [], cursor: String? = nil,
        limit: Int? = nil
    ) {
        self.changes = changes
        self.acknowledged = acknowledged
        self.cursor = cursor
        self.limit = limit
    }
}
