import AccessPolicy
package import DefinitionModel

/// Everything that two definitions have otherwise.
package struct Comparison: Hashable, Sendable {
    package let old: Definition
    package let new: Definition
    /// What is not about rights: first the application's, then model by model in the order of the
    /// new definition, each with its fields, then what is gone.
    package let differences: [Difference]
    /// Who gains and who loses which right, what belongs together in one.
    package let rights: [RightsDifference]

    /// Two definitions that mean the same and are written the same way, wherever it stands in the
    /// document, have no difference.
    package init(from old: Definition, to new: Definition) {
        let pairs = Pairs(old, new)
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

    /// The greatest there is; nil without a difference.
    package var weight: Weight? { weights.max() }

    func count(of weight: Weight) -> Int { weights.count { $0 == weight } }

    private var weights: [Weight] { differences.map(\.weight) + rights.map(\.weight) }
}
