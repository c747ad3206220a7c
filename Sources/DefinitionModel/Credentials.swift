/// How far a right reaches. Relative to a record, see `AccessPolicy`.
package enum AccessLevel: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    /// Records whose owner is the asker. Being in the group does not widen it.
    case own = "OWN"
    /// Records whose group is the asker's.
    case group = "GROUP"
    case all = "ALL"
}

/// What someone wants to do to a record or, the first three, to one of its fields.
package enum Operation: String, Hashable, Sendable, CaseIterable {
    case create, read, update, delete
    /// Decide an open conflict.
    case resolve
}

/// What a role may do with the records of a model. A role without one may do nothing.
package struct ModelCredential: Hashable, Sendable {
    package let create: AccessLevel
    package let read: AccessLevel
    package let update: AccessLevel
    package let delete: AccessLevel
    package let resolvesConflicts: Bool
    /// Where the `credential` element stands.
    package let place: SourcePlace

    package init(
        create: AccessLevel, read: AccessLevel, update: AccessLevel, delete: AccessLevel,
        resolvesConflicts: Bool, place: SourcePlace
    ) {
        self.create = create
        self.read = read
        self.update = update
        self.delete = delete
        self.resolvesConflicts = resolvesConflicts
        self.place = place
    }
}

/// What a role may do with one field of a model's records. A role without one may do nothing.
package struct FieldCredential: Hashable, Sendable {
    package let create: AccessLevel
    package let read: AccessLevel
    package let update: AccessLevel
    /// Where the `credential` element stands.
    package let place: SourcePlace

    package init(
        create: AccessLevel, read: AccessLevel, update: AccessLevel, place: SourcePlace
    ) {
        self.create = create
        self.read = read
        self.update = update
        self.place = place
    }
}
