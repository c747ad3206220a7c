import ChangeRules
import DefinitionModel
import ForeignValues
import JSON

/// The value of a field in a row.
enum RowValue: Hashable, Sendable {
    case null
    case value(FieldValue)
    /// The record that has an opaque id.
    case related(RelatedID)
    case leftOut(LeftOutValue)
    /// It is no value of the field.
    case wrong

    init(_ value: FieldValue?) { self = value.map { RowValue.value($0) } ?? .wrong }
}

extension RowSource {
    /// Reads the text of a CSV column.
    func value(_ text: String, of field: Field) -> RowValue {
        switch (self, field.type) {
        case (.waggle, .belongsTo(let relation)) where !isGuid(text),
            (.azure, .belongsTo(let relation)) where text != Self.null:
            .related(RelatedID(model: relation.model, id: text))
        case (.waggle, _), (.parse, _), (.azure, .text):
            RowValue(FieldValue(column: text, of: field.type.name))
        case (.azure, _) where text == Self.null: .null
        case (.azure, .date): RowValue(FieldValue(azureDate: text))
        case (.azure, .boolean): RowValue(flag(text).map { .boolean($0) })
        case (.azure, .integer): RowValue(FieldValue(wholeNumber: text))
        case (.azure, .decimal), (.azure, .belongsTo), (.azure, .file):
            RowValue(FieldValue(column: text, of: field.type.name))
        }
    }

    /// Tools of SQL Server write null so, and flags as numbers.
    private static let null = "NULL"

    /// Nil if the text is no flag.
    func flag(_ text: String) -> Bool? {
        switch self {
        case .waggle, .parse: ["true": true, "false": false][text]
        case .azure: ["true": true, "false": false, "1": true, "0": false][text.lowercased()]
        }
    }

    /// Reads a member of a JSON object.
    func value(_ json: JSONValue, of field: Field, in definition: Definition) -> RowValue {
        guard json != .null else { return .null }
        switch self {
        case .waggle:
            guard case .belongsTo(let relation) = field.type, case .object(let members) = json,
                members.count == 1, case .string(let id)? = members["$id"]
            else { return RowValue(FieldValue(member: json, of: field.type)) }
            return .related(RelatedID(model: relation.model, id: id))
        case .azure: return azureValue(json, of: field.type)
        case .parse: return parseValue(json, of: field.type, in: definition)
        }
    }

    /// The values that a field takes, for people who know those of the service, or of CSV. Nil if
    /// they are those of the native wire.
    func values(of type: FieldType, inColumn isColumn: Bool) -> String? {
        switch (self, type) {
        case (.waggle, _): isColumn ? Self.columnValues(of: type.name) : nil
        case (.azure, .belongsTo(let relation)): "the id of a row of the model '\(relation.model)'"
        case (.azure, .date): "a time, such as 2026-11-21T05:58:23.176Z"
        case (.azure, .integer): "a whole number of 64 bits"
        case (.azure, .decimal): "a number of 38 digits at most"
        case (.azure, .file) where isColumn: Self.columnValues(of: .file)
        case (.azure, .text), (.azure, .boolean), (.azure, .file): nil
        case (.parse, .text(let limits)): limits.format.map(Self.parseValues) ?? "a String"
        case (.parse, .integer): "a Number without a fraction, of 64 bits"
        case (.parse, .decimal): "a Number of 38 digits at most"
        case (.parse, .boolean): "true or false"
        case (.parse, .date): "a Date"
        case (.parse, .belongsTo(let relation)):
            "a Pointer to an object of the model '\(relation.model)'"
        case (.parse, .file): "a File"
        }
    }

    private static func columnValues(of type: FieldTypeName) -> String {
        switch type {
        case .text: "text"
        case .integer: "a whole number of 64 bits, such as -12"
        case .decimal: "a decimal of 38 digits at most, such as 12.50"
        case .boolean: "true or false"
        case .date: "a date, such as 2026-11-22 or 2026-11-22T10:00:00.001Z"
        case .belongsTo: "the guid or the id of a record"
        case .file: "the guid of a file, a slash and its name"
        }
    }

    private static func parseValues(of format: TextFormat) -> String {
        switch format.kind {
        case .json: "an Object or an Array, nested at most \(TextFormat.maxDepth) deep"
        case .base64: "Bytes"
        case .geo: "a GeoPoint"
        }
    }

    private func azureValue(_ json: JSONValue, of type: FieldType) -> RowValue {
        switch (type, json) {
        case (.belongsTo(let relation), .string(let id)):
            .related(RelatedID(model: relation.model, id: id))
        // The ids of the first generation's tables may be numbers.
        case (.belongsTo(let relation), .integer(let number)):
            .related(RelatedID(model: relation.model, id: String(number)))
        case (.date, .string(let text)): RowValue(FieldValue(azureDate: text))
        case (let type, let json): RowValue(FieldValue(member: json, of: type))
        }
    }

    private func parseValue(
        _ json: JSONValue, of type: FieldType, in definition: Definition
    ) -> RowValue {
        if case .belongsTo(let relation) = type {
            let model = definition.models.first { $0.name.hasSameBytes(as: relation.model) }
            guard let pointer = ParsePointer(json), let model,
                model.foreignName.hasSameBytes(as: pointer.className)
            else { return .wrong }
            return .related(RelatedID(model: relation.model, id: pointer.objectID))
        }
        if let value = FieldValue(parse: json, of: type) { return .value(value) }
        return type.name == .file && json.isOfParse("File") ? .leftOut(.files) : .wrong
    }
}

extension FieldValue {
    /// Reads a whole number of CSV, also as 3.0: Azure Mobile had doubles for all numbers. In JSON
    /// the two are one number.
    fileprivate init?(wholeNumber text: String) {
        guard let number = DecimalNumber(text)?.whole else { return nil }
        self = .integer(number)
    }

    /// Reads a time as clients of Azure Mobile write it, or with blanks between its parts as tools
    /// of SQL Server do.
    fileprivate init?(azureDate text: String) {
        var parts = text.split(separator: " ").map(String.init)
        if parts.count > 1 { parts.insert("T", at: 1) }
        guard let milliseconds = milliseconds(ofWritten: parts.joined()) else { return nil }
        self = .date(milliseconds: milliseconds)
    }
}

extension JSONValue {
    /// Whether it is a value of one of the types of Parse that are objects.
    func isOfParse(_ type: String) -> Bool {
        if case .object(let members) = self { members["__type"] == .string(type) } else { false }
    }
}
