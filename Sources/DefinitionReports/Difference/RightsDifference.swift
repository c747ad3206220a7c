package import DefinitionModel

/// A right that roles gain or lose. Differences that differ in one of the lists only are merged
/// into one.
package struct RightsDifference: Hashable, Sendable {
    package let effect: Effect
    package internal(set) var roles: [Role]
    package internal(set) var operations: [Operation]
    /// The names in the new definition, or in the old one for removed models.
    package internal(set) var models: [String]
    /// Empty if the right concerns records as a whole.
    package internal(set) var fields: [String]
    package let fieldsGained: FieldsGained
    /// The records that the right reaches now, or reaches no longer. For creation, all or none.
    package let owners: Set<RecordOwner>
    /// The places of the rules that grant the right in the old and in the new definition, each
    /// once.
    package internal(set) var oldPlaces: [SourcePlace]
    package internal(set) var newPlaces: [SourcePlace]
    /// Whether old clients would miss a field that their code requires.
    let lacksRequiredField: Bool

    package enum Effect: String, Hashable, Sendable {
        case gained, lost
    }

    /// The fields on which the same right is gained, together with a right on records.
    package enum FieldsGained: Hashable, Sendable {
        /// The difference does not concern fields.
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
            .breaking("clients that read a record expect its required fields")
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

    package var impact: Impact { max(data.impact, clients.impact) }
}
