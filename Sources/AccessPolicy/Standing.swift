import DefinitionModel

/// How an asker stands to a record. Of a record only this matters for a right, so there are four
/// kinds of record to anyone.
package struct Standing: Hashable, Sendable {
    package let isOwner: Bool
    /// Whether the record's group is the asker's, whoever owns the record.
    package let isInGroup: Bool

    package init(isOwner: Bool, isInGroup: Bool) {
        self.isOwner = isOwner
        self.isInGroup = isInGroup
    }

    /// Logins and groups are compared by bytes: canonically equivalent ones are different people,
    /// and taking them for one would widen rights.
    package init(of asker: Asker, to record: Ownership) {
        self.init(
            isOwner: asker.login.hasSameBytes(as: record.owner),
            isInGroup: asker.group.hasSameBytes(as: record.group))
    }

    /// All four, in the order of their `index`.
    package static let all = [
        Standing(isOwner: false, isInGroup: false), Standing(isOwner: true, isInGroup: false),
        Standing(isOwner: false, isInGroup: true), Standing(isOwner: true, isInGroup: true),
    ]

    /// Its place among all.
    package var index: Int { (isOwner ? 1 : 0) + (isInGroup ? 2 : 0) }
}

extension AccessLevel {
    /// Whether a right of this level holds for a record of that standing. Neither of `OWN` and
    /// `GROUP` includes the other: an owner who changed groups has no group right any more.
    func reaches(_ standing: Standing) -> Bool {
        switch self {
        case .none: false
        case .own: standing.isOwner
        case .group: standing.isInGroup
        case .all: true
        }
    }
}
