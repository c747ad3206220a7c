import DefinitionModel

/// Reads the GraphQL schema of an app of Amplify: its types with `@model`.
///
/// Rules of `@auth` become levels: `public` and `private` get `ALL`, all others `OWN`.
package func readAmplifySchema(_ source: String) throws(SchemaImportError) -> DefinitionDraft {
    let document = try SchemaDocument(source)
    let types = document.types.filter { $0.directives["model"] != nil }
    guard !types.isEmpty else {
        throw SchemaImportError(
            "the schema has no type with '@model'", help: "use the schema.graphql of the app's API")
    }
    var draft = DefinitionDraft()
    for type in types {
        var model = DraftModel(called: type.name, noting: &draft.notes)
        let keys = Set(type.fields.flatMap(\.keys))
        let passed = keys.union(["id", "createdAt", "updatedAt"])
        for declared in type.fields where !passed.contains(declared.name) {
            let field = field(
                declared, of: type.name, among: Set(types.map(\.name)), document, &draft.notes)
            guard var field else { continue }
            field.isRequired = declared.isRequired
            model.append(field, noting: &draft.notes)
        }
        model.applyRules(of: type, &draft.notes)
        draft.models.append(model)
    }
    return draft
}

extension SchemaField {
    /// The fields that only hold the id of a related object.
    fileprivate var keys: [String] {
        guard let relation = directives["belongsTo"] ?? directives["hasOne"] else { return [] }
        return relation.compactMap { token in
            if case .text(let name) = token { name } else { nil }
        }
    }
}

/// Nil for a type that a definition does not have, and for the other side of a relation.
private func field(
    _ declared: SchemaField, of type: String, among models: Set<String>,
    _ document: SchemaDocument, _ notes: inout [String]
) -> DraftField? {
    let name = "\(type).\(declared.name)"
    if models.contains(declared.type) {
        guard !declared.isList, declared.directives["hasMany"] == nil else {
            notes.append("\(name) is left out: it is the other side of a relation")
            return nil
        }
        var field = DraftField(name: declared.name, type: .belongsTo)
        field.options["model"] = schemaName(declared.type)
        return field
    }
    let isObject = document.types.contains { $0.name == declared.type }
    if isObject || declared.type == "AWSJSON" { return .text(declared.name, .json) }
    guard let plain = plainType(declared.type, document) else {
        notes.append("\(name) is left out: there is no type for \(declared.type)")
        return nil
    }
    if let values = document.enumerations[declared.type] {
        notes.append("\(name) takes any text, not only \(values.joined(separator: ", "))")
    }
    if declared.isList { return .text(declared.name, .json) }
    switch plain {
    case .text: return .text(declared.name)
    case .decimal: return .decimal(declared.name)
    case .integer where declared.type == "AWSTimestamp": return .wideInteger(declared.name)
    case .integer, .boolean, .date, .belongsTo, .file:
        return DraftField(name: declared.name, type: plain)
    }
}

private func plainType(_ name: String, _ document: SchemaDocument) -> FieldTypeName? {
    switch name {
    case "ID", "String", "AWSEmail", "AWSURL", "AWSPhone", "AWSIPAddress", "AWSTime": .text
    case "Int", "AWSTimestamp": .integer
    case "Float": .decimal
    case "Boolean": .boolean
    case "AWSDate", "AWSDateTime": .date
    case _: document.enumerations[name] == nil ? nil : .text
    }
}

// MARK: - Rights

extension DraftModel {
    fileprivate mutating func applyRules(of type: SchemaType, _ notes: inout [String]) {
        guard let tokens = type.directives["auth"] else { return }
        let rules = Self.rules(in: tokens)
        func level(_ names: String...) -> AccessLevel {
            let applying = rules.filter { rule in
                rule.operations.map { !$0.isDisjoint(with: names) } ?? true
            }
            if applying.contains(where: \.isForAll) { return .all }
            return applying.isEmpty ? .none : .own
        }
        create = level("create")
        read = level("read", "get", "list")
        update = level("update")
        delete = level("delete")
        if rules.contains(where: { !$0.isForAll && $0.allows != "owner" }) {
            notes.append("the rules of \(type.name) name groups or functions: read its rights")
        }
    }

    private struct AuthRule {
        var allows = ""
        /// Nil for all.
        var operations: Set<String>?

        var isForAll: Bool { ["public", "private"].contains(allows) }
    }

    /// Each rule is an object in the list `rules`.
    private static func rules(in tokens: [SchemaToken]) -> [AuthRule] {
        tokens.split(separator: .sign("{")).dropFirst().map { part in
            var rule = AuthRule()
            let words = Array(part)
            if let index = words.firstIndex(of: .name("allow")) {
                rule.allows = words.dropFirst(index + 2).first?.name ?? ""
            }
            if let index = words.firstIndex(of: .name("operations")) {
                let names = words.dropFirst(index + 3).prefix { $0 != .sign("]") }
                rule.operations = Set(names.compactMap(\.name))
            }
            return rule
        }
    }
}
