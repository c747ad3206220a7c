import DefinitionModel

/// A model as the definition has it: for what works on records of any model, such as an import, or
/// a table that shows whatever there is.
public struct ModelOutline: Hashable, Sendable {
    public let name: String
    /// In the order of the definition.
    public let fields: [FieldOutline]
}

/// A field as the definition has it.
public struct FieldOutline: Hashable, Sendable {
    /// What its values are.
    public enum Kind: Hashable, Sendable {
        case text, integer, decimal, boolean, date
        /// The guid of a record of that model.
        case belongsTo(model: String)
        case file
    }

    public let name: String
    public let kind: Kind
    /// A stored record always has a value.
    public let isRequired: Bool
}

extension AppDefinition {
    /// In the order of the definition. They are made anew each time.
    public var models: [ModelOutline] { definition.models.map { ModelOutline($0) } }

    /// None where there is no such model.
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

/// As the definition names it: `TEXT`, `BELONGS_TO order`.
extension FieldOutline.Kind: CustomStringConvertible {
    public var description: String {
        switch self {
        case .belongsTo(let model): "\(typeName.rawValue) \(model)"
        case .text, .integer, .decimal, .boolean, .date, .file: typeName.rawValue
        }
    }
}
