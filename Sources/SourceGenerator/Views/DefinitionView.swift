import DefinitionModel
import Mustache

/// The values for the templates `header` and `definition`.
///
/// Templates look up properties by name from the innermost context outwards, so a name must not
/// have two meanings on different levels.
struct DefinitionView {
    let application: String
    let vendor: String
    let digest: String
    let fingerprint: String
    /// The constant that holds the definition, in backticks if needed.
    let constant: String
    /// The same without backticks.
    let constantName: String
    /// The compiled definition, as a literal of the language.
    let compiled: String
    let models: [ModelView]

    /// The prefix starts the name of the constant. The dialect has that of the models.
    init(_ definition: Definition, compiled json: String, prefix: Prefix, dialect: Dialect) {
        let name = prefix.text + "_" + definition.application
        let constants = CodeNames(of: [name], by: dialect.constants)
        let context = GeneratorContext(definition, dialect: dialect)
        application = definition.application
        vendor = definition.vendor
        digest = definition.digest
        fingerprint = definition.fingerprint
        constant = constants.written(name)
        constantName = constants.name(of: name)
        compiled = dialect.definitionLiteral(json)
        models = definition.models.map { ModelView($0, in: context) }
    }
}

extension DefinitionView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "application": application
        case "vendor": vendor
        case "digest": digest
        case "fingerprint": fingerprint
        case "constant": constant
        case "constantName": constantName
        case "compiled": compiled
        case "models": models
        case _: nil
        }
    }
}

/// The names and relations of all models, for the view of a single one.
struct GeneratorContext {
    let definition: Definition
    let dialect: Dialect
    /// The types of all models.
    let types: CodeNames
    /// The rule for the types nested in a model's type, which must not hide the type of a model.
    let enumerations: NamingRule
    /// By model, the properties of its fields.
    let properties: [String: CodeNames]
    /// The relations by target model.
    let relations: [String: [RelationPlace]]

    init(_ definition: Definition, dialect: Dialect) {
        self.definition = definition
        self.dialect = dialect
        let types = CodeNames(of: definition.models.map(\.name), by: dialect.naming.models)
        self.types = types
        enumerations = dialect.enumerations(
            Set(definition.models.map { types.name(of: $0.name) }))
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

/// A relation from one model to another.
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
