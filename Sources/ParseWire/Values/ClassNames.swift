import ChangeRules
import DefinitionModel

/// The names of models as clients know them, by their own names.
struct ClassNames: Sendable {
    /// Only of models with an alias.
    private var aliases: [String: String] = [:]

    init() {}

    init(_ definition: Definition) {
        for model in definition.models where model.hasAlias {
            aliases[model.name] = model.foreignName
        }
    }

    subscript(model: String) -> String { aliases[model] ?? model }
}

extension ModelRules {
    /// A field by the name that clients know.
    func field(foreign name: String) -> Field? {
        model.fields.first { $0.foreignName.hasSameBytes(as: name) }
    }
}
