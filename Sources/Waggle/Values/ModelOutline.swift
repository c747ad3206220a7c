import DefinitionModel

/// A model of the definition, for code that works with records of any model, such as an import or a
/// table.
public struct ModelOutline: Hashable, Sendable {
    /// The name of the model.
    public let name: String
    /// The fields, in the order of the definition.
    public let fields: [FieldOutline]
}

/// A field of the definition.
public struct FieldOutline: Hashable, Sendable {
    /// The type of the values of a field.
    public enum Kind: Hashable, Sendable {
        /// The types without parameters.
        case text, integer, decimal, boolean, date
        /// The guid of a record of that model.
        case belongsTo(model: String)
        /// A file.
        case file
    }

    /// The name of the field.
    public let name: String
    /// The type of its values.
    public let kind: Kind
    /// Whether every stored record has a value.
    public let isRequired: Bool
}

extension AppDefinition {
    /// The models, in the order of the definition. Each call builds the list.
    public var models: [ModelOutline] { definition.models.map { ModelOutline($0) } }

    /// The fields of a model, in the order of the definition. Empty if there is no such model.
    public func fields(ofModel name: String) -> [FieldOutline] {
        definition.models.first { $0.name == name }.map { ModelOutline($0).fields } ?? []
    }
}

extension ModelOutline {
    init(_ model: Model) {
        name = model.name
        fields = model.fields.map { field in
            FieldOutline(
                name: field.name, kind: FieldOutline.Kind(field.type),
                isRequired: field.isRequired)
        }
    }
}

extension FieldOutline.Kind {
    init(_ type: FieldType) {
        switch type {
        case .text: self = .text
        case .integer: self = .integer
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .date: self = .date
        case .belongsTo(let relation): self = .belongsTo(model: relation.model)
        case .file: self = .file
        }
    }

    var typeName: FieldTypeName {
        switch self {
        case .text: .text
        case .integer: .integer
        case .decimal: .decimal
        case .boolean: .boolean
        case .date: .date
        case .belongsTo: .belongsTo
        case .file: .file
        }
    }
}

extension FieldOutline.Kind: CustomStringConvertible {
    /// The type as the definition names it, such as `BELONGS_TO order`.
    public var description: String {
        switch self {
        case .belongsTo(let model): "\(typeName.rawValue) \(model)"
        case .text, .integer, .decimal, .boolean, .date, .file: typeName.rawValue
        }
    }
}
