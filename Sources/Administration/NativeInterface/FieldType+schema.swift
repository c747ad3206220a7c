import DefinitionModel
import JSON

extension FieldType {
    /// The JSON Schema of a stored value. It has no limits: a value that was stored before a limit
    /// stays as it is.
    var storedSchema: JSONValue {
        switch self {
        case .text, .belongsTo, .decimal: .object(["type": "string"])
        case .integer, .date: .object(["type": "integer", "format": "int64"])
        case .boolean: .object(["type": "boolean"])
        case .file: FieldType.fileSchema
        }
    }

    /// The JSON Schema of a value in a change, with the limits of the definition as far as JSON
    /// Schema has them: it counts characters, where the definition counts UTF-16 code units.
    var writtenSchema: JSONValue {
        switch self {
        case .text(let limits): limits.schema
        case .integer(let limits): limits.schema
        case .decimal(let limits):
            .object([
                "type": .array(["string", "number"]),
                "description": .string("a decimal number of up to \(limits.scale) fraction digits"),
            ])
        case .boolean: .object(["type": "boolean"])
        case .date(let limits): limits.schema
        case .belongsTo(let relation):
            .object([
                "type": "string", "description": .string("the guid of a '\(relation.model)'"),
            ])
        case .file: FieldType.fileSchema
        }
    }

    private static let fileSchema: JSONValue = .object([
        "type": "object", "required": .array(["guid", "filename"]),
        "properties": .object([
            "guid": .object(["type": "string"]), "filename": .object(["type": "string"]),
        ]),
    ])
}

extension TextLimits {
    fileprivate var schema: JSONValue {
        var members: [String: JSONValue] = ["type": "string"]
        if minLength > 0 { members["minLength"] = .integer(Int64((minLength + 1) / 2)) }
        if maxLength > 0 { members["maxLength"] = .integer(Int64(maxLength)) }
        if !allowedValues.isEmpty {
            members["enum"] = .array(allowedValues.map { .string($0) })
        }
        switch format?.kind {
        case .json: members["contentMediaType"] = "application/json"
        case .base64: members["contentEncoding"] = "base64"
        case .geo: members["description"] = "latitude and longitude in degrees: 52.5,13.4"
        case nil: break
        }
        return .object(members)
    }
}

extension IntegerLimits {
    fileprivate var schema: JSONValue {
        var members: [String: JSONValue] = [
            "type": "integer", "minimum": .integer(minValue), "maximum": .integer(maxValue),
        ]
        if !allowedValues.isEmpty {
            members["enum"] = .array(allowedValues.map { .integer($0) })
        }
        return .object(members)
    }
}

extension DateLimits {
    fileprivate var schema: JSONValue {
        var members: [String: JSONValue] = [
            "type": "integer", "format": "int64", "description": "milliseconds since 1970 in UTC",
        ]
        if let minMilliseconds { members["minimum"] = .integer(minMilliseconds) }
        if let maxMilliseconds { members["maximum"] = .integer(maxMilliseconds) }
        return .object(members)
    }
}
