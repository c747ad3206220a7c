import DefinitionModel

/// The effective reach of a right, after all rules that take part.
package enum Reach: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    /// One rule says `OWN` and another `GROUP`: the asker's own records in their present group.
    case ownInGroup = "OWN_IN_GROUP"
    case own = "OWN"
    case group = "GROUP"
    case all = "ALL"

    package var owners: Set<RecordOwner> {
        switch self {
        case .none: []
        case .ownInGroup: [.own]
        case .own: [.own, .moved]
        case .group: [.own, .group]
        case .all: [.own, .moved, .group, .other]
        }
    }

    /// A new record belongs to its creator, so a right to create reaches all records or none.
    func owners(for operation: Operation) -> Set<RecordOwner> {
        operation == .create && self != .none ? Self.all.owners : owners
    }

    /// Derived from the answers of `AccessPolicy`. Every intersection of levels is one of these
    /// cases.
    init(_ isReached: (RecordOwner) -> Bool) {
        self =
            if isReached(.other) {
                .all
            } else if isReached(.group) {
                .group
            } else if isReached(.moved) {
                .own
            } else if isReached(.own) {
                .ownInGroup
            } else {
                .none
            }
    }
}
