import DefinitionModel
import Mustache

/// The type of a text field with allowed values.
struct EnumerationView {
    let enumerationName: String
    /// The property that has this type.
    let enumerationProperty: String
    let cases: [CaseView]
    let hasOneCase: Bool

    init(_ field: Field, named name: String, property: String, dialect: Dialect) {
        let texts = field.type.allowedTexts
        let names = CodeNames(of: texts, by: dialect.cases)
        enumerationName = name
        enumerationProperty = property
        cases = texts.map { text in
            CaseView(
                text: text, caseName: names.written(text), literal: dialect.textLiteral(text))
        }
        hasOneCase = texts.count == 1
    }

    func caseName(of text: String) -> String? {
        cases.first { $0.text.hasSameBytes(as: text) }?.caseName
    }
}

extension EnumerationView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "enumerationName": enumerationName
        case "enumerationProperty": enumerationProperty
        case "cases": cases
        case "hasOneCase": hasOneCase
        case _: nil
        }
    }
}

/// One of the allowed values.
struct CaseView {
    let text: String
    /// In backticks if needed.
    let caseName: String
    /// The value itself.
    let literal: String
}

extension CaseView: MustacheParent {
    func child(named member: String) -> Any? {
        switch member {
        case "text": text
        case "caseName": caseName
        case "literal": literal
        case _: nil
        }
    }
}

extension FieldType {
    /// The allowed values of a text; empty if any is allowed, or for another type.
    var allowedTexts: [String] {
        switch self {
        case .text(let limits): limits.allowedValues
        case .integer, .decimal, .boolean, .date, .belongsTo, .file: []
        }
    }
}
