import DefinitionModel

/// The graph of models in which a required relation of a creatable model is an edge to its target.
///
/// A model that no role may create has no edges: its records existed before or come from elsewhere.
struct RequirementGraph {
    let modelCount: Int
    /// By model, then by field.
    private let relations: [RequiredRelation]
    /// The index of the first relation of each model, followed by the number of relations.
    private let starts: [Int]

    init(_ definition: DefinitionIndex) {
        var relations: [RequiredRelation] = []
        var starts = [0]
        let models = definition.contents.models
        for model in models.indices {
            if definition.counts[model].creators > 0 {
                relations += requiredRelations(ofModel: model, in: definition)
            }
            starts.append(relations.count)
        }
        modelCount = models.count
        self.relations = relations
        self.starts = starts
    }

    var isEmpty: Bool { relations.isEmpty }

    subscript(model: Int) -> ArraySlice<RequiredRelation> {
        relations[starts[model]..<starts[model + 1]]
    }
}

/// A required field without a default that refers to a record. All three are indices.
struct RequiredRelation {
    let model: Int
    let field: Int
    let target: Int
}

private func requiredRelations(
    ofModel number: Int, in definition: DefinitionIndex
) -> [RequiredRelation] {
    let fields = definition.contents.models[number].fields
    return fields.indices.compactMap { field in
        guard fields[field].isRequired, case .belongsTo(let relation) = fields[field].type,
            let target = definition.number(ofModel: relation.model)
        else { return nil }
        return RequiredRelation(model: number, field: field, target: target)
    }
}
