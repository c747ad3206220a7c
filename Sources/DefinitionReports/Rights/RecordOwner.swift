/// The owner of a record relative to the asker. Rights depend on nothing else about a record.
package enum RecordOwner: String, Hashable, Sendable, CaseIterable {
    /// The asker, in the asker's present group.
    case own = "self"
    /// The asker, while in another group.
    case moved
    /// Another user, in the asker's group.
    case group
    /// Another user, in another group.
    case other
}
