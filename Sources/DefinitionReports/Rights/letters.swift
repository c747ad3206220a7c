import DefinitionModel

extension Operation {
    /// At the head of a narrow column.
    var letter: String {
        switch self {
        case .create: "C"
        case .read: "R"
        case .update: "U"
        case .delete: "D"
        case .resolve: "X"
        }
    }

    /// What someone does who has the right.
    var meaning: String {
        switch self {
        case .create: "create"
        case .read: "read"
        case .update: "update"
        case .delete: "delete"
        case .resolve: "resolve conflicts"
        }
    }
}

extension Reach {
    /// In a narrow column.
    var letter: String {
        switch self {
        case .none: "·"
        case .ownInGroup: "o"
        case .own: "O"
        case .group: "G"
        case .all: "A"
        }
    }

    /// The records, for people.
    var meaning: String {
        switch self {
        case .none: "no record"
        case .ownInGroup: "records that the user created in the group they are in now"
        case .own: "records that the user created"
        case .group: "records of the user's group, whoever created them"
        case .all: "every record"
        }
    }

    /// As a heading of its meaning.
    var words: String {
        switch self {
        case .none, .own, .group, .all: rawValue
        case .ownInGroup: "OWN in GROUP"
        }
    }
}

extension RightsMatrix {
    /// Those that a legend has to explain: the four levels, and what else occurs.
    var reaches: [Reach] {
        Reach.allCases.filter { $0 != .ownInGroup || rights.contains { $0.reach == .ownInGroup } }
    }

    var hasLimits: Bool { rights.contains(where: \.isLimited) }

    private var rights: some Sequence<Right> {
        models.lazy.flatMap { model in
            (model.rights + model.fields.flatMap(\.rights)).flatMap(\.rights)
        }
    }
}

/// What makes a right reach less far than it says, in two lines.
let limitMeaning = [
    "the rule says more: a field's right reaches no further than the model's,",
    "and the right to resolve no further than the one to update",
]
