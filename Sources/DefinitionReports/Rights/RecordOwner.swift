/// Whose a record is, as the one who asks sees it. Nothing else about a record matters to a right.
package enum RecordOwner: String, Hashable, Sendable, CaseIterable {
    /// The asker's own, of the group that they are in.
    case own = "self"
    /// The asker's own, made when they were in another group.
    case moved
    /// Someone else's, of the asker's group.
    case group
    /// Someone else's, of another group.
    case other
}
