package import ChangeRules

/// A push and the pull that follows it, in one call.
package struct PushPull: Sendable {
    /// At most `Limits.changes`.
    package var changes: [Change]
    /// Ids of the changes whose outcomes the device has stored; the server deletes these outcomes.
    /// At most `Limits.changes`.
    package var acknowledged: [String]
    /// The cursor of the last answer; nil for all records from the start.
    package var cursor: String?
    /// Maximum number of records in the answer; nil for `Limits.defaultPageRecords`.
    package var limit: Int?
    /// The time for which the outcomes of the changes are kept, in seconds: for clients that
    /// acknowledge none. Nil keeps each outcome until its device acknowledges it.
    package var outcomeSeconds: Int64?
    /// The changes after `Engine.prepared`; nil if `sync` prepares them.
    var prepared: PreparedBatch?

    package init(
        changes: [Change] = [], acknowledged: [String] = [], cursor: String? = nil,
        limit: Int? = nil, outcomeSeconds: Int64? = nil
    ) {
        self.changes = changes
        self.acknowledged = acknowledged
        self.cursor = cursor
        self.limit = limit
        self.outcomeSeconds = outcomeSeconds
    }
}
