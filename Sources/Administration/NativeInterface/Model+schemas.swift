import DefinitionModel
import JSON

extension Model {
    /// The JSON Schema of a record as a client reads it. Fields that the client may not read are
    /// not there.
    var recordSchema: JSONValue {
        .object([
            "type": "object",
            "required": .array([
                "model", "guid", "revision", "owner", "group", "deleted", "conflicted",
            ]),
            "properties": .object([
                "model": .object(["const": .string(name)]), "guid": .object(["type": "string"]),
                "revision": .whole, "owner": .object(["type": "string"]),
                "group": .object(["type": "string"]), "deleted": .object(["type": "boolean"]),
                "conflicted": .object(["type": "boolean"]),
                "fields": .object([
                    "type": "object", "additionalProperties": .boolean(false),
                    "properties": .object(properties { nullable($0.type.storedSchema) }),
                ]),
                "conflicts": .array(of: .reference("conflict")),
            ]),
        ])
    }

    /// The JSON Schema of a change of a record.
    var changeSchema: JSONValue {
        .object([
            "type": "object", "additionalProperties": .boolean(false),
            "required": .array(["id", "action", "model", "guid"]),
            "properties": .object([
                "id": .object(["type": "string"]),
                "action": .object([
                    "type": "string", "enum": .array(["create", "update", "delete", "resolve"]),
                ]),
                "model": .object(["const": .string(name)]), "guid": .object(["type": "string"]),
                "base": .whole,
                "ifStale": .object(["type": "string", "enum": .array(["settle", "refuse"])]),
                "fields": .object([
                    "type": "object", "additionalProperties": .boolean(false),
                    "properties": .object(properties(written)),
                ]),
            ]),
        ])
    }

    private func properties(_ schema: (Field) -> JSONValue) -> [String: JSONValue] {
        Dictionary(fields.map { ($0.name, schema($0)) }, uniquingKeysWith: { first, _ in first })
    }

    private func written(_ field: Field) -> JSONValue {
        field.isRequired ? field.type.writtenSchema : nullable(field.type.writtenSchema)
    }

    private func nullable(_ schema: JSONValue) -> JSONValue {
        .object(["anyOf": .array([schema, .object(["type": "null"])])])
    }
}

extension JSONValue {
    static let whole: JSONValue = .object(["type": "integer", "format": "int64"])

    static func reference(_ schema: String) -> JSONValue {
        .object(["$ref": .string("#/components/schemas/\(schema)")])
    }

    static func array(of schema: JSONValue) -> JSONValue {
        .object(["type": "array", "items": schema])
    }

    /// One of several schemas; of one, that.
    static func oneOf(_ schemas: [JSONValue]) -> JSONValue {
        schemas.count == 1 ? schemas[0] : .object(["oneOf": .array(schemas)])
    }
}
