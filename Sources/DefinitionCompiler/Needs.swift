import DefinitionModel

/// Which models a new record cannot do without, because a required field refers to one of theirs.
///
/// A model that no role may create has no part in it: what there is of it was there before, or
/// comes from elsewhere.
struct Needs {
    let modelCount: Int
    /// By model, then by field.
    private let relations: [RequiredRelation]
    /// Where the relations of each model begin, and at the end where the last ones end.
    private let starts: [Int]

    init(_ survey: Survey) {
        var relations: [RequiredRelation] = []
        var starts = [0]
        let models = survey.contents.models
        for model in models.indices {
            if survey.tallies[model].creators > 0 {
                relations += requiredRelations(ofModel: model, in: survey)
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

/// A field that must be given and refers to a record. All three by their number.
struct RequiredRelation {
    let model: Int
    let field: Int
    let target: Int
}

private func requiredRelations(ofModel number: Int, in survey: Survey) -> [RequiredRelation] {
    let fields = survey.contents.models[number].fields
    return fields.indices.compactMap { field in
        guard fields[field].isRequired, case .belongsTo(let relation) = fields[field].type,
            let target = survey.number(ofModel: relation.model)
        else { return nil }
        return RequiredRelation(model: number, field: field, target: target)
    }
}
