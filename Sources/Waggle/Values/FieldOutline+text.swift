import ChangeRules
import DefinitionModel
import JSON
import SyncProtocol

extension FieldOutline {
    /// The value that somebody means who writes this: `Solaris`, `-5`, `12.50`, `true`, a day
    /// (`2026-11-21`) or a time of it in UTC (`2026-11-21T10:30Z`), or the guid of a record. Its
    /// limits are not looked at before it is saved. A file has no such form: it is attached.
    public func value(writtenAs text: String) throws(FieldTextError) -> StoredField {
        guard let value = FieldValue(written: text, of: kind.typeName) else {
            throw FieldTextError(text: text, field: name, kind: kind)
        }
        return StoredField(JSONValue(value))
    }

    /// What people read, and may write again to say the same; of a file it is the name. Nil where
    /// there is no value, none that this user sees, or none of this field's kind.
    public func text(of value: StoredField) -> String? {
        value.json.flatMap { FieldValue($0, of: kind.typeName) }?.writtenText
    }
}

/// A text that is no value of a field.
public struct FieldTextError: Error, Hashable, Sendable {
    public let text: String
    public let field: String
    public let kind: FieldOutline.Kind
}

extension FieldTextError: CustomStringConvertible {
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
