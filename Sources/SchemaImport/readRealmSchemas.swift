import DefinitionModel
package import JSON

/// Reads the JSON schemas that Realm's App Services keep of each collection: one, or a list of
/// them. A schema may stand in an object `{"schema","relationships"}`, where `relationships` is the
/// content of `relationships.json`.
package func readRealmSchemas(_ json: JSONValue) throws(SchemaImportError) -> DefinitionDraft {
    var schemas = [json]
    if case .array(let elements) = json { schemas = elements }
    var draft = DefinitionDraft()
    for element in schemas {
        let schema = element.member("schema") ?? element
        guard let title = schema.member("title")?.text,
            case .object(let properties)? = schema.member("properties")
        else {
            throw SchemaImportError(
                "a schema has no 'title' or no 'properties'",
                help: "export the app, and use the files schema.json of its collections")
        }
        var model = DraftModel(called: title, noting: &draft.notes)
        let required = schema.member("required")?.texts ?? []
        for (name, property) in properties.sorted(by: { $0.key < $1.key }) where name != "_id" {
            let relation = element.member("relationships")?.member(name)
            guard var field = field(name, property, relation, of: title, &draft.notes) else {
                continue
            }
            field.isRequired = required.contains(name)
            model.append(field, noting: &draft.notes)
        }
        draft.models.append(model)
    }
    return draft
}

/// Nil for a type that a definition does not have.
private func field(
    _ name: String, _ property: JSONValue, _ relation: JSONValue?, of title: String,
    _ notes: inout [String]
) -> DraftField? {
    let type = (property.member("bsonType") ?? property.member("type"))?.text ?? "mixed"
    if let target = relation?.member("ref")?.text?.split(separator: "/").last,
        relation?.member("is_list") != .boolean(true), type != "array"
    {
        var field = DraftField(name: name, type: .belongsTo)
        field.options["model"] = schemaName(String(target))
        return field
    }
    switch type {
    case "string": return .text(name)
    case "objectId", "uuid": return .text(name, maxLength: 36)
    case "int": return DraftField(name: name, type: .integer)
    case "long": return .wideInteger(name)
    case "double", "decimal", "number", "float": return .decimal(name)
    case "bool", "boolean": return DraftField(name: name, type: .boolean)
    case "date", "timestamp": return DraftField(name: name, type: .date)
    case "binData": return .text(name, .base64)
    case "array", "object":
        if relation != nil {
            notes.append("\(title).\(name) becomes a list of ids, which nothing checks")
        }
        return .text(name, .json)
    case _:
        notes.append("\(title).\(name) is left out: there is no type for \(type)")
        return nil
    }
}
