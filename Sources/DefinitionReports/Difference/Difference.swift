package import DefinitionModel

/// One difference between two definitions.
package struct Difference: Hashable, Sendable {
    package let kind: Kind
    /// The model's name in the new definition, or in the old one if it was removed; nil if no model
    /// is concerned.
    package let model: String?
    /// As `model`; nil if no field is concerned.
    package let field: String?
    /// A description of the difference.
    package let message: String
    /// The impact on stored records.
    package let data: Verdict
    /// The impact on apps that were built for the old definition and stay in use.
    package let clients: Verdict
    /// Nil if the element does not exist there or has no place of its own.
    package let oldPlace: SourcePlace?
    package let newPlace: SourcePlace?
    /// The name of a group, role or device category; nil if the difference is about another thing.
    package internal(set) var subject: String? = nil

    package var impact: Impact { max(data.impact, clients.impact) }

    /// The kinds of differences; the documentation lists each.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case applicationRenamed, vendorRenamed, descriptionChanged
        case deviceCategoryAdded, deviceCategoryRemoved, groupAdded, groupRemoved
        case roleAdded, roleRemoved
        case modelAdded, modelRemoved, modelRenamed, modelMerged, conflictModeChanged
        case fieldAdded, fieldRemoved, fieldRenamed, fieldMerged
        case typeChanged, relationTargetChanged, analyzeConflictChanged
        case becameRequired, becameOptional, becameUnique, ceasedToBeUnique
        case defaultAdded, defaultChanged, defaultRemoved
        case limitTightened, limitLoosened
        case earlierNamesChanged, aliasChanged, credentialRewritten, writtenOtherwise
        case rightGained, rightLost
    }
}
