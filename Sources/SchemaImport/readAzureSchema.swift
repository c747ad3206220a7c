import DefinitionModel
package import JSON

/// Reads the OpenAPI document of a server of Azure Mobile Apps or Datasync, of version 2 or 3: the
/// schemas of the tables that its paths name.
package func readAzureSchema(_ json: JSONValue) throws(SchemaImportError) -> DefinitionDraft {
    guard let document = OpenAPIDocument(json) else {
        throw SchemaImportError(
            "the schema has no 'paths', or no 'definitions' and no 'components.schemas'",
            help: "save the OpenAPI document of the server, such as the answer to GET /swagger")
    }
    var draft = DefinitionDraft()
    for (path, requests) in document.paths.sorted(by: { $0.key < $1.key }) {
        let parts = path.split(separator: "/")
        guard parts.count == 2, parts[0].lowercased() == "tables" else { continue }
        let table = String(parts[1])
        let schema = document.row(of: table, at: requests)
        guard let schema, case .object(let columns)? = schema.member("properties") else {
            draft.notes.append("\(table) is left out: its path refers to no schema with columns")
            continue
        }
        let required = schema.member("required")?.texts ?? []
        var model = DraftModel(called: table, noting: &draft.notes)
        for (column, schema) in columns.sorted(by: { $0.key < $1.key })
        where !isSystemColumn(column) {
            guard var field = field(column, schema, of: table, in: document, &draft.notes)
            else { continue }
            let isNullable = document.isNullable(schema)
            field.isRequired = required.contains(column) && !isNullable
            if field.type == .boolean, !isNullable { field.becomeFlag() }
            model.append(field, noting: &draft.notes)
        }
        draft.models.append(model)
    }
    guard !draft.models.isEmpty else {
        throw SchemaImportError(
            "the schema has no table: no path '/tables/NAME' refers to a schema with columns",
            help: "save the OpenAPI document of the server, such as the answer to GET /swagger")
    }
    return draft
}

private func isSystemColumn(_ name: String) -> Bool {
    let plain = name.lowercased().drop { $0 == "_" }
    return ["id", "createdat", "updatedat", "version", "deleted"].contains(String(plain))
}

extension DraftField {
    /// Clients leave false out of new rows, and search for false.
    fileprivate mutating func becomeFlag() {
        isRequired = true
        defaultValue = "false"
    }
}

/// Nil for a type that a definition does not have.
private func field(
    _ name: String, _ schema: JSONValue, of table: String, in document: OpenAPIDocument,
    _ notes: inout [String]
) -> DraftField? {
    let schema = document.resolved(schema)
    let types = schema.member("type")
    let type = types?.text ?? types?.texts.first { $0 != "null" } ?? "object"
    switch (type, schema.member("format")?.text) {
    case ("string", "date-time"), ("string", "date"): return DraftField(name: name, type: .date)
    case ("string", "byte"): return .text(name, .base64)
    case ("string", _):
        let values = schema.member("enum")?.texts ?? []
        if !values.isEmpty {
            notes.append(
                "\(table).\(name) takes any text, not only \(values.joined(separator: ", "))")
        }
        return .text(name, maxLength: schema.member("maxLength")?.number)
    case ("integer", "int32"): return DraftField(name: name, type: .integer)
    case ("integer", _): return .wideInteger(name)
    case ("number", _): return .decimal(name)
    case ("boolean", _): return DraftField(name: name, type: .boolean)
    case ("array", _), ("object", _): return .text(name, .json)
    case _:
        notes.append("\(table).\(name) is left out: there is no type for \(type)")
        return nil
    }
}
