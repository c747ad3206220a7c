package import DefinitionModel

/// What a role may do with a model's records or with one field, and where that is written.
package struct Rule: Hashable, Sendable {
    let create: AccessLevel
    let read: AccessLevel
    let update: AccessLevel
    let delete: AccessLevel
    let resolve: AccessLevel
    /// Whether a credential says it. Where there is none, nothing is granted.
    package let isWritten: Bool
    /// Of the credential, or else of the field or the model that has none for the role.
    package let place: SourcePlace

    /// What holds where there is no credential.
    static func denying(at place: SourcePlace) -> Rule {
        Rule(
            create: .none, read: .none, update: .none, delete: .none, resolve: .none,
            isWritten: false, place: place)
    }

    /// What is granted; it holds for a record that it reaches. Who may resolve conflicts may
    /// resolve `ALL`.
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

    /// A field is neither deleted nor resolved by itself, so nobody has those rights on one.
    init(_ credential: FieldCredential) {
        self.init(
            create: credential.create, read: credential.read, update: credential.update,
            delete: .none, resolve: .none, isWritten: true, place: credential.place)
    }
}

/// The rules of every role for one model or one field.
struct RoleRules {
    /// Of the model or the field itself.
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

/// Everything that is asked about one model.
struct ModelPolicy {
    let rules: RoleRules
    let fields: [NameKey: RoleRules]
    /// Only of roles that have a credential on the model; the others see nothing.
    let sights: [RoleKey: Sight]
    /// Of the same roles; nothing is granted to the others.
    let clearances: [RoleKey: Clearance]

    init(_ model: Model) {
        let rules = RoleRules(
            place: model.place, model.credentials.map { ($0.key, Rule($0.value)) })
        let fields = model.fields.map { field in
            let credentials = field.credentials.map { ($0.key, Rule($0.value)) }
            return (name: field.name, rules: RoleRules(place: field.place, credentials))
        }
        let sights = model.credentials.keys.map { role in
            let readable = fields.map { ($0.name, $0.rules.rule(for: role).read) }
            return (RoleKey(role), Sight(record: rules.rule(for: role).read, fields: readable))
        }
        let clearances = model.credentials.keys.map { role in
            let ofFields = fields.map { $0.rules.rule(for: role) }
            return (RoleKey(role), Clearance(record: rules.rule(for: role), fields: ofFields))
        }
        self.rules = rules
        self.fields = Dictionary(
            fields.map { (NameKey($0.name), $0.rules) }, uniquingKeysWith: { first, _ in first })
        self.sights = Dictionary(sights, uniquingKeysWith: { first, _ in first })
        self.clearances = Dictionary(clearances, uniquingKeysWith: { first, _ in first })
    }
}

extension Sight {
    fileprivate init(record: AccessLevel, fields: [(name: String, level: AccessLevel)]) {
        self.init { standing in
            guard record.reaches(standing) else { return .nothing }
            let readable = fields.filter { $0.level.reaches(standing) }
            return readable.count == fields.count
                ? .everything : .fields(Set(readable.map(\.name)))
        }
    }
}
