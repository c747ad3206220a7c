import DefinitionModel

/// What tells one language from another, beside the words in its templates.
struct Dialect: Sendable {
    let naming: NamingRules
    /// Of the members of a model's type that are not fields: the types of its enumerations, and
    /// what belongs to a record. What else is taken there is given.
    let enumerations: @Sendable (_ taken: Set<String>) -> NamingRule
    let inverses: @Sendable (_ taken: Set<String>) -> NamingRule
    /// Of the values of an enumeration.
    let cases: NamingRule
    /// Of the constant that holds the definition.
    let constants: NamingRule
    /// Of a value that is there.
    let valueType: @Sendable (ValueKind) -> String
    /// Of a field, with the type of its values.
    let fieldType: @Sendable (String, Presence) -> String
    /// The value that a new record has, with the name of its case where it is one of an
    /// enumeration.
    let initialValue: @Sendable (FieldValue, _ caseName: String?, Presence) -> String
    let textLiteral: @Sendable (String) -> String
    /// Of a compiled definition, which may be long.
    let definitionLiteral: @Sendable (String) -> String
    /// As it may stand in a comment: nothing in it ends the comment.
    let comment: @Sendable (String) -> String
    /// Breaks lines that have become too long.
    let layout: @Sendable (String) -> String
    /// What ends a file's name, without the dot.
    let fileEnding: String
    /// Where what all models share stands, with the name of the definition's constant.
    let sharedPath: @Sendable (String) -> String
}

/// What a value is, and what its type is called where it has a type of its own.
enum ValueKind {
    case text
    /// A text of a few, with the name of the type that has them.
    case enumeration(String, values: [String])
    case integer(allowed: [Int64])
    case decimal(allowed: [String])
    case boolean
    case date
    /// Of a record that is named, with its type.
    case reference(to: String)
    case file
}

/// Whether there is a value.
enum Presence {
    case required
    case optional
    /// Whoever reads the record may not be one who may see it.
    case hideable
}

extension Presence {
    init(of field: Field, in model: Model) {
        self =
            field.isHiddenFromSome(readingOf: model)
            ? .hideable : field.isRequired ? .required : .optional
    }
}
