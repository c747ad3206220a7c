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
        case .decimal(let limits): limits.schema
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
        if let pattern { members.merge(pattern.schema) { $1 } }
        switch format?.kind {
        case .json: members["contentMediaType"] = "application/json"
        case .base64: members["contentEncoding"] = "base64"
        case .geo: members["description"] = "latitude and longitude in degrees: 52.5,13.4"
        case nil: break
        }
        return .object(members)
    }
}

extension TextPattern {
    /// JSON Schema has the patterns of ECMAScript, which match parts of a text. A pattern that may
    /// mean something else there is described only.
    fileprivate var schema: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "description": .string("all of it matches the pattern '\(source)'")
        ]
        if isOfECMAScript { members["pattern"] = .string("^(?:\(source))$") }
        return members
    }

    /// Whether it has no dot, no class of Unicode and no complement, which depend on flags there.
    private var isOfECMAScript: Bool {
        var isEscaped = false
        for character in source {
            if isEscaped {
                guard "dwnrt\\^$.*+?()[]{}|/".contains(character) else { return false }
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "." || character == "^" || !character.isASCII {
                return false
            }
        }
        return true
    }
}

extension DecimalLimits {
    /// The bounds of JSON Schema are for numbers. Decimals are sent as strings too.
    fileprivate var schema: JSONValue {
        var members: [String: JSONValue] = [
            "type": .array(["string", "number"]),
            "description": .string(
                "a decimal number of up to \(scale) fraction digits; a string has the same limits"),
        ]
        if let minValue {
            members[includesMinValue ? "minimum" : "exclusiveMinimum"] = .number(minValue)
        }
        if let maxValue {
            members[includesMaxValue ? "maximum" : "exclusiveMaximum"] = .number(maxValue)
        }
        if !allowedValues.isEmpty {
            members["enum"] = .array(
                allowedValues.flatMap { [.string($0.description), .number($0)] })
        }
        return .object(members)
    }
}

extension JSONValue {
    fileprivate static func number(_ number: DecimalNumber) -> JSONValue {
        let text = number.description
        return Int64(text).map { .integer($0) } ?? .decimal(text)
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
