package import AccessPolicy
package import ChangeRules
package import DefinitionModel

/// A definition prepared for serving: the rule book, and the fields of each model that each role
/// sees. One reference, since every request passes them on.
package final class Rules: Sendable {
    package let book: RuleBook
    /// The values that deployments bring where the definition refuses what is stored.
    package let fills: FillRules
    /// Relations with conflict analysis, by the model that they target.
    let analyzedSources: [String: [RelationName]]
    /// One element per role of the definition, and one for operators.
    private let shown: [ShownToRole]

    package init(_ definition: Definition, filling fills: FillRules = .none) {
        let book = RuleBook(definition)
        self.book = book
        self.fills = fills
        analyzedSources = Dictionary(
            grouping: definition.models.flatMap(\.analyzedRelations), by: \.target
        ).mapValues { $0.map(\.name) }
        shown = (definition.roles + [.operator]).map { role in
            let models = definition.models.map { model in
                let readPolicy = book.policy.readPolicy(of: model.name, for: role)
                return (model.name, ShownModel(model, through: readPolicy))
            }
            return ShownToRole(role, models: Dictionary(uniqueKeysWithValues: models))
        }
    }

    package var definition: Definition { book.definition }

    package var policy: Policy { book.policy }

    /// Returns nil for an unknown role, which sees nothing.
    func shown(to role: Role) -> ShownToRole? {
        shown.first {
            $0.role.group.hasSameBytes(as: role.group)
                && $0.role.deviceCategory.hasSameBytes(as: role.deviceCategory)
        }
    }

    package func model(named name: String) -> ModelRules? { book.model(named: name) }

    package func hasRole(_ role: Role) -> Bool { book.hasRole(role) }

    /// The steps for matching the texts of a change against their patterns; see `PatternBudget`.
    package func patternSteps(of change: Change) -> Int {
        guard book.mostPatternSteps > 0, let model = model(named: change.model) else { return 0 }
        var steps = 0
        _ = book.faults(of: change, in: model, patternSteps: &steps)
        return steps
    }
}

/// The models and fields that a role sees.
struct ShownToRole: Sendable {
    fileprivate let role: Role
    /// By model name.
    let models: [String: ShownModel]
    /// The same as read policies.
    let policies: [String: ReadPolicy]
    /// Whether no record is hidden, whatever its owner and group.
    let seesEveryRecord: Bool
    /// Whether visibility depends on the owner: users with the same role may see different records
    /// or fields.
    let tellsOwners: Bool

    fileprivate init(_ role: Role, models: [String: ShownModel]) {
        self.role = role
        self.models = models
        policies = models.mapValues(\.readPolicy)
        seesEveryRecord = policies.values.allSatisfy { policy in
            Relationship.all.allSatisfy { policy.view(at: $0) != .nothing }
        }
        tellsOwners = models.values.contains(where: \.readPolicy.tellsOwners)
    }
}

/// The fields of a model that a role sees.
struct ShownModel: Sendable {
    fileprivate let readPolicy: ReadPolicy
    /// In the order of `Relationship.all`; nil if the record itself is not visible.
    private let fields: [FieldSelection?]

    init(_ model: Model, through readPolicy: ReadPolicy) {
        self.readPolicy = readPolicy
        let names = model.fields.map(\.name)
        fields = Relationship.all.map { relationship in
            let view = readPolicy.view(at: relationship)
            return view == .nothing ? nil : FieldSelection(names.filter(view.shows(field:)))
        }
    }

    /// Returns the visible fields of a record; nil if it is not visible. The asker must have the
    /// role that this value was made for.
    func fields(of record: Ownership, for asker: Asker) -> FieldSelection? {
        readPolicy.seesEverything ? fields[0] : fields[Relationship(of: asker, to: record).index]
    }
}
