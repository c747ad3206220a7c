import DefinitionModel

/// The records that a right reaches in the end, after every rule that has a say in it.
package enum Reach: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    /// One rule says `OWN` and the other `GROUP`: the asker's own that are of their present group.
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

    /// A new record is its creator's own, so a right to create reaches all or nothing.
    func owners(for operation: Operation) -> Set<RecordOwner> {
        operation == .create && self != .none ? Self.all.owners : owners
    }

    /// By the answers of `AccessPolicy`. What is common to several levels is always one of these.
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
