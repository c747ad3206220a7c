import DefinitionModel

/// The names by which another version has the models and fields of a client's version.
///
/// A name stays until a version renames it, as the names of stored values do: a field that one
/// version does not have is the same field when a later one has it again.
struct FollowedNames {
    struct FollowedModel {
        var name: String
        /// By the client's names.
        var fields: [String: String]
    }

    /// By the client's names.
    private(set) var models: [String: FollowedModel]

    init(of client: Definition, along path: VersionPath) {
        models = Dictionary(
            client.models.map { model in
                let names = model.fields.map { ($0.name, $0.name) }
                let fields = Dictionary(names, uniquingKeysWith: { first, _ in first })
                return (model.name, FollowedModel(name: model.name, fields: fields))
            }, uniquingKeysWith: { first, _ in first })
        switch path {
        case .later(let versions):
            for version in versions { follow(to: version) }
        case .earlier(let versions):
            var newer = client
            for version in versions {
                follow(from: newer, backTo: version)
                newer = version
            }
        }
    }

    private mutating func follow(to later: Definition) {
        rename(
            models: { laterName(of: $0, in: later) },
            fields: { laterName(ofField: $0, of: $1, in: later) })
    }

    private mutating func follow(from newer: Definition, backTo older: Definition) {
        var sources: [String: Model] = [:]
        for model in models.values { sources[model.name] = newer.model(named: model.name) }
        var earlierNames: [String: String] = [:]
        for (name, model) in sources {
            earlierNames[name] = earlierName(of: Names(model), in: older.models.map(Names.init))
        }
        for (key, model) in models {
            let name = earlierNames[model.name] ?? model.name
            if let source = sources[model.name], let target = older.model(named: name) {
                let fields = target.fields.map(Names.init)
                models[key]?.fields = model.fields.mapValues { field in
                    source.fields.first { $0.name == field }
                        .map { earlierName(of: Names($0), in: fields) } ?? field
                }
            }
            models[key]?.name = name
        }
    }

    private mutating func rename(
        models newName: (String) -> String, fields newField: (String, _ model: String) -> String
    ) {
        models = models.mapValues { model in
            let name = newName(model.name)
            return FollowedModel(name: name, fields: model.fields.mapValues { newField($0, name) })
        }
    }
}

/// The name of a model or field, and its earlier ones.
struct Names {
    let name: String
    let renamedFrom: [String]
    /// Those of the earlier names that are later ones; see `Model.followedBack`.
    let followedBack: [String]

    init(_ model: Model) {
        (name, renamedFrom, followedBack) = (model.name, model.renamedFrom, model.followedBack)
    }

    init(_ field: Field) {
        (name, renamedFrom, followedBack) = (field.name, field.renamedFrom, field.followedBack)
    }
}

/// The name that a later version gives to a model. One that it does not have keeps its name.
func laterName(of model: String, in later: Definition) -> String {
    laterName(of: model, in: later.models.map(Names.init))
}

/// The name that a later version gives to a field of its model, in the same way.
func laterName(ofField field: String, of model: String, in later: Definition) -> String {
    guard let model = later.model(named: model) else { return field }
    return laterName(of: field, in: model.fields.map(Names.init))
}

/// The name that a later version gives to one of its models, or of the fields of one of them.
func laterName(of name: String, in later: [Names]) -> String {
    if later.contains(where: { $0.name == name }) { return name }
    return later.first { $0.renamedFrom.contains(name) }?.name ?? name
}

/// The name in an earlier version, which may follow the later one back.
private func earlierName(of later: Names, in earlier: [Names]) -> String {
    let known = Set(earlier.map(\.name))
    return ([later.name] + later.renamedFrom).first(where: known.contains)
        ?? earlier.first { $0.followedBack.contains(later.name) }?.name ?? later.name
}

extension Definition {
    func model(named name: String) -> Model? { models.first { $0.name == name } }
}
