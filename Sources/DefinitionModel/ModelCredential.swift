/// The rights of a role on the records of a model. A role without a credential has no rights.
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

/// The rights of a role on one field of a model's records. A role without a credential has no
/// rights.
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
