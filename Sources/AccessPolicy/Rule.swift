package import DefinitionModel

/// The rights of a role on a model or a field, with their position in the definition.
package struct Rule: Hashable, Sendable {
    let create: AccessLevel
    let read: AccessLevel
    let update: AccessLevel
    let delete: AccessLevel
    let resolve: AccessLevel
    /// Whether there is a credential. Without one, nothing is granted.
    package let isWritten: Bool
    /// The position of the credential, or else of the field or model that has none for the role.
    package let place: SourcePlace

    /// The rule without a credential.
    static func denying(at place: SourcePlace) -> Rule {
        Rule(
            create: .none, read: .none, update: .none, delete: .none, resolve: .none,
            isWritten: false, place: place)
    }

    /// The granted level. A right to resolve conflicts covers `ALL` records.
    package func level(for operation: Operation) -> AccessLevel {
        switch operation {
        case .create: create
        case .read: read
        case .update: update
        case .delete: delete
        case .resolve: resolve
        }
    }
}

extension Rule {
    init(_ credential: ModelCredential) {
        self.init(
            create: credential.create, read: credential.read, update: credential.update,
            delete: credential.delete, resolve: credential.resolvesConflicts ? .all : .none,
            isWritten: true, place: credential.place)
    }

    /// Deletion and resolution do not apply to fields.
    init(_ credential: FieldCredential) {
        self.init(
            create: credential.create, read: credential.read, update: credential.update,
            delete: .none, resolve: .none, isWritten: true, place: credential.place)
    }
}

/// The rules of all roles for one model or field.
struct RoleRules {
    /// The position of the model or field.
    let place: SourcePlace
    private let byRole: [RoleKey: Rule]

    init(place: SourcePlace, _ rules: [(Role, Rule)]) {
        self.place = place
        let keyed = rules.map { (RoleKey($0.0), $0.1) }
        byRole = Dictionary(keyed, uniquingKeysWith: { first, _ in first })
    }

    func rule(for role: Role) -> Rule {
        byRole[RoleKey(role)] ?? .denying(at: place)
    }
}

/// The precomputed policy of one model.
struct ModelPolicy {
    let rules: RoleRules
    let fields: [ByteKey: RoleRules]
    /// For roles with a credential on the model; other roles have no access.
    let readPolicies: [RoleKey: ReadPolicy]
    /// For the same roles.
    let masks: [RoleKey: OperationMask]

    init(_ model: Model) {
        let rules = RoleRules(
            place: model.place, model.credentials.map { ($0.key, Rule($0.value)) })
        let fields = model.fields.map { field in
            let credentials = field.credentials.map { ($0.key, Rule($0.value)) }
            return (name: field.name, rules: RoleRules(place: field.place, credentials))
        }
        let readPolicies = model.credentials.keys.map { role in
            let readable = fields.map { ($0.name, $0.rules.rule(for: role).read) }
            return (RoleKey(role), ReadPolicy(record: rules.rule(for: role).read, fields: readable))
        }
        let masks = model.credentials.keys.map { role in
            let ofFields = fields.map { $0.rules.rule(for: role) }
            return (RoleKey(role), OperationMask(record: rules.rule(for: role), fields: ofFields))
        }
        self.rules = rules
        self.fields = Dictionary(
            fields.map { (ByteKey($0.name), $0.rules) }, uniquingKeysWith: { first, _ in first })
        self.readPolicies = Dictionary(readPolicies, uniquingKeysWith: { first, _ in first })
        self.masks = Dictionary(masks, uniquingKeysWith: { first, _ in first })
    }
}

extension ReadPolicy {
    fileprivate init(record: AccessLevel, fields: [(name: String, level: AccessLevel)]) {
        self.init { relationship in
            guard record.reaches(relationship) else { return .nothing }
            let readable = fields.filter { $0.level.reaches(relationship) }
            return readable.count == fields.count
                ? .everything : .fields(Set(readable.map(\.name)))
        }
    }
}
