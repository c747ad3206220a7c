import DefinitionModel
import Mustache

/// The values for templates of one field.
struct FieldView {
    /// The name in the definition.
    let key: String
    /// The name as a literal of the language.
    let keyLiteral: String
    /// The name in the language, in backticks if needed.
    let name: String
    let kind: PropertyKind
    /// The type of a non-null value.
    let valueType: String
    /// The type of the property, which also covers null and hidden values.
    let type: String
    /// The type of a value in a change, which covers null unless the field is required.
    let settableType: String
    /// The initial value, such as ` = 1` in `score: Int64 = 1`; empty if a value must be given.
    let initial: String
    let isRequired: Bool
    let isUnique: Bool
    let isHiddenFromSome: Bool
    /// Whether a new record must have a value.
    let isNeeded: Bool
    /// Whether some role may give it a value in a new record, or change it in another one.
    let isSetOnCreation: Bool
    let isSetOnUpdate: Bool
    let fieldDescription: [CommentLine]
    /// As a list in a sentence: "`1`, `2` or `3`"; absent for an enumeration.
    let allowedValues: String?
    /// Present for a text with allowed values, instead of `text`.
    let enumeration: EnumerationView?
    /// Exactly one of these is present, unless `enumeration` is.
    let text: TextView?
    let json: FormatView?
    let bytes: FormatView?
    let geo: FormatView?
    let integer: IntegerView?
    let decimal: DecimalView?
    let boolean: Bool?
    let date: DateView?
    let relation: RelationView?
    let file: Bool?

    init(
        _ field: Field, of model: Model, enumeration: EnumerationView?, in context: GeneratorContext
    ) {
        let dialect = context.dialect
        let presence = Presence(of: field, in: model)
        key = field.name
        keyLiteral = dialect.textLiteral(field.name)
        name = context.property(of: field.name, in: model.name)
        kind = propertyKind(of: field.type, enumeration: enumeration, types: context.types)
        valueType = dialect.valueType(kind)
        type = dialect.fieldType(valueType, presence)
        settableType = dialect.fieldType(valueType, field.isRequired ? .required : .optional)
        initial = initialText(
            of: field, kind, presence, enumeration: enumeration, dialect: dialect)
        isRequired = field.isRequired
        isUnique = field.isUnique
        isHiddenFromSome = presence == .hideable
        isNeeded = field.isRequired && field.defaultValue == nil
        isSetOnCreation = field.isSettable(in: model, by: \.create, \.create)
        isSetOnUpdate = field.isSettable(in: model, by: \.update, \.update)
        fieldDescription = commentLines(of: field.description, in: dialect)
        allowedValues = sentence(of: field.type.allowedNumbers)
        self.enumeration = enumeration
        text = enumeration == nil ? TextView(field.type, in: dialect) : nil
        json = FormatView(field.type, as: .json)
        bytes = FormatView(field.type, as: .base64)
        geo = FormatView(field.type, as: .geo)
        integer = IntegerView(field.type)
        decimal = DecimalView(field.type)
        boolean = field.type.name == .boolean ? true : nil
        date = DateView(field.type)
        relation = RelationView(field.type, types: context.types)
        file = field.type.name == .file ? true : nil
    }
}

extension FieldView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "key": key
        case "keyLiteral": keyLiteral
        case "name": name
        case "kind": kind
        case "valueType": valueType
        case "type": type
        case "settableType": settableType
        case "initial": initial
        case "isRequired": isRequired
        case "isUnique": isUnique
        case "isHiddenFromSome": isHiddenFromSome
        case "isNeeded": isNeeded
        case "isSetOnCreation": isSetOnCreation
        case "isSetOnUpdate": isSetOnUpdate
        case "fieldDescription": fieldDescription
        case "allowedValues": allowedValues
        case "enumeration": enumeration
        case "text": text
        case "json": json
        case "bytes": bytes
        case "geo": geo
        case "integer": integer
        case "decimal": decimal
        case "boolean": boolean
        case "date": date
        case "relation": relation
        case "file": file
        case _: nil
        }
    }
}

/// A required field without a default has none, even if it is hidden from some: the author must
/// omit it explicitly.
private func initialText(
    of field: Field, _ kind: PropertyKind, _ presence: Presence, enumeration: EnumerationView?,
    dialect: Dialect
) -> String {
    guard let value = field.defaultValue else { return field.isRequired ? "" : " = nil" }
    var caseName: String?
    if case .text(let text) = value { caseName = enumeration?.caseName(of: text) }
    return " = " + dialect.initialValue(value, kind, caseName, presence)
}

private func propertyKind(
    of type: FieldType, enumeration: EnumerationView?, types: CodeNames
) -> PropertyKind {
    if let enumeration {
        return .enumeration(
            enumeration.enumerationName, values: enumeration.cases.map(\.literal))
    }
    return switch type {
    case .text(let limits):
        switch limits.format?.kind {
        case .json: .json
        case .base64: .bytes
        case .geo: .geo
        case nil: .text
        }
    case .integer(let limits): .integer(allowed: limits.allowedValues)
    case .decimal(let limits): .decimal(allowed: limits.allowedValues.map(\.description))
    case .boolean: .boolean
    case .date: .date
    case .belongsTo(let relation): .reference(to: types.name(of: relation.model))
    case .file: .file
    }
}

extension FieldType {
    /// The allowed numbers in canonical form; empty if any is allowed.
    fileprivate var allowedNumbers: [String] {
        switch self {
        case .integer(let limits): limits.allowedValues.map(\.description)
        case .decimal(let limits): limits.allowedValues.map(\.description)
        case .text, .boolean, .date, .belongsTo, .file: []
        }
    }
}

private func sentence(of values: [String]) -> String? {
    values.isEmpty ? nil : listed(values.map { "`\($0)`" }, by: "or")
}
