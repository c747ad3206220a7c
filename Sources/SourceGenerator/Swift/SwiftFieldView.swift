import DefinitionModel

/// What the Swift templates may see of a field.
struct SwiftFieldView {
    /// As the definition has it.
    let key: String
    /// As Swift has it, in backticks where they are needed.
    let name: String
    /// Of a value that is there.
    let valueType: String
    /// Of the property: optional where the field may be null or hidden.
    let type: String
    /// What a new record starts with, as in `score: Int64 = 1`; empty where one must be given.
    let initial: String
    /// Ends the names of the calls that read and write the field: empty, or `IfPresent`.
    let presence: String
    let isRequired: Bool
    let isUnique: Bool
    let isHiddenFromSome: Bool
    let fieldDescription: [CommentLine]
    /// As a sentence has them: "`1`, `2` or `3`".
    let allowedValues: String?
    /// Exactly one of these seven is there.
    let text: SwiftTextView?
    let integer: SwiftIntegerView?
    let decimal: SwiftDecimalView?
    let boolean: Bool?
    let date: SwiftDateView?
    let relation: SwiftRelationView?
    let file: Bool?

    init(
        _ field: Field, of model: Model, name: String, types: CodeNames,
        support: SwiftSupportNames
    ) {
        let isHidden = field.isHiddenFromSome(readingOf: model)
        let isOptional = isHidden || !field.isRequired
        key = field.name
        self.name = name
        valueType = swiftType(of: field.type, support: support)
        type = valueType + (isOptional ? "?" : "")
        initial = initialValue(of: field, support: support).map { " = \($0)" } ?? ""
        presence = isOptional ? "IfPresent" : ""
        isRequired = field.isRequired
        isUnique = field.isUnique
        fieldDescription = commentLines(of: field.description)
        allowedValues = sentence(of: field.type.allowedTexts)
        isHiddenFromSome = isHidden
        text = SwiftTextView(field.type)
        integer = SwiftIntegerView(field.type)
        decimal = SwiftDecimalView(field.type)
        boolean = field.type.name == .boolean ? true : nil
        date = SwiftDateView(field.type)
        relation = SwiftRelationView(field.type, types: types)
        file = field.type.name == .file ? true : nil
    }
}

/// A required field without default has none, even where it is hidden from some: whoever makes a
/// record says on purpose that it stays empty.
private func initialValue(of field: Field, support: SwiftSupportNames) -> String? {
    if let value = field.defaultValue { return swiftExpression(of: value, support: support) }
    return field.isRequired ? nil : "nil"
}

private func swiftType(of type: FieldType, support: SwiftSupportNames) -> String {
    switch type {
    case .text, .belongsTo: "String"
    case .integer: "Int64"
    case .decimal: support.decimal
    case .boolean: "Bool"
    case .date: support.instant
    case .file: support.file
    }
}

private func swiftExpression(of value: FieldValue, support: SwiftSupportNames) -> String {
    switch value {
    case .text(let text), .reference(let text): swiftLiteral(text, indent: 8)
    case .integer(let number): swiftLiteral(number)
    case .decimal(let number): "\(support.decimal)(canonical: \"\(number)\")"
    case .boolean(let flag): "\(flag)"
    case .date(let milliseconds): "\(support.instant)(milliseconds: \(swiftLiteral(milliseconds)))"
    case .file(let file):
        "\(support.file)(guid: \(swiftLiteral(file.guid, indent: 8)), "
            + "filename: \(swiftLiteral(file.filename, indent: 8)))"
    }
}

struct SwiftTextView {
    /// Nil when a text may be empty.
    let minLength: Int?
    let maxLength: Int
    let pattern: String?

    init?(_ type: FieldType) {
        guard case .text(let limits) = type else { return nil }
        minLength = limits.minLength > 0 ? limits.minLength : nil
        maxLength = limits.maxLength
        pattern = limits.pattern.map { inComment($0.source) }
    }
}

/// As people read them; nil where there is no such limit.
struct SwiftDateView {
    let earliest: String?
    let latest: String?

    init?(_ type: FieldType) {
        guard case .date(let limits) = type else { return nil }
        earliest = limits.minMilliseconds.map(readableInstant)
        latest = limits.maxMilliseconds.map(readableInstant)
    }
}

extension FieldType {
    /// The allowed values in plain form; none where any may be.
    fileprivate var allowedTexts: [String] {
        switch self {
        case .text(let limits): limits.allowedValues
        case .integer(let limits): limits.allowedValues.map(\.description)
        case .decimal(let limits): limits.allowedValues.map(\.description)
        case .boolean, .date, .belongsTo, .file: []
        }
    }
}

private func sentence(of values: [String]) -> String? {
    let quoted = values.map { "`\(inComment($0))`" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.last }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
}

struct SwiftIntegerView {
    let lowest: Int64
    let highest: Int64

    init?(_ type: FieldType) {
        guard case .integer(let limits) = type else { return nil }
        lowest = limits.minValue
        highest = limits.maxValue
    }
}

/// Of each two limits, the one that excludes its own value and the one that includes it, at most
/// one is there.
struct SwiftDecimalView {
    let scale: Int
    let above: String?
    let from: String?
    let below: String?
    let upTo: String?

    init?(_ type: FieldType) {
        guard case .decimal(let limits) = type else { return nil }
        let lowest = limits.minValue?.description
        let highest = limits.maxValue?.description
        scale = limits.scale
        above = limits.includesMinValue ? nil : lowest
        from = limits.includesMinValue ? lowest : nil
        below = limits.includesMaxValue ? nil : highest
        upTo = limits.includesMaxValue ? highest : nil
    }
}

struct SwiftRelationView {
    /// The type of the records that it names.
    let target: String
    let analyzesConflict: Bool

    init?(_ type: FieldType, types: CodeNames) {
        guard case .belongsTo(let relation) = type else { return nil }
        target = types.name(of: relation.model)
        analyzesConflict = relation.analyzesConflict
    }
}
