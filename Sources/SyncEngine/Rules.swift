package import AccessPolicy
package import DefinitionModel
package import Records
import SyncProtocol

/// A definition made ready to decide by.
package struct Rules: Sendable {
    package let definition: Definition
    package let policy: Policy
    /// By the model that they name.
    let analyzedSources: [String: [RelationName]]
    private let models: [String: ModelRules]
    /// What the roles see of each model.
    private let shown: [ShownToRole]

    package init(_ definition: Definition) {
        self.definition = definition
        policy = Policy(definition)
        analyzedSources = Dictionary(
            grouping: definition.models.flatMap(\.analyzedRelations), by: \.target
        ).mapValues { $0.map(\.name) }
        models = Dictionary(
            uniqueKeysWithValues: definition.models.map { ($0.name, ModelRules($0)) })
        let policy = policy
        shown = definition.roles.map { role in
            let models = definition.models.map { model in
                (model.name, ShownModel(model, through: policy.sight(of: model.name, for: role)))
            }
            return ShownToRole(role, models: Dictionary(uniqueKeysWithValues: models))
        }
    }

    /// Nil for a role that there is not: it sees nothing.
    func shown(to role: Role) -> ShownToRole? {
        shown.first {
            $0.role.group.hasSameBytes(as: role.group)
                && $0.role.deviceCategory.hasSameBytes(as: role.deviceCategory)
        }
    }

    package func model(named name: String) -> ModelRules? { models[name] }

    package func hasRole(_ role: Role) -> Bool { definition.roles.contains(role) }
}

/// A model made ready to decide by. It never changes, so all who use it share it.
package final class ModelRules: Sendable {
    package let model: Model
    package let validator: Validator
    package let defaults: [String: FieldValue]
    package let hasUniqueFields: Bool
    let analyzedRelations: [RelationName]
    /// Those whose values name a record or a file.
    let namingFields: [(name: String, type: FieldTypeName)]
    /// In the order in which fields are stored, with what stands before a value there.
    let storedNames: [(name: String, start: [UInt8])]
    private let fields: [String: Field]
    private let types: [String: FieldTypeName]

    init(_ model: Model) {
        self.model = model
        validator = Validator(model)
        defaults = model.defaults
        analyzedRelations = model.analyzedRelations.map(\.name)
        hasUniqueFields = model.fields.contains(where: \.isUnique)
        namingFields = model.fields.filter(\.type.namesSomething).map { ($0.name, $0.type.name) }
        storedNames = model.fields.map(\.name)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .map { name in
                var writer = JSONWriter()
                writer.string(name)
                writer.piece(":")
                return (name, writer.bytes)
            }
        fields = Dictionary(uniqueKeysWithValues: model.fields.map { ($0.name, $0) })
        types = fields.mapValues(\.type.name)
    }

    package func field(named name: String) -> Field? { fields[name] }

    /// Without all else that there is of the field.
    func type(ofField name: String) -> FieldTypeName? { types[name] }
}

extension FieldType {
    fileprivate var namesSomething: Bool {
        switch self {
        case .belongsTo, .file: true
        case .text, .integer, .decimal, .boolean, .date: false
        }
    }
}

/// What a role sees.
struct ShownToRole: Sendable {
    fileprivate let role: Role
    /// By name.
    let models: [String: ShownModel]
    /// Whether who has the role may see of some record what others who have it do not.
    let tellsOwners: Bool

    fileprivate init(_ role: Role, models: [String: ShownModel]) {
        self.role = role
        self.models = models
        tellsOwners = models.values.contains(where: \.sight.tellsOwners)
    }
}

/// What a role sees of a model's records.
struct ShownModel: Sendable {
    fileprivate let sight: Sight
    /// In the order of `Standing.all`; nil where not even the record is seen.
    private let fields: [FieldSelection?]

    init(_ model: Model, through sight: Sight) {
        self.sight = sight
        let names = model.fields.map(\.name)
        fields = Standing.all.map { standing in
            let view = sight.view(at: standing)
            return view == .nothing ? nil : FieldSelection(names.filter(view.shows(field:)))
        }
    }

    /// Of a record. The asker must have the role that this is for.
    func fields(of record: Ownership, for asker: Asker) -> FieldSelection? {
        sight.seesEverything ? fields[0] : fields[Standing(of: asker, to: record).index]
    }
}
