package import DefinitionModel
package import JSON

/// The OpenAPI 3.1 document of the native wire for a definition, with the fields of each model.
package func nativeInterface(of definition: Definition) -> JSONValue {
    var paths: [String: [String: JSONValue]] = [:]
    for operation in NativeOperation.all(of: definition) {
        paths["/\(operation.path)", default: [:]][operation.method.rawValue.lowercased()] =
            operation.document
    }
    return .object([
        "openapi": "3.1.0",
        "info": .object([
            "title": .string("\(definition.vendor)/\(definition.application)"),
            "version": .string(definition.fingerprint),
        ]),
        "servers": .array([
            .object([
                "url": "/v1/{environment}",
                "variables": .object(["environment": .object(["default": "test"])]),
            ])
        ]),
        "paths": .object(paths.mapValues { .object($0) }),
        "components": .object([
            "schemas": .object(schemas(of: definition)),
            "responses": RefusalStatus.components,
            "securitySchemes": .object([
                "token": .object(["type": "http", "scheme": "bearer"])
            ]),
        ]),
    ])
}

/// Schemas of models have a dot in their names, the others have none.
private func schemas(of definition: Definition) -> [String: JSONValue] {
    var schemas: [String: JSONValue] = [
        "error": MessageShape.error.schema, "outcome": outcome, "conflict": conflict,
        "record": .oneOf(definition.models.map { .reference("record.\($0.name)") }),
        "change": .oneOf(definition.models.map { .reference("change.\($0.name)") }),
    ]
    for model in definition.models {
        schemas["record.\(model.name)"] = model.recordSchema
        schemas["change.\(model.name)"] = model.changeSchema
    }
    return schemas
}

private let outcome = MessageShape.object([
    MessageMember("id", .text("1")),
    MessageMember(
        "outcome", .word(["accepted", "merged", "conflicted", "discarded", "refused"])),
    MessageMember("model", .text("note")), MessageMember("guid", .text("guid")),
    MessageMember("revision", .number(2), isRequired: false),
    MessageMember("overwrote", .number(1), isRequired: false),
    MessageMember(
        "causes",
        .list(
            .object([
                MessageMember("code", .text("tooLong")), MessageMember("message", .text("…")),
                MessageMember("field", .text("title"), isRequired: false),
                MessageMember("argument", .text("255"), isRequired: false),
                MessageMember("line", .number(12), isRequired: false),
                MessageMember("column", .number(9), isRequired: false),
            ])), isRequired: false),
]).schema

private let side = MessageShape.object([
    MessageMember("deleted", .flag), MessageMember("fields", .document),
    MessageMember("login", .text("cleo"), isRequired: false),
    MessageMember("deviceCategory", .text("mobile"), isRequired: false),
    MessageMember("at", .number(1_800_000_000_000), isRequired: false),
])

private let conflict = MessageShape.object([
    MessageMember("revision", .number(3)), MessageMember("baseRevision", .number(1)),
    MessageMember("base", side), MessageMember("mine", side), MessageMember("theirs", side),
    MessageMember("related", .flag, isRequired: false),
    MessageMember("parallel", .flag, isRequired: false),
]).schema
