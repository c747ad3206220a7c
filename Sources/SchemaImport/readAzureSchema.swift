import DefinitionModel
package import JSON

/// Reads the OpenAPI document of a server of Azure Mobile Apps or Datasync, of version 2 or 3: the
/// schemas of the tables that its paths name.
package func readAzureSchema(_ json: JSONValue) throws(SchemaImportError) -> DefinitionDraft {
    let schemas = json.member("definitions") ?? json.member("components")?.member("schemas")
    guard case .object(let schemas)? = schemas, case .object(let paths)? = json.member("paths")
    else {
        throw SchemaImportError(
            "the schema has no 'paths', or no 'definitions' and no 'components.schemas'",
            help: "save the OpenAPI document of the server, such as the answer to GET /swagger")
    }
    var draft = DefinitionDraft()
    for (path, _) in paths.sorted(by: { $0.key < $1.key }) {
        let parts = path.split(separator: "/")
        guard parts.count == 2, parts[0].lowercased() == "tables" else { continue }
        let table = String(parts[1])
        let found = schemas.sorted { $0.key < $1.key }
            .first { $0.key.lowercased() == table.lowercased() }
        guard case .object(let columns)? = found?.value.member("properties") else {
            draft.notes.append("\(table) is left out: it has no schema of its name")
            continue
        }
        let required = found?.value.member("required")?.texts ?? []
        var model = DraftModel(name: schemaName(table))
        if model.name != table { model.alias = table }
        for (column, schema) in columns.sorted(by: { $0.key < $1.key })
        where !isSystemColumn(column) {
            guard var field = field(column, schema, of: table, &draft.notes) else { continue }
            field.isRequired = required.contains(column)
            model.append(field)
        }
        draft.models.append(model)
    }
    return draft
}

private func isSystemColumn(_ name: String) -> Bool {
    let plain = name.lowercased().drop { $0 == "_" }
    return ["id", "createdat", "updatedat", "version", "deleted"].contains(String(plain))
}

/// Nil for a type that a definition does not have.
private func field(
    _ name: String, _ schema: JSONValue, of table: String, _ notes: inout [String]
) -> DraftField? {
    let type = schema.member("type")?.text ?? "object"
    switch (type, schema.member("format")?.text) {
    case ("string", "date-time"), ("string", "date"): return DraftField(name: name, type: .date)
    case ("string", "byte"): return .text(name, .base64)
    case ("string", _): return .text(name, maxLength: schema.member("maxLength")?.number)
    case ("integer", _): return DraftField(name: name, type: .integer)
    case ("number", _): return .decimal(name)
    case ("boolean", _): return DraftField(name: name, type: .boolean)
    case ("array", _), ("object", _): return .text(name, .json)
    case _:
        notes.append("\(table).\(name) is left out: there is no type for \(type)")
        return nil
    }
}
