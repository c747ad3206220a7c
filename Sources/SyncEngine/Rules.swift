package import AccessPolicy
package import DefinitionModel
package import Records

/// A definition made ready to decide by.
package struct Rules: Sendable {
    package let definition: Definition
    package let policy: Policy
    /// By the model that they name.
    let analyzedSources: [String: [RelationName]]
    private let models: [String: ModelRules]

    package init(_ definition: Definition) {
        self.definition = definition
        policy = Policy(definition)
        analyzedSources = Dictionary(
            grouping: definition.models.flatMap(\.analyzedRelations), by: \.target
        ).mapValues { $0.map(\.name) }
        models = Dictionary(
            uniqueKeysWithValues: definition.models.map { ($0.name, ModelRules($0)) })
    }

    package func model(named name: String) -> ModelRules? { models[name] }

    package func hasRole(_ role: Role) -> Bool { definition.roles.contains(role) }
}

/// A model made ready to decide by.
package struct ModelRules: Sendable {
    package let model: Model
    package let validator: Validator
    package let defaults: [String: FieldValue]
    package let hasUniqueFields: Bool
    let analyzedRelations: [RelationName]
    private let fields: [String: Field]

    init(_ model: Model) {
        self.model = model
        validator = Validator(model)
        defaults = model.defaults
        analyzedRelations = model.analyzedRelations.map(\.name)
        hasUniqueFields = model.fields.contains(where: \.isUnique)
        fields = Dictionary(uniqueKeysWithValues: model.fields.map { ($0.name, $0) })
    }

    package func field(named name: String) -> Field? { fields[name] }
}
