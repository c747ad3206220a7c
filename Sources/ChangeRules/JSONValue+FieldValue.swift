package import DefinitionModel
package import JSON

extension FieldValue {
    /// Reads a value of a field's type; nil when the JSON is not one.
    ///
    /// A decimal may come as a string, which every client can write exactly, or as a number.
    package init?(_ json: JSONValue, of type: FieldTypeName) {
        switch (type, json) {
        case (.text, .string(let text)): self = .text(text)
        case (.integer, .integer(let number)): self = .integer(number)
        case (.decimal, .string(let text)), (.decimal, .decimal(let text)):
            guard let number = DecimalNumber(text) else { return nil }
            self = .decimal(number)
        case (.decimal, .integer(let number)): self = .decimal(DecimalNumber(number))
        case (.boolean, .boolean(let flag)): self = .boolean(flag)
        case (.date, .integer(let milliseconds)): self = .date(milliseconds: milliseconds)
        case (.belongsTo, .string(let guid)):
            guard isGuid(guid) else { return nil }
            self = .reference(guid: guid)
        case (.file, .object(let object)):
            guard let file = FileValue(object) else { return nil }
            self = .file(file)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            return nil
        }
    }
}

extension JSONValue {
    /// The one form in which a value is stored and sent.
    package init(_ value: FieldValue) {
        switch value {
        case .text(let text): self = .string(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let number): self = .string(number.description)
        case .boolean(let flag): self = .boolean(flag)
        case .date(let milliseconds): self = .integer(milliseconds)
        case .reference(let guid): self = .string(guid)
        case .file(let file):
            self = .object(["guid": .string(file.guid), "filename": .string(file.filename)])
        }
    }
}

extension FileValue {
    fileprivate init?(_ object: [String: JSONValue]) {
        guard object.count == 2, case .string(let guid) = object["guid"], isGuid(guid),
            case .string(let filename) = object["filename"], !filename.isEmpty
        else { return nil }
        self.init(guid: guid, filename: filename)
    }
}
