import DefinitionModel

extension Operation {
    /// For the head of a narrow column.
    var abbreviation: String {
        switch self {
        case .create: "C"
        case .read: "R"
        case .update: "U"
        case .delete: "D"
        case .resolve: "X"
        }
    }

    /// The meaning for a legend.
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
    /// For a narrow column.
    var abbreviation: String {
        switch self {
        case .none: "·"
        case .ownInGroup: "o"
        case .own: "O"
        case .group: "G"
        case .all: "A"
        }
    }

    /// The records that are reached, for a legend.
    var meaning: String {
        switch self {
        case .none: "no record"
        case .ownInGroup: "records that the user created in the group they are in now"
        case .own: "records that the user created"
        case .group: "records of the user's group, whoever created them"
        case .all: "every record"
        }
    }

    /// The heading of the meaning.
    var words: String {
        switch self {
        case .none, .own, .group, .all: rawValue
        case .ownInGroup: "OWN in GROUP"
        }
    }
}

extension RightsMatrix {
    /// The reaches for a legend: the four levels, and all others that occur.
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

/// The explanation of a limited right, in two lines.
let limitMeaning = [
    "the rule says more: a field's right reaches no further than the model's,",
    "and the right to resolve no further than the one to update",
]
