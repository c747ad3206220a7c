import DefinitionModel

extension Dialect {
    /// Fields keep their names on the wire, all of which are legal in TypeScript.
    static func typeScript(prefix: Prefix) -> Dialect {
        let asItIs = NamingRule(noun: "property", taken: [], suffix: "", spelled: { $0 })
        return Dialect(
            naming: NamingRules(
                language: "TypeScript",
                models: .types(prefix: prefix.text, taken: takenTypes), fields: asItIs),
            enumerations: { _ in asItIs }, inverses: { _ in asItIs },
            cases: asItIs, constants: asItIs,
            valueType: typeScriptType, fieldType: typeScriptType,
            initialValue: { _, _, _, _ in "" },
            textLiteral: typeScriptLiteral, definitionLiteral: { $0 },
            comment: withoutEnd, maxInteger: 9_007_199_254_740_991, layout: { $0 },
            fileEnding: "ts", sharedPath: { _ in "waggle.ts" })
    }
}

/// The first is the name of the file with shared declarations; the others would hide a type of the
/// language.
private let takenTypes: Set<String> = [
    "Waggle", "Array", "Boolean", "Date", "Error", "Function", "JSON", "Map", "Math", "Number",
    "Object", "Partial", "Pick", "Omit", "Promise", "Readonly", "Record", "RegExp", "Required",
    "Set", "String", "Symbol", "URL",
]

/// Without what would end a comment.
@Sendable private func withoutEnd(_ text: String) -> String {
    String(text.unicodeScalars.replacing("*/".unicodeScalars, with: "* /".unicodeScalars))
}

@Sendable private func typeScriptType(_ kind: PropertyKind) -> String {
    switch kind {
    case .text, .json, .bytes, .geo, .reference: "string"
    case .enumeration(_, let values): values.joined(separator: " | ")
    case .integer(let allowed): union(of: allowed.map(\.description)) ?? "number"
    case .decimal(let allowed): union(of: allowed.map { "\"\($0)\"" }) ?? "string"
    case .boolean: "boolean"
    case .date: "number"
    case .file: "waggle.FileReference"
    }
}

@Sendable private func typeScriptType(_ valueType: String, _ presence: Presence) -> String {
    switch presence {
    case .required: valueType
    case .optional: "\(valueType) | null"
    case .hideable: "waggle.Visible<\(valueType)>"
    }
}

private func union(of values: [String]) -> String? {
    values.isEmpty ? nil : values.joined(separator: " | ")
}

/// In ASCII, so that invisible characters show.
@Sendable private func typeScriptLiteral(_ text: String) -> String {
    "\"" + text.utf16.map(escaped).joined() + "\""
}

private func escaped(_ unit: UInt16) -> String {
    switch unit {
    case UInt16(UInt8(ascii: "\"")): "\\\""
    case UInt16(UInt8(ascii: "\\")): "\\\\"
    case 0x20...0x7e: String(UnicodeScalar(UInt8(unit)))
    case _:
        "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
            + String(unit, radix: 16)
    }
}
