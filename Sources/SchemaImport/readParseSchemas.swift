import DefinitionModel
package import JSON

/// Reads what a server of Parse answers to `GET /schemas`.
///
/// Classes of the system are left out, but for `_User`, of which the columns of the app become the
/// profile. Class-level permissions become levels: whom they let in without a name gets `ALL`,
/// named users, roles and pointers get `OWN`, and nobody `NONE`. Fields that are protected from all
/// users are read by owners only. Users change and delete their own profile at most, as in Parse.
package func readParseSchemas(_ json: JSONValue) throws(SchemaImportError) -> DefinitionDraft {
    guard case .array(let schemas)? = json.member("results") else {
        throw SchemaImportError(
            "the schema has no list 'results'",
            help: "save the answer to GET /schemas, which needs the master key")
    }
    var draft = DefinitionDraft()
    for schema in schemas {
        guard case .string(let name)? = schema.member("className"),
            case .object(let columns)? = schema.member("fields")
        else {
            throw SchemaImportError(
                "a class of the schema has no 'className' or no 'fields'",
                help: "save the answer to GET /schemas as it is")
        }
        if name.hasPrefix("_"), name != "_User" { continue }
        draft.models.append(model(name, columns, schema, &draft.notes))
    }
    addPairs(of: schemas, to: &draft)
    if !draft.models.isEmpty {
        draft.notes.append(
            "the access lists of objects are not kept: set OWN where objects were private")
    }
    return draft
}

/// Adds a model of pairs for each relation between classes of the draft. A role that may
/// update the object with the relation may make and remove pairs.
private func addPairs(of schemas: [JSONValue], to draft: inout DefinitionDraft) {
    let models = draft.models
    for schema in schemas {
        guard let owner = schema.member("className")?.text.map({ schemaName($0) }),
            let rights = models.first(where: { $0.name == owner }),
            case .object(let columns)? = schema.member("fields")
        else { continue }
        for (column, description) in columns.sorted(by: { $0.key < $1.key })
        where description.member("type") == .string("Relation") {
            guard let target = description.member("targetClass")?.text.map({ schemaName($0) }),
                models.contains(where: { $0.name == target }), schemaName(column) == column
            else {
                draft.notes.append("\(owner).\(column) is left out: its class is not here")
                continue
            }
            if takePairs(called: column, of: owner, to: target, in: &draft) { continue }
            var pairs = DraftModel(
                name: schemaName(
                    "\(owner)_\(column)", besides: Set(draft.models.map(\.name))))
            pairs.joins = column
            for (name, model) in [("from", owner), ("to", target)] {
                var field = DraftField(name: name, type: .belongsTo)
                field.isRequired = true
                field.options["model"] = model
                pairs.fields.append(field)
            }
            (pairs.read, pairs.create) = (rights.read, rights.update)
            (pairs.update, pairs.delete) = (AccessLevel.none, rights.update)
            draft.models.append(pairs)
        }
    }
}

/// Takes a class of the draft for the pairs of a relation, as the server of such a definition tells
/// both. False if there is no such class, or several.
private func takePairs(
    called column: String, of owner: String, to target: String, in draft: inout DefinitionDraft
) -> Bool {
    let found = draft.models.indices.filter { draft.models[$0].isPair(of: owner, and: target) }
    guard found.count == 1, let index = found.first else { return false }
    draft.models[index].join(as: column, of: owner)
    draft.notes.append(
        "\(draft.models[index].name) is taken for the pairs of \(owner).\(column): if it is not, "
            + "give these a model of their own")
    return true
}

extension DraftModel {
    private var relations: [DraftField] { fields.filter { $0.type == .belongsTo } }

    /// Whether each record needs one record of either model, and nothing else. Two of one model
    /// are in an order only if their names tell it.
    fileprivate func isPair(of owner: String, and target: String) -> Bool {
        let models = relations.compactMap { $0.options["model"] }
        let isOrdered = owner != target || relations.map(\.name) == ["from", "to"]
        return joins == nil && models.count == 2 && isOrdered
            && (models == [owner, target] || models == [target, owner])
            && fields.allSatisfy { field in
                field.type == .belongsTo
                    ? field.isRequired : !field.isRequired || field.defaultValue != nil
            }
    }

    /// The first relation is the one to the owner.
    fileprivate mutating func join(as column: String, of owner: String) {
        joins = column
        guard let index = fields.firstIndex(where: { $0.options["model"] == owner }) else { return }
        fields.insert(fields.remove(at: index), at: 0)
    }
}

private let systemColumns: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL"]
/// Columns of the account, which are no part of the profile.
private let accountColumns: Set<String> = [
    "username", "password", "email", "emailVerified", "authData",
]

private func model(
    _ name: String, _ columns: [String: JSONValue], _ schema: JSONValue, _ notes: inout [String]
) -> DraftModel {
    var model = DraftModel(called: name, noting: &notes)
    let permissions = schema.member("classLevelPermissions")
    let hidden = protectedFields(permissions, of: name, &notes)
    let left = name == "_User" ? systemColumns.union(accountColumns) : systemColumns
    for (column, description) in columns.sorted(by: { $0.key < $1.key })
    where !left.contains(column) {
        guard var field = field(column, description, of: name, &notes) else { continue }
        if hidden.contains(column) { field.read = .own }
        if field.type == .text, ["error", "message"].contains(column) {
            notes.append(
                "\(name).\(column): the client for Swift takes an object with such a text for an "
                    + "error")
        }
        model.append(field, noting: &notes)
    }
    model.read = max(
        max(level("find", permissions), level("get", permissions)),
        ownerLevel("readUserFields", permissions, of: name, &notes))
    let write = ownerLevel("writeUserFields", permissions, of: name, &notes)
    model.create = level("create", permissions)
    model.update = max(level("update", permissions), write)
    model.delete = max(level("delete", permissions), write)
    if [model.read, model.create, model.update, model.delete].contains(.own) {
        notes.append("the class-level permissions of \(name) name users, roles or pointers")
    }
    if name == "_User" {
        model.create = min(model.create, .own)
        model.update = min(model.update, .own)
        model.delete = min(model.delete, .own)
    }
    return model
}

/// The columns that no signed-in user sees but for an owner. A user sees what one of the lists that
/// apply leaves out.
private func protectedFields(
    _ permissions: JSONValue?, of className: String, _ notes: inout [String]
) -> Set<String> {
    guard case .object(let lists)? = permissions?.member("protectedFields") else { return [] }
    for (name, list) in lists.sorted(by: { $0.key < $1.key })
    where !["*", "authenticated"].contains(name) && list != .array([]) {
        notes.append("the protected fields of \(className) for '\(name)' are left out")
    }
    let applying = ["*", "authenticated"].compactMap { lists[$0].map { Set($0.texts) } }
    return applying.dropFirst().reduce(applying.first ?? []) { $0.intersection($1) }
}

/// The level for users whom fields of a record name: they are taken for its owner.
private func ownerLevel(
    _ name: String, _ permissions: JSONValue?, of className: String, _ notes: inout [String]
) -> AccessLevel {
    guard let fields = permissions?.member(name)?.texts, !fields.isEmpty else { return .none }
    notes.append(
        "the \(name) of \(className) become OWN: the owner has the right, whomever "
            + "\(fields.joined(separator: ", ")) names")
    return .own
}

private func max(_ one: AccessLevel, _ other: AccessLevel) -> AccessLevel {
    [.all, .group, .own].first { one == $0 || other == $0 } ?? .none
}

private func min(_ one: AccessLevel, _ other: AccessLevel) -> AccessLevel {
    [.none, .own, .group].first { one == $0 || other == $0 } ?? .all
}

private func level(_ operation: String, _ permissions: JSONValue?) -> AccessLevel {
    guard case .object(let names)? = permissions?.member(operation) else {
        return permissions == nil ? .all : .none
    }
    if ["*", "requiresAuthentication"].contains(where: { names[$0] == .boolean(true) }) {
        return .all
    }
    return names.isEmpty ? .none : .own
}

/// Nil for a type that a definition does not have.
private func field(
    _ name: String, _ column: JSONValue, of className: String, _ notes: inout [String]
) -> DraftField? {
    guard case .string(let type)? = column.member("type") else { return nil }
    var field: DraftField
    switch type {
    case "String": field = .text(name)
    case "Number": field = .decimal(name)
    case "Boolean": field = DraftField(name: name, type: .boolean)
    case "Date": field = DraftField(name: name, type: .date)
    case "File": field = DraftField(name: name, type: .file)
    case "Object", "Array": field = .text(name, .json)
    case "Bytes": field = .text(name, .base64)
    case "GeoPoint": field = .text(name, .geo)
    case "Relation": return nil
    case "Pointer":
        guard case .string(let target)? = column.member("targetClass") else { return nil }
        field = DraftField(name: name, type: .belongsTo)
        field.options["model"] = schemaName(target)
    case _:
        notes.append("\(className).\(name) is left out: there is no type for \(type)")
        return nil
    }
    field.isRequired = column.member("required") == .boolean(true)
    switch column.member("defaultValue") {
    case let value? where value.isFormatted && ["Object", "Array"].contains(type):
        field.defaultValue = value.written
    case .string(let text)? where type == "String": field.defaultValue = text
    case .integer(let number)? where field.type == .decimal: field.defaultValue = "\(number)"
    case .decimal(let text)? where field.type == .decimal: field.defaultValue = text
    case .boolean(let flag)? where field.type == .boolean: field.defaultValue = "\(flag)"
    case nil, .null?: break
    case .some: notes.append("the default of \(className).\(name) is left out")
    }
    return field
}
