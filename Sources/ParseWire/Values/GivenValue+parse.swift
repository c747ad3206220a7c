import ChangeRules
import DefinitionModel
import JSON

extension GivenValue {
    /// Reads a member of an object as the value of a field. What is no value of the field's type
    /// stays `unreadable`, for the engine to refuse together with all else that is wrong. Throws
    /// 108 for an operator that does not exist.
    init(parse json: JSONValue, for field: Field, in records: RecordTable) throws(ParseFailure) {
        guard case .object(let members) = json, let word = members["__op"] else {
            self = Self.plain(json, for: field, in: records)
            return
        }
        guard case .string(let name) = word else { throw .badJSON("an operator has no name") }
        switch name {
        case "Delete": self = .null
        case "Increment": self = Self.increment(members["amount"], of: field)
        case "Add", "AddUnique", "Remove", "SetOnInsert", "AddRelation", "RemoveRelation",
            "Batch":
            self = .unreadable
        default: throw ParseFailure(108, "the operator \(name) is not supported")
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
        case .text, .integer, .boolean: self.init(json, of: type.name)
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

extension FieldTypeName {
    /// The name of the type on this wire.
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
