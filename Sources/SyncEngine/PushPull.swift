package import ChangeRules

/// A device's push and the pull that follows it, in one call.
package struct PushPull: Hashable, Sendable {
    /// At most `Limits.changes`.
    package var changes: [Change]
    /// Change ids whose outcomes the device has stored; they are deleted. At most `Limits.changes`.
    package var acknowledged: [String]
    /// The cursor of the last answer; nil to get everything from the start.
    package var cursor: String?
    /// Records in the answer at most; nil for `Limits.defaultPageRecords`.
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
