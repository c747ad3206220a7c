/// The read access of one role to the records of one model, precomputed for the four relations of
/// an asker to a record.
package struct ReadPolicy: Hashable, Sendable {
    static let nothing = ReadPolicy { _ in .nothing }
    static let everything = ReadPolicy { _ in .everything }

    /// In the order of `Relationship.all`.
    private let views: [FieldVisibility]
    /// Whether all records are fully visible, independent of owner and group.
    package let seesEverything: Bool
    /// Whether no record is visible, independent of owner and group.
    package let seesNothing: Bool
    /// Whether the visible fields depend on the owner of the record.
    package let tellsOwners: Bool

    init(_ view: (Relationship) -> FieldVisibility) {
        views = Relationship.all.map(view)
        seesEverything = views.allSatisfy { $0 == .everything }
        seesNothing = views.allSatisfy { $0 == .nothing }
        tellsOwners = [false, true].contains { isInGroup in
            view(Relationship(isOwner: true, isInGroup: isInGroup))
                != view(Relationship(isOwner: false, isInGroup: isInGroup))
        }
    }

    package func view(at relationship: Relationship) -> FieldVisibility {
        views[relationship.index]
    }

    /// The same by other names of fields. Fields without another name keep theirs.
    package func renamed(_ names: [String: String]) -> ReadPolicy {
        ReadPolicy { view(at: $0).renamed(names) }
    }

    /// The asker must have the role of this policy.
    package func view(of record: Ownership, for asker: Asker) -> FieldVisibility {
        seesEverything ? .everything : view(at: Relationship(of: asker, to: record))
    }
}

/// The visible part of a record.
package enum FieldVisibility: Hashable, Sendable {
    /// Not even the existence of the record is visible.
    case nothing
    /// A proper subset of the fields, possibly empty.
    case fields(Set<String>)
    /// All fields of the model, so the stored record can be returned unchanged, except for fields
    /// that the current definition no longer has.
    case everything

    /// The same by other names of fields. Fields without another name keep theirs.
    package func renamed(_ names: [String: String]) -> FieldVisibility {
        switch self {
        case .nothing, .everything: self
        case .fields(let fields): .fields(Set(fields.map { names[$0] ?? $0 }))
        }
    }

    /// The field must be one of the model's.
    package func shows(field: String) -> Bool {
        switch self {
        case .nothing: false
        case .fields(let names): names.contains(field)
        case .everything: true
        }
    }
}
