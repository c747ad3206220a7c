package import DefinitionModel

/// A right that roles gain or lose. What differs in nothing but one of its lists is one difference.
package struct RightsDifference: Hashable, Sendable {
    package let effect: Effect
    package internal(set) var roles: [Role]
    package internal(set) var operations: [Operation]
    /// By their names in the new definition, as far as they are there.
    package internal(set) var models: [String]
    /// Empty when it is about records as a whole.
    package internal(set) var fields: [String]
    package let fieldsGained: FieldsGained
    /// The records that the right reaches now, or reaches no more. A creation has all or none.
    package let owners: Set<RecordOwner>
    /// Of the rules that say it, in the old and the new definition, each once.
    package internal(set) var oldPlaces: [SourcePlace]
    package internal(set) var newPlaces: [SourcePlace]
    /// Old clients would miss a field that they take for granted.
    let lacksRequiredField: Bool

    package enum Effect: String, Hashable, Sendable {
        case gained, lost
    }

    /// Which fields the same right is gained to, together with a right to records.
    package enum FieldsGained: Hashable, Sendable {
        /// Fields are not concerned.
        case none
        case every
        case some([String], missing: [String])
    }
}

extension RightsDifference {
    package var kind: Difference.Kind {
        switch effect {
        case .gained: .rightGained
        case .lost: .rightLost
        }
    }

    package var data: Verdict { Difference.untouched }

    package var clients: Verdict {
        switch effect {
        case .gained where lacksRequiredField:
            .breaking("who reads a record takes its required fields for granted")
        case .gained: Difference.unknownToThem
        case .lost where operations == [.read]:
            .breaking("what they may not see any more is taken from them")
        case .lost where operations.contains(.read):
            .breaking(
                "what they may not see any more is taken from them, and what they still do is "
                    + "refused")
        case .lost: .breaking("what they still do is refused")
        }
    }

    package var weight: Weight { max(data.weight, clients.weight) }
}
