import DefinitionModel

/// What the templates may see of a field.
struct FieldView {
    /// As the definition has it.
    let key: String
    /// As a literal of the language.
    let keyLiteral: String
    /// As the language has it, in backticks where they are needed.
    let name: String
    /// Of a value that is there.
    let valueType: String
    /// Of the property: also what stands for null and for what is hidden.
    let type: String
    /// What a new record starts with, as in `score: Int64 = 1`; empty where one must be given.
    let initial: String
    let isRequired: Bool
    let isUnique: Bool
    let isHiddenFromSome: Bool
    let fieldDescription: [CommentLine]
    /// As a sentence has them: "`1`, `2` or `3`"; absent where a type of its own has them.
    let allowedValues: String?
    /// There for a text of a few; then `text` is not.
    let enumeration: EnumerationView?
    /// Exactly one of these is there, or else `enumeration`.
    let text: TextView?
    let integer: IntegerView?
    let decimal: DecimalView?
    let boolean: Bool?
    let date: DateView?
    let relation: RelationView?
    let file: Bool?

    init(_ field: Field, of model: Model, enumeration: EnumerationView?, in scope: Scope) {
        let dialect = scope.dialect
        let presence = Presence(of: field, in: model)
        key = field.name
        keyLiteral = dialect.textLiteral(field.name)
        name = scope.property(of: field.name, in: model.name)
        valueType = dialect.valueType(
            kind(of: field.type, enumeration: enumeration, types: scope.types))
        type = dialect.fieldType(valueType, presence)
        initial = initialText(of: field, presence, enumeration: enumeration, dialect: dialect)
        isRequired = field.isRequired
        isUnique = field.isUnique
        isHiddenFromSome = presence == .hideable
        fieldDescription = commentLines(of: field.description, in: dialect)
        allowedValues = sentence(of: field.type.allowedNumbers)
        self.enumeration = enumeration
        text = enumeration == nil ? TextView(field.type, in: dialect) : nil
        integer = IntegerView(field.type)
        decimal = DecimalView(field.type)
        boolean = field.type.name == .boolean ? true : nil
        date = DateView(field.type)
        relation = RelationView(field.type, types: scope.types)
        file = field.type.name == .file ? true : nil
    }
}

/// A required field without default has none, even where it is hidden from some: whoever makes a
/// record says on purpose that it stays empty.
private func initialText(
    of field: Field, _ presence: Presence, enumeration: EnumerationView?, dialect: Dialect
) -> String {
    guard let value = field.defaultValue else { return field.isRequired ? "" : " = nil" }
    var caseName: String?
    if case .text(let text) = value { caseName = enumeration?.caseName(of: text) }
    return " = " + dialect.initialValue(value, caseName, presence)
}

private func kind(
    of type: FieldType, enumeration: EnumerationView?, types: CodeNames
) -> ValueKind {
    if let enumeration {
        return .enumeration(
            enumeration.enumerationName, values: enumeration.cases.map(\.literal))
    }
    return switch type {
    case .text: .text
    case .integer(let limits): .integer(allowed: limits.allowedValues)
    case .decimal(let limits): .decimal(allowed: limits.allowedValues.map(\.description))
    case .boolean: .boolean
    case .date: .date
    case .belongsTo(let relation): .reference(to: types.name(of: relation.model))
    case .file: .file
    }
}

extension FieldType {
    /// The only numbers there may be, in plain form; none where any may.
    fileprivate var allowedNumbers: [String] {
        switch self {
        case .integer(let limits): limits.allowedValues.map(\.description)
        case .decimal(let limits): limits.allowedValues.map(\.description)
        case .text, .boolean, .date, .belongsTo, .file: []
        }
    }
}

private func sentence(of values: [String]) -> String? {
    let quoted = values.map { "`\($0)`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.last }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}
