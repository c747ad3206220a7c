import DefinitionModel

/// The differences of a model and all its fields.
func modelDifferences(_ pair: ModelPair, in pairs: DefinitionPairs) -> [Difference] {
    guard let old = pair.old else { return [.modelAdded(pair.new)] }
    return differences(from: old, to: pair.new, in: pairs)
        + pair.fields.flatMap { field in
            fieldDifferences(field, from: old, to: pair.new, in: pairs)
        }
        + pair.mergedFields.map { .fieldMerged($0, into: $1, of: pair.new) }
        + pair.removedFields.map { .fieldRemoved($0, from: pair.new) }
}

/// The impact is the same as if the model were renamed to the other one.
func mergedModelDifference(_ old: Model, into new: Model, in pairs: DefinitionPairs) -> Difference {
    let met = modelDifferences(ModelPair(old: old, new: new), in: pairs)
    return .modelMerged(old, into: new, meeting: met.filter { $0.data.impact > .safe })
}

private func differences(from old: Model, to new: Model, in pairs: DefinitionPairs) -> [Difference]
{
    var differences: [Difference] = []
    if old.name != new.name { differences.append(.modelRenamed(from: old, to: new)) }
    if old.conflictMode != new.conflictMode {
        differences.append(.conflictModeChanged(from: old, to: new))
    }
    if old.description != new.description {
        differences.append(.descriptionChanged(from: old, to: new))
    }
    if old.name == new.name, old.renamedFrom != new.renamedFrom {
        differences.append(.earlierNamesChanged(from: old, to: new))
    }
    if old.foreignName != new.foreignName, old.hasAlias || new.hasAlias {
        differences.append(.aliasChanged(from: old, to: new))
    }
    if old.join?.name != new.join?.name {
        differences.append(.joinChanged(from: old, to: new))
    }
    if differences.isEmpty, written(old.writtenExtensions) != written(new.writtenExtensions) {
        differences.append(.writtenOtherwise(from: old, to: new))
    }
    return differences + rewrittenCredentials(from: old, to: new, in: pairs)
}

private func fieldDifferences(
    _ pair: FieldPair, from oldModel: Model, to newModel: Model, in pairs: DefinitionPairs
) -> [Difference] {
    guard let old = pair.old else { return [.fieldAdded(pair.new, to: newModel)] }
    let change = FieldChange(old: old, new: pair.new, oldModel: oldModel, newModel: newModel)
    let differences = change.differences(in: pairs)
    return (differences.isEmpty ? change.wording(in: pairs) : differences)
        + rewrittenCredentials(of: change, in: pairs)
}
