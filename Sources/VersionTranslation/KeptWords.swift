import DefinitionModel

/// The models that the clients of a version read after a deployment as they did before, although
/// the served version may have other names and types for them.
///
/// A model is left out if an unchanged record may look different to such clients: if they know
/// other fields of it, or if values of other models or fields may have come to it by a rename.
package struct KeptWords: Sendable {
    package struct KeptModel: Sendable {
        /// The former name of the served model.
        package let formerName: String
        /// The present names of served fields by the former ones, of those that the clients know.
        package let fields: [String: String]
    }

    /// By the present name of the served model.
    private let models: [String: KeptModel]

    /// Takes the translations of the same clients to the former and to the present version.
    package init(before: ClientTranslation, after: ClientTranslation) {
        let formerNames = Set(before.served.models.map(\.name))
        let kept = after.client.models.compactMap { model -> (String, KeptModel)? in
            guard let old = before.model(calledByClient: model.name),
                let new = after.model(calledByClient: model.name),
                Origin(new.served).isOnly(Origin(old.served), of: formerNames),
                let fields = Self.fields(of: model, before: old, after: new)
            else { return nil }
            return (new.served.name, KeptModel(formerName: old.served.name, fields: fields))
        }
        models = Dictionary(kept, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a model whose records may look different.
    package subscript(model: String) -> KeptModel? { models[model] }

    /// Nil if a field may look different.
    private static func fields(
        of model: Model, before: ModelTranslation, after: ModelTranslation
    ) -> [String: String]? {
        let formerNames = Set(before.served.fields.map(\.name))
        var names: [String: String] = [:]
        for field in model.fields {
            switch (
                before.field(calledByClient: field.name), after.field(calledByClient: field.name)
            ) {
            case (nil, nil): continue
            case (let old?, let new?):
                guard Origin(new.served).isOnly(Origin(old.served), of: formerNames) else {
                    return nil
                }
                names[old.served.name] = new.served.name
            case (nil, _?), (_?, nil): return nil
            }
        }
        return names
    }
}

/// The names that a model or field has had.
private struct Origin {
    let name: String
    let all: Set<String>

    init(_ model: Model) { (name, all) = (model.name, Set([model.name] + model.renamedFrom)) }
    init(_ field: Field) { (name, all) = (field.name, Set([field.name] + field.renamedFrom)) }

    /// Whether all values are those of another one in the former version, which had these names. A
    /// name that it did not know may be that of values from before it.
    func isOnly(_ former: Origin, of formerNames: Set<String>) -> Bool {
        let others = all.subtracting(former.all)
        guard others.isDisjoint(with: formerNames) else { return false }
        return name == former.name || others.subtracting([name]).isEmpty
    }
}
