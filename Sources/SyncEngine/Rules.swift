package import AccessPolicy
package import ChangeRules
package import DefinitionModel

/// A definition prepared for serving: the rule book, and what each role sees of each model.
package struct Rules: Sendable {
    package let book: RuleBook
    /// By the model that they name.
    let analyzedSources: [String: [RelationName]]
    /// What the roles see of each model.
    private let shown: [ShownToRole]

    package init(_ definition: Definition) {
        let book = RuleBook(definition)
        self.book = book
        analyzedSources = Dictionary(
            grouping: definition.models.flatMap(\.analyzedRelations), by: \.target
        ).mapValues { $0.map(\.name) }
        shown = definition.roles.map { role in
            let models = definition.models.map { model in
                let sight = book.policy.sight(of: model.name, for: role)
                return (model.name, ShownModel(model, through: sight))
            }
            return ShownToRole(role, models: Dictionary(uniqueKeysWithValues: models))
        }
    }

    package var definition: Definition { book.definition }

    package var policy: Policy { book.policy }

    /// Nil for an unknown role: it sees nothing.
    func shown(to role: Role) -> ShownToRole? {
        shown.first {
            $0.role.group.hasSameBytes(as: role.group)
                && $0.role.deviceCategory.hasSameBytes(as: role.deviceCategory)
        }
    }

    package func model(named name: String) -> ModelRules? { book.model(named: name) }

    package func hasRole(_ role: Role) -> Bool { book.hasRole(role) }
}

/// What a role sees.
struct ShownToRole: Sendable {
    fileprivate let role: Role
    /// By name.
    let models: [String: ShownModel]
    /// Whether someone with the role may see of some record what others with the role do not.
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
