import ChangeRules
import DefinitionModel
import JSON
import SyncProtocol

extension FieldOutline {
    /// The value of a text that a person writes: `Solaris`, `-5`, `12.50`, `true`, a day
    /// (`2026-11-21`), a time in UTC (`2026-11-21T10:30Z`), or the guid of a record. A file has no
    /// written form. Limits are checked when the record is saved, not here.
    ///
    /// Throws if the text is not a value of the kind of the field.
    public func value(writtenAs text: String) throws(FieldTextError) -> StoredField {
        guard let value = FieldValue(written: text, of: kind.typeName) else {
            throw FieldTextError(text: text, field: name, kind: kind)
        }
        return StoredField(JSONValue(value))
    }

    /// The value as text, which ``value(writtenAs:)`` reads again; for a file its name. Nil for
    /// null, for a hidden value, and for a value of another kind.
    public func text(of value: StoredField) -> String? {
        value.json.flatMap { FieldValue($0, of: kind.typeName) }?.writtenText
    }
}

/// A text that is no value of a field.
public struct FieldTextError: Error, Hashable, Sendable {
    /// The text.
    public let text: String
    /// The name of the field.
    public let field: String
    /// The kind of the field.
    public let kind: FieldOutline.Kind
}

extension FieldTextError: CustomStringConvertible {
    /// A message for people: what is wrong, and what to write.
    public var description: String { "'\(text)' is no value of '\(field)': \(help)" }

    private var help: String {
        switch kind {
        case .text: "write any text"
        case .integer: "write a whole number, such as -5"
        case .decimal: "write plain digits, at most 38, such as 12.50"
        case .boolean: "write true or false"
        case .date: "write a day such as 2026-11-21, or a time in UTC such as 2026-11-21T10:30Z"
        case .belongsTo(let model): "write the guid of a record of '\(model)'"
        case .file: "attach a file, and set what comes of it"
        }
    }
}
