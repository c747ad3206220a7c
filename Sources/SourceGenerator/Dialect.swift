import DefinitionModel

/// The rules of a target language, beside its templates.
struct Dialect: Sendable {
    let naming: NamingRules
    /// For members of a model's type that are not fields: enumeration types and inverse relations.
    /// The argument has the names in use.
    let enumerations: @Sendable (_ taken: Set<String>) -> NamingRule
    let inverses: @Sendable (_ taken: Set<String>) -> NamingRule
    /// For the cases of an enumeration.
    let cases: NamingRule
    /// For the constant that holds the definition.
    let constants: NamingRule
    /// The type of a non-null value.
    let valueType: @Sendable (PropertyKind) -> String
    /// The type of a field, given the type of its values.
    let fieldType: @Sendable (String, Presence) -> String
    /// The default of a field as an expression; `caseName` is the case of an enumeration.
    let initialValue: @Sendable (FieldValue, PropertyKind, _ caseName: String?, Presence) -> String
    let textLiteral: @Sendable (String) -> String
    /// A literal of a compiled definition, which may be long.
    let definitionLiteral: @Sendable (String) -> String
    /// Escapes text for a comment, so that nothing in it ends the comment.
    let comment: @Sendable (String) -> String
    /// The greatest magnitude of an integer that the language holds exactly; nil if it holds all.
    let maxInteger: Int64?
    /// Breaks long lines.
    let layout: @Sendable (String) -> String
    /// The extension of file names, without the dot.
    let fileEnding: String
    /// The path of the file with the shared declarations, given the name of the definition's
    /// constant.
    let sharedPath: @Sendable (String) -> String
}

/// The kind of a property's value, with the name of the type that it has of its own.
enum PropertyKind {
    case text
    /// The text of a JSON object or array.
    case json
    /// Bytes, in base64.
    case bytes
    /// A point on the earth, as latitude and longitude.
    case geo
    /// A text with allowed values; the name of its enumeration type.
    case enumeration(String, values: [String])
    case integer(allowed: [Int64])
    case decimal(allowed: [String])
    case boolean
    case date
    /// A reference to a record of that type.
    case reference(to: String)
    case file
}

/// Whether a property can lack a value.
enum Presence {
    case required
    case optional
    /// Some readers of the record may not read the field.
    case hideable
}

extension Presence {
    init(of field: Field, in model: Model) {
        self =
            field.isHiddenFromSome(readingOf: model)
            ? .hideable : field.isRequired ? .required : .optional
    }
}
