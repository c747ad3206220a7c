import DefinitionModel

/// The relation of an asker to a record: owner or not, and in the record's group or not. Rights
/// depend on nothing else of a record.
package struct Relationship: Hashable, Sendable {
    package let isOwner: Bool
    /// Independent of the owner.
    package let isInGroup: Bool

    package init(isOwner: Bool, isInGroup: Bool) {
        self.isOwner = isOwner
        self.isInGroup = isInGroup
    }

    /// Compares by bytes: canonically equivalent logins belong to different users, and treating
    /// them as equal would widen rights.
    package init(of asker: Asker, to record: Ownership) {
        self.init(
            isOwner: asker.login.hasSameBytes(as: record.owner),
            isInGroup: asker.group.hasSameBytes(as: record.group))
    }

    /// All four relations, ordered by `index`.
    package static let all = [
        Relationship(isOwner: false, isInGroup: false),
        Relationship(isOwner: true, isInGroup: false),
        Relationship(isOwner: false, isInGroup: true), Relationship(isOwner: true, isInGroup: true),
    ]

    /// The index in `all`.
    package var index: Int { (isOwner ? 1 : 0) + (isInGroup ? 2 : 0) }
}

extension AccessLevel {
    /// Whether a right of this level covers such a record. `OWN` and `GROUP` are independent: an
    /// owner who left the record's group has no group right.
    func reaches(_ relationship: Relationship) -> Bool {
        switch self {
        case .none: false
        case .own: relationship.isOwner
        case .group: relationship.isInGroup
        case .all: true
        }
    }
}
