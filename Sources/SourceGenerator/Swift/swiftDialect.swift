import DefinitionModel

extension Dialect {
    /// Types of the library are qualified with their module, so that neither a model nor another
    /// type of the app hides them.
    static func swift(prefix: Prefix) -> Dialect {
        Dialect(
            naming: .swift(prefix: prefix),
            enumerations: { .swiftEnumerations(taken: $0) },
            inverses: {
                .swiftMembers("property", taken: $0, suffix: "Records", spelled: propertyName)
            },
            cases: .swiftCases, constants: .swiftConstants,
            valueType: swiftType, fieldType: swiftType, initialValue: swiftInitialValue,
            textLiteral: { swiftLiteral($0, indent: 16) },
            definitionLiteral: { swiftLiteral(ofJSON: $0, indent: 20) },
            comment: { $0 }, maxInteger: nil, layout: wrapLines, fileEnding: "swift",
            sharedPath: { "AppDefinition+\($0).swift" })
    }
}

@Sendable private func swiftType(_ kind: PropertyKind) -> String {
    switch kind {
    case .text: "String"
    case .json: "Waggle.JSONDocument"
    case .bytes: "Waggle.Bytes"
    case .geo: "Waggle.GeoPoint"
    case .enumeration(let name, _): name
    case .integer: "Int64"
    case .decimal: "Waggle.ExactDecimal"
    case .boolean: "Bool"
    case .date: "Waggle.Instant"
    case .reference(let target): "Waggle.Reference<\(target)>"
    case .file: "Waggle.FileReference"
    }
}

@Sendable private func swiftType(_ valueType: String, _ presence: Presence) -> String {
    switch presence {
    case .required: valueType
    case .optional: "\(valueType)?"
    case .hideable: "Waggle.Visible<\(valueType)>"
    }
}

@Sendable private func swiftInitialValue(
    _ value: FieldValue, _ kind: PropertyKind, _ caseName: String?, _ presence: Presence
) -> String {
    let expression = caseName.map { ".\($0)" } ?? swiftExpression(of: value, kind)
    return switch presence {
    case .required, .optional: expression
    case .hideable: ".value(\(expression))"
    }
}

private func swiftExpression(of value: FieldValue, _ kind: PropertyKind) -> String {
    switch value {
    case .text(let text):
        switch kind {
        case .json, .bytes, .geo: "\(swiftType(kind))(canonical: \(swiftLiteral(text, indent: 8)))"
        case .text, .enumeration, .integer, .decimal, .boolean, .date, .reference, .file:
            swiftLiteral(text, indent: 8)
        }
    case .reference(let guid): "Waggle.Reference(guid: \(swiftLiteral(guid, indent: 8)))"
    case .integer(let number): swiftLiteral(number)
    case .decimal(let number): "Waggle.ExactDecimal(canonical: \"\(number)\")"
    case .boolean(let flag): "\(flag)"
    case .date(let milliseconds): "Waggle.Instant(milliseconds: \(swiftLiteral(milliseconds)))"
    case .file(let file):
        "Waggle.FileReference(guid: \(swiftLiteral(file.guid, indent: 8)), "
            + "filename: \(swiftLiteral(file.filename, indent: 8)))"
    }
}
