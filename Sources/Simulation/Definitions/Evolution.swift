/// One change of a definition from a version to the next. All names are lasting ones.
package enum Evolution: Hashable, Sendable {
    case renameModel(String)
    case renameField(String, of: String)
    /// A new field, with the rights of the first field of its model.
    case addField(AddedField, of: String)
    case removeField(String, of: String)
    /// A field that is gone comes back under its last name, with its values.
    case restoreField(String, of: String)
    /// A field is required from now on, and the deployment brings a value.
    case requireField(String, of: String)
    case narrowLimits(String, of: String)
    case widenLimits(String, of: String)
    /// A whole number becomes a decimal.
    case widenType(String, of: String)
    /// A new model with the rights of another one.
    case addModel(like: String)
    /// With all relations to it.
    case removeModel(String)
    /// A model that is gone comes back with its records.
    case restoreModel(String)

    /// The kinds of a field that is added.
    package enum AddedField: Hashable, Sendable, CaseIterable {
        case text, number
        /// Required, with a default.
        case defaulted
        /// Required, with a value that the deployment brings.
        case filled
    }
}

extension Evolution {
    var summary: String {
        switch self {
        case .renameModel(let model): "'\(model)' is renamed"
        case .renameField(let field, let model): "'\(model).\(field)' is renamed"
        case .addField(let kind, let model): "'\(model)' gets a field (\(kind))"
        case .removeField(let field, let model): "'\(model).\(field)' is removed"
        case .restoreField(let field, let model): "'\(model).\(field)' comes back"
        case .requireField(let field, let model): "'\(model).\(field)' is required and filled in"
        case .narrowLimits(let field, let model): "the limits of '\(model).\(field)' are narrowed"
        case .widenLimits(let field, let model): "the limits of '\(model).\(field)' are widened"
        case .widenType(let field, let model): "'\(model).\(field)' becomes a decimal"
        case .addModel(let model): "a model like '\(model)' is added"
        case .removeModel(let model): "'\(model)' is removed"
        case .restoreModel(let model): "'\(model)' comes back"
        }
    }
}
