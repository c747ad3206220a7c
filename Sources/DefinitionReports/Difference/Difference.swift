package import DefinitionModel

/// One thing that two definitions have otherwise.
package struct Difference: Hashable, Sendable {
    package let kind: Kind
    /// By its name in the new definition, if it is there; nil for what is of no model.
    package let model: String?
    /// As `model`; nil for what is of no field.
    package let field: String?
    /// What is otherwise.
    package let message: String
    /// For the records that are stored.
    package let data: Verdict
    /// For apps that know the old definition and go on using it.
    package let clients: Verdict
    /// Nil for what is not there, or has no place of its own.
    package let oldPlace: SourcePlace?
    package let newPlace: SourcePlace?

    package var weight: Weight { max(data.weight, clients.weight) }

    /// The documentation has a line for each.
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
        case earlierNamesChanged, credentialRewritten, writtenOtherwise
        case rightGained, rightLost
    }
}
