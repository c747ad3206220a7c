import AccessPolicy
package import DefinitionModel

/// All differences between two definitions.
package struct DefinitionComparison: Hashable, Sendable {
    package let old: Definition
    package let new: Definition
    /// The differences apart from rights: first the application's, then model by model in the order
    /// of the new definition, each with its fields, then the removed ones.
    package let differences: [Difference]
    /// The rights gained and lost, with related ones merged.
    package let rights: [RightsDifference]

    /// Definitions that have the same content, in whatever order the document writes it, have no
    /// differences.
    package init(from old: Definition, to new: Definition) {
        let pairs = DefinitionPairs(old, new)
        let models =
            pairs.models.flatMap { modelDifferences($0, in: pairs) }
            + pairs.mergedModels.map { mergedModelDifference($0, into: $1, in: pairs) }
        self.old = old
        self.new = new
        rights = rightsDifferences(between: pairs)
        differences =
            applicationDifferences(from: old, to: new, besides: models)
            + nameDifferences(from: old, to: new) + models
            + pairs.removedModels.map(Difference.modelRemoved)
    }

    package var isEmpty: Bool { differences.isEmpty && rights.isEmpty }

    /// The greatest impact of any difference; nil without differences.
    package var impact: Impact? { impacts.max() }

    func count(of impact: Impact) -> Int { impacts.count { $0 == impact } }

    private var impacts: [Impact] { differences.map(\.impact) + rights.map(\.impact) }
}
