import DefinitionModel

/// For the template `model`.
struct ModelView {
    let application: String
    let vendor: String
    let digest: String
    /// As the definition has it.
    let modelName: String
    /// As the language has it.
    let typeName: String
    let modelDescription: [CommentLine]
    let fields: [FieldView]
    let hasFields: Bool
    /// The types of the fields that have a few allowed texts.
    let enumerations: [EnumerationView]
    let inverses: [InverseView]
    let hasInverses: Bool

    init(_ model: Model, in scope: Scope) {
        let dialect = scope.dialect
        let byField = enumerationsByField(of: model, in: scope)
        application = scope.definition.application
        vendor = scope.definition.vendor
        digest = scope.definition.digest
        modelName = model.name
        typeName = scope.types.name(of: model.name)
        modelDescription = commentLines(of: model.description, in: dialect)
        fields = model.fields.map { field in
            FieldView(field, of: model, enumeration: byField[field.name], in: scope)
        }
        hasFields = !model.fields.isEmpty
        enumerations = model.fields.compactMap { byField[$0.name] }
        inverses = InverseView.all(of: model, in: scope)
        hasInverses = !inverses.isEmpty
    }
}

/// A nested type must not hide that of a model.
private func enumerationsByField(of model: Model, in scope: Scope) -> [String: EnumerationView] {
    let fields = model.fields.filter { !$0.type.allowedTexts.isEmpty }
    let types = scope.definition.models.map { scope.types.name(of: $0.name) }
    let properties = fields.map { scope.properties[model.name]?.name(of: $0.name) ?? $0.name }
    let names = CodeNames(of: properties, by: scope.dialect.enumerations(Set(types)))
    let views = zip(fields, properties).map { field, property in
        EnumerationView(
            field, named: names.name(of: property), property: property, dialect: scope.dialect)
    }
    return Dictionary(zip(fields.map(\.name), views)) { first, _ in first }
}
