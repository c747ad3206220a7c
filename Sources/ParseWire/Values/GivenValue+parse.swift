import ChangeRules
import DefinitionModel
import JSON

extension GivenValue {
    /// Reads a member of an object as the value of a field. A value that is not of the field's type
    /// stays `unreadable`, for the engine to refuse together with all else that is wrong. Throws
    /// 108 for an operator that does not exist.
    init(parse json: JSONValue, for field: Field, in records: RecordTable) throws(ParseFailure) {
        switch try ParseOperator(json) {
        case .delete: self = .null
        case .increment(let amount): self = Self.increment(amount, of: field)
        case .list(let action?) where field.type.format?.kind == .json:
            self = .edited([JSONEdit(path: [], action)])
        case .list, .unfit: self = .unreadable
        case nil: self = Self.plain(json, for: field, in: records)
        }
    }

    private static func plain(
        _ json: JSONValue, for field: Field, in records: RecordTable
    ) -> GivenValue {
        guard json != .null else { return .null }
        return FieldValue(parse: json, of: field.type, in: records).map { .value($0) }
            ?? .unreadable
    }

    private static func increment(_ amount: JSONValue?, of field: Field) -> GivenValue {
        switch field.type.name {
        case .integer, .decimal:
            let value = amount.flatMap { FieldValue($0, of: field.type.name) }
            return value.map { .added($0) } ?? .unreadable
        case .text, .boolean, .date, .belongsTo, .file: return .unreadable
        }
    }
}

extension FieldValue {
    /// Nil if the value is none of the type.
    init?(parse json: JSONValue, of type: FieldType, in records: RecordTable) {
        switch type {
        case .text(let limits):
            guard let format = limits.format else {
                self.init(json, of: type.name)
                return
            }
            guard let text = format.text(parse: json) else { return nil }
            self = .text(text)
        case .integer, .boolean: self.init(json, of: type.name)
        case .decimal:
            // A text is not taken for a number here.
            if case .string = json { return nil }
            self.init(json, of: type.name)
        case .date:
            guard let milliseconds = parseMilliseconds(json) else { return nil }
            self = .date(milliseconds: milliseconds)
        case .belongsTo(let relation):
            guard let pointer = ParsePointer(json),
                pointer.className.hasSameBytes(as: records.className(of: relation.model)),
                let guid = records.guid(of: pointer)
            else { return nil }
            self = .reference(guid: guid)
        case .file:
            guard let file = FileValue(parse: json) else { return nil }
            self = .file(file)
        }
    }
}

/// A `Date`, or its bare text.
func parseMilliseconds(_ json: JSONValue) -> Int64? {
    switch json {
    case .string(let text): return parseDateMilliseconds(text)
    case .object(let members):
        guard members["__type"] == .string("Date"), case .string(let text)? = members["iso"] else {
            return nil
        }
        return parseDateMilliseconds(text)
    case .null, .boolean, .integer, .decimal, .array, .unrepresentable: return nil
    }
}

extension FileValue {
    /// A `File`: its name is the guid and the file's own name. The url does not count.
    fileprivate init?(parse json: JSONValue) {
        guard case .object(let members) = json, members["__type"] == .string("File"),
            case .string(let name)? = members["name"]
        else { return nil }
        self.init(parseName: name)
    }

    init?(parseName name: String) {
        let parts = name.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, isGuid(String(parts[0])), !parts[1].isEmpty else { return nil }
        self.init(guid: String(parts[0]), filename: String(parts[1]))
    }

    var parseName: String { "\(guid)_\(filename)" }
}

extension TextFormat {
    /// The text of an `Object`, an `Array` or `Bytes`; nil for another value.
    fileprivate func text(parse json: JSONValue) -> String? {
        switch (kind, json) {
        case (.json, .array): json.isFormatted ? json.text : nil
        case (.json, .object(let members)):
            members["__type"] == nil && json.isFormatted ? json.text : nil
        case (.base64, .object(let members)):
            if members["__type"] == "Bytes", case .string(let text)? = members["base64"] {
                text
            } else {
                nil
            }
        case (.geo, _): GeoPosition(parse: json)?.description
        case (.json, _), (.base64, _): nil
        }
    }
}

extension FieldType {
    /// The name of the type on this wire.
    var parseName: String {
        switch format?.kind {
        case .json: "Object"
        case .base64: "Bytes"
        case .geo: "GeoPoint"
        case nil: name.parseName
        }
    }
}

extension FieldTypeName {
    var parseName: String {
        switch self {
        case .text: "String"
        case .integer, .decimal: "Number"
        case .boolean: "Boolean"
        case .date: "Date"
        case .belongsTo: "Pointer"
        case .file: "File"
        }
    }
}
