import DefinitionModel

/// Warnings treat the levels as ordered by breadth. This is an approximation: a user who changed
/// groups owns records that are not of their present group.
///
/// These are switches instead of comparisons: they run many times for every credential, and a
/// switch is several times as fast.
extension AccessLevel {
    func isWider(than other: AccessLevel) -> Bool { breadth > other.breadth }

    /// Whether the level reaches any record.
    var reachesSome: Bool { breadth > 0 }

    var reachesAll: Bool { breadth == 3 }

    var isOfOwner: Bool { breadth == 1 }

    var isOfGroup: Bool { breadth == 2 }

    /// Whether the level depends on who created a record.
    var goesByCreator: Bool { isOfOwner || isOfGroup }

    private var breadth: Int {
        switch self {
        case .none: 0
        case .own: 1
        case .group: 2
        case .all: 3
        }
    }
}

/// The effective level of a right that another right limits.
func narrower(_ left: AccessLevel, _ right: AccessLevel) -> AccessLevel {
    left.isWider(than: right) ? right : left
}
