package import DefinitionModel

/// The models and relations as an entity relationship diagram for Mermaid, with a final newline.
package func renderAsMermaid(_ definition: Definition) -> String {
    let entities = definition.models.map(entity)
    let relations = definition.models.flatMap { model in
        model.fields.compactMap { relation(of: $0, in: model) }
    }
    return (["erDiagram"] + entities + relations).map { $0 + "\n" }.joined()
}

private func entity(_ model: Model) -> String {
    guard !model.fields.isEmpty else { return "    \(quoted(model.name))" }
    let fields = model.fields.map { field in
        let key = field.relation == nil ? "" : " FK"
        let comment = field.isRequired ? " \"required\"" : ""
        return "        \(field.type.name.rawValue) \(attributeName(field.name))\(key)\(comment)\n"
    }
    return "    \(quoted(model.name)) {\n\(fields.joined())    }"
}

/// Many records belong to one, or to none if the field may be empty.
private func relation(of field: Field, in model: Model) -> String? {
    field.relation.map { relation in
        let end = field.isRequired ? "||" : "o|"
        return "    \(quoted(model.name)) }o--\(end) \(quoted(relation.model)) : "
            + quoted(field.name)
    }
}

/// Unquoted, some names would be keywords of Mermaid. A definition's names contain no characters
/// that need escaping.
private func quoted(_ name: String) -> String { "\"\(name)\"" }

/// Attributes cannot be quoted, and these are key markers, in lower case too.
private func attributeName(_ name: String) -> String {
    ["pk", "fk", "uk"].contains(name.lowercased()) ? name + "_" : name
}
