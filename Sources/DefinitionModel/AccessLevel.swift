/// How far a right reaches, relative to a record. `AccessPolicy` applies it.
package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    /// Records whose owner is the asker. Being in the group does not widen it.
    case own = "OWN"
    /// Records whose group is the asker's.
    case group = "GROUP"
    case all = "ALL"
}

/// An operation on a record. The first three also apply to a single field.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case create, read, update, delete
    /// Decide an open conflict.
    case resolve
}
