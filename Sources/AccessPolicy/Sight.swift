/// What one role may read of one model's records, worked out beforehand for the four ways in which
/// an asker can stand to a record.
package struct Sight: Hashable, Sendable {
    static let nothing = Sight { _ in .nothing }

    /// In the order of `Standing.all`.
    private let views: [View]
    /// Every record is seen whole, whoever owns it: no record needs a look at its owner or group.
    package let seesEverything: Bool
    /// No record is seen, whoever owns it: nothing of the model needs to be read.
    package let seesNothing: Bool
    /// Somebody may see a record otherwise than whoever else has the role, because it is theirs.
    package let tellsOwners: Bool

    init(_ view: (Standing) -> View) {
        views = Standing.all.map(view)
        seesEverything = views.allSatisfy { $0 == .everything }
        seesNothing = views.allSatisfy { $0 == .nothing }
        tellsOwners = [false, true].contains { isInGroup in
            view(Standing(isOwner: true, isInGroup: isInGroup))
                != view(Standing(isOwner: false, isInGroup: isInGroup))
        }
    }

    package func view(at standing: Standing) -> View {
        views[standing.index]
    }

    /// The asker must have the role that this sight was asked for.
    package func view(of record: Ownership, for asker: Asker) -> View {
        seesEverything ? .everything : view(at: Standing(of: asker, to: record))
    }
}

/// What may be read of one record.
package enum View: Hashable, Sendable {
    /// Not even that the record is there.
    case nothing
    /// The record with these fields, at least one of the model's missing; there may be none.
    case fields(Set<String>)
    /// The record with every field of the model, so that it can be handed out as it is stored. What
    /// an earlier version of the definition stored in a field that is gone is not covered.
    case everything

    /// The field must be one of the model's: a name that is not is no question to a view.
    package func shows(field: String) -> Bool {
        switch self {
        case .nothing: false
        case .fields(let names): names.contains(field)
        case .everything: true
        }
    }
}
