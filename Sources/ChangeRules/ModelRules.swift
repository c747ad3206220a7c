package import DefinitionModel
package import JSON

/// A model prepared for deciding: its fields by name, its limits, its defaults. It never changes,
/// so all users share one.
package final class ModelRules: Sendable {
    package let model: Model
    package let validator: Validator
    package let defaults: [String: FieldValue]
    package let hasUniqueFields: Bool
    /// The relations with `analyzeConflict`.
    package let analyzedRelations: [RelationName]
    /// The fields whose values name a record or a file.
    package let namingFields: [(name: String, type: FieldTypeName)]
    /// The fields' names by their bytes, each with the JSON that stands before its value in an
    /// object: `"title":`.
    package let jsonNames: [(name: String, start: [UInt8])]
    /// The fields with a format in which several texts stand for one value.
    private let rewrittenFields: [(name: String, type: FieldType)]
    private let fields: [String: Field]
    private let types: [String: FieldTypeName]

    package init(_ model: Model) {
        self.model = model
        validator = Validator(model)
        defaults = model.defaults
        analyzedRelations = model.analyzedRelations.map(\.name)
        hasUniqueFields = model.fields.contains(where: \.isUnique)
        namingFields = model.fields.filter(\.type.namesSomething).map { ($0.name, $0.type.name) }
        jsonNames = model.fields.map(\.name)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { name in
                var writer = JSONWriter()
                writer.string(name)
                writer.piece(":")
                return (name, writer.bytes)
            }
        rewrittenFields = model.fields.filter { $0.type.format?.kind.hasSeveralTexts ?? false }
            .map { ($0.name, $0.type) }
        fields = Dictionary(uniqueKeysWithValues: model.fields.map { ($0.name, $0) })
        types = fields.mapValues(\.type.name)
    }

    package func field(named name: String) -> Field? { fields[name] }

    package func type(ofField name: String) -> FieldTypeName? { types[name] }

    /// Whether a required field has no value.
    package func lacksValue(in fields: [String: JSONValue]) -> Bool {
        model.fields.contains { $0.isRequired && (fields[$0.name] ?? .null) == .null }
    }

    /// The values of a change as they are stored; see `FieldType.canonical`.
    package func storedValues(of given: [String: GivenValue]) -> [String: JSONValue] {
        var values = given.mapValues(\.json)
        for (name, type) in rewrittenFields {
            guard case .value(let value)? = given[name] else { continue }
            values[name] = JSONValue(type.canonical(value))
        }
        return values
    }
}

/// A field that names a record.
package struct RelationName: Hashable, Sendable {
    package let model: String
    package let field: String

    package init(model: String, field: String) {
        self.model = model
        self.field = field
    }
}

extension Model {
    /// The relations with `analyzeConflict`, and the models that they name.
    package var analyzedRelations: [(name: RelationName, target: String)] {
        fields.compactMap { field in
            guard case .belongsTo(let relation) = field.type, relation.analyzesConflict else {
                return nil
            }
            return (RelationName(model: name, field: field.name), relation.model)
        }
    }
}

extension TextFormat.Kind {
    fileprivate var hasSeveralTexts: Bool {
        switch self {
        case .json, .geo: true
        case .base64: false
        }
    }
}

extension FieldType {
    fileprivate var namesSomething: Bool {
        switch self {
        case .belongsTo, .file: true
        case .text, .integer, .decimal, .boolean, .date: false
        }
    }
}
