import DefinitionModel
import Mustache

/// The values for the template `model`.
struct ModelView {
    let application: String
    let vendor: String
    let digest: String
    /// The name in the definition.
    let modelName: String
    /// The name in the language.
    let typeName: String
    let modelDescription: [CommentLine]
    let fields: [FieldView]
    let hasFields: Bool
    /// The enumerations of text fields with allowed values.
    let enumerations: [EnumerationView]
    let inverses: [InverseView]
    let hasInverses: Bool
    let joins: [JoinView]
    let hasJoins: Bool

    init(_ model: Model, in context: GeneratorContext) {
        let dialect = context.dialect
        let byField = enumerationsByField(of: model, in: context)
        application = context.definition.application
        vendor = context.definition.vendor
        digest = context.definition.digest
        modelName = model.name
        typeName = context.types.name(of: model.name)
        modelDescription = commentLines(of: model.description, in: dialect)
        fields = model.fields.map { field in
            FieldView(field, of: model, enumeration: byField[field.name], in: context)
        }
        hasFields = !model.fields.isEmpty
        enumerations = model.fields.compactMap { byField[$0.name] }
        inverses = InverseView.all(of: model, in: context)
        hasInverses = !inverses.isEmpty
        joins = JoinView.all(of: model, beside: inverses, in: context)
        hasJoins = !joins.isEmpty
    }
}

extension ModelView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "application": application
        case "vendor": vendor
        case "digest": digest
        case "modelName": modelName
        case "typeName": typeName
        case "modelDescription": modelDescription
        case "fields": fields
        case "hasFields": hasFields
        case "enumerations": enumerations
        case "inverses": inverses
        case "hasInverses": hasInverses
        case "joins": joins
        case "hasJoins": hasJoins
        case _: nil
        }
    }
}

private func enumerationsByField(
    of model: Model, in context: GeneratorContext
) -> [String: EnumerationView] {
    let fields = model.fields.filter { !$0.type.allowedTexts.isEmpty }
    let properties = fields.map { context.properties[model.name]?.name(of: $0.name) ?? $0.name }
    let names = CodeNames(of: properties, by: context.enumerations)
    let views = zip(fields, properties).map { field, property in
        EnumerationView(
            field, named: names.name(of: property), property: property, dialect: context.dialect)
    }
    return Dictionary(zip(fields.map(\.name), views)) { first, _ in first }
}
