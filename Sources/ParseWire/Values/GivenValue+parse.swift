import ChangeRules
import DefinitionModel
import ForeignValues
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
        guard case .belongsTo(let relation) = type else {
            self.init(parse: json, of: type)
            return
        }
        guard let pointer = ParsePointer(json),
            pointer.className.hasSameBytes(as: records.className(of: relation.model)),
            let guid = records.guid(of: pointer)
        else { return nil }
        self = .reference(guid: guid)
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
