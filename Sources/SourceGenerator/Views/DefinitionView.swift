import DefinitionModel

/// For the templates `header` and `definition`.
///
/// The templates look values up by the names of these properties, from the inside out, so a name
/// must not stand for two things on different levels.
struct DefinitionView {
    let application: String
    let vendor: String
    let digest: String
    /// What the constant that holds the definition is called, in backticks where they are needed.
    let constant: String
    /// The same without backticks.
    let constantName: String
    /// The compiled definition, as a literal of the language.
    let compiled: String
    let models: [ModelView]

    init(_ definition: Definition, compiled json: String, prefix: Prefix, dialect: Dialect) {
        let name = prefix.text + "_" + definition.application
        let constants = CodeNames(of: [name], by: dialect.constants)
        let scope = Scope(definition, dialect: dialect)
        application = definition.application
        vendor = definition.vendor
        digest = definition.digest
        constant = constants.written(name)
        constantName = constants.name(of: name)
        compiled = dialect.definitionLiteral(json)
        models = definition.models.map { ModelView($0, in: scope) }
    }
}

/// What the view of one model needs to know of the others.
struct Scope {
    let definition: Definition
    let dialect: Dialect
    /// Of all models.
    let types: CodeNames
    /// Of the fields of each model.
    let properties: [String: CodeNames]
    /// The relations by the model that they lead to.
    let relations: [String: [RelationPlace]]

    init(_ definition: Definition, dialect: Dialect) {
        self.definition = definition
        self.dialect = dialect
        types = CodeNames(of: definition.models.map(\.name), by: dialect.naming.models)
        properties = Dictionary(
            definition.models.map { model in
                (model.name, CodeNames(of: model.fields.map(\.name), by: dialect.naming.fields))
            }
        ) { first, _ in first }
        relations = Dictionary(
            grouping: definition.models.flatMap(relationPlaces), by: \.target)
    }

    func property(of field: String, in model: String) -> String {
        properties[model]?.written(field) ?? field
    }
}

/// A field that leads from one model to another.
struct RelationPlace {
    let model: String
    let field: String
    let target: String
}

private func relationPlaces(in model: Model) -> [RelationPlace] {
    model.fields.compactMap { field in
        guard case .belongsTo(let relation) = field.type else { return nil }
        return RelationPlace(model: model.name, field: field.name, target: relation.model)
    }
}
