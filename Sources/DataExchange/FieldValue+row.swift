import ChangeRules
import DefinitionModel
import JSON

extension FieldValue {
    /// Reads the text of a CSV column, as `columnText` writes it. A date may be written in any form
    /// that `FieldValue(written:of:)` takes. Nil if it is no value of the type.
    init?(column text: String, of type: FieldTypeName) {
        guard type == .file else {
            self.init(written: text, of: type)
            return
        }
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let (guid, filename) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
        guard isGuid(guid), !filename.isEmpty else { return nil }
        self = .file(FileValue(guid: guid, filename: filename))
    }

    /// Reads a member of a JSON line. A date may also be written as in a CSV column, and the value
    /// of a field with the format `json` as it is, beside its text.
    init?(member json: JSONValue, of type: FieldType) {
        if type.name == .date, case .string(let text) = json {
            self.init(written: text, of: type.name)
        } else if type.format?.kind == .json, json.isFormatted {
            self = .text(json.text)
        } else {
            self.init(json, of: type.name)
        }
    }

    /// The text of a CSV column. A file is its guid, a slash and its name.
    var columnText: String {
        guard case .file(let file) = self else { return writtenText }
        return "\(file.guid)/\(file.filename)"
    }
}
