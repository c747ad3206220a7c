import DefinitionModel

/// An app that was built with an earlier version of the definition: there every model and field has
/// another name, and each model lacks a field that it has now. The lasting names are those of now.
struct EarlierApp: Sendable {
    /// The version that it was built with.
    let version: AppVersion
    /// The definition of now, which tells what was renamed.
    let now: Definition

    private static let suffix = "_was"

    init(before definition: Definition) {
        let unknown = Dictionary(
            definition.models.compactMap { model in
                model.fields.last { $0.mayBeUnknown }.map { (model.name, $0.name) }
            }, uniquingKeysWith: { first, _ in first })
        now = definition.with { model in
            model.renamed(
                to: model.name, from: [Self.former(model.name)],
                fields: model.fields.map { field in
                    field.changed(
                        from: field.name == unknown[model.name] ? [] : [Self.former(field.name)])
                })
        }
        let fingerprint = "\(definition.fingerprint)-earlier"
        let known = definition.with(fingerprint: fingerprint) { model in
            model.renamed(
                to: model.name, from: [],
                fields: model.fields.filter { $0.name != unknown[model.name] })
        }
        let own = known.with(fingerprint: fingerprint) { model in
            model.renamed(
                to: Self.former(model.name), from: [],
                fields: model.fields.map {
                    $0.changed(to: Self.former($0.name), from: [], type: $0.type.former)
                })
        }
        version = AppVersion(own, lasting: known, vocabulary: Vocabulary(Self.names(of: known)))
    }

    private static func names(of known: Definition) -> [String: Vocabulary.ModelNames] {
        let names = known.models.map { model in
            let fields = model.fields.map { ($0.name, former($0.name)) }
            return (
                model.name,
                Vocabulary.ModelNames(
                    name: former(model.name), fields: Dictionary(uniqueKeysWithValues: fields))
            )
        }
        return Dictionary(uniqueKeysWithValues: names)
    }

    fileprivate static func former(_ name: String) -> String { name + suffix }
}

extension Field {
    /// Whether records without the field can be made, and no record refers to another by it.
    fileprivate var mayBeUnknown: Bool {
        switch type {
        case .text, .integer, .decimal, .boolean, .date: !isRequired && !isUnique
        case .belongsTo, .file: false
        }
    }
}

extension FieldType {
    /// A relation has the former name of its model.
    fileprivate var former: FieldType { naming(EarlierApp.former) }
}
