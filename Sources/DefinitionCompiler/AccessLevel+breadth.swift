import DefinitionModel

/// For warnings a level reaches further than those before it. That is not quite so: someone who
/// changed groups owns records that are not of their group.
///
/// All of these are switches and not comparisons: they are asked for every credential many times
/// over, and a switch is several times as quick.
extension AccessLevel {
    func isWider(than other: AccessLevel) -> Bool { breadth > other.breadth }

    /// Whether it reaches any record.
    var reachesSome: Bool { breadth > 0 }

    var reachesAll: Bool { breadth == 3 }

    var isOfOwner: Bool { breadth == 1 }

    var isOfGroup: Bool { breadth == 2 }

    /// Whether it depends on who created a record.
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

/// What is left of a right that another one limits.
func narrower(_ left: AccessLevel, _ right: AccessLevel) -> AccessLevel {
    left.isWider(than: right) ? right : left
}
