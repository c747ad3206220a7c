import DefinitionModel

/// A definition with the counts that the analysis of its rights needs repeatedly.
///
/// A class, because it is passed through the whole analysis and copying it takes time.
final class DefinitionIndex {
    let contents: DefinitionContents
    let document: Document
    /// By model, in the order of the models.
    let counts: [ModelCounts]
    private let numbers: [String: Int]

    init(_ contents: DefinitionContents, in document: Document) {
        self.contents = contents
        self.document = document
        counts = contents.models.map(ModelCounts.init)
        numbers = Dictionary(
            contents.models.indices.map { (contents.models[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The index of the model with that name.
    func number(ofModel name: String) -> Int? { numbers[name] }
}

/// The number of roles with each right on a model's records.
struct ModelCounts {
    private(set) var readers = 0
    private(set) var creators = 0
    /// Roles that may update or delete records.
    private(set) var changers = 0
    /// Roles that may resolve conflicts.
    private(set) var resolvers = 0
    /// The union over all credentials of the model.
    private(set) var issues: RightsIssues = []

    init(_ model: Model) {
        for credential in model.credentials.values {
            readers += credential.read.reachesSome ? 1 : 0
            creators += credential.create.reachesSome ? 1 : 0
            changers += credential.update.reachesSome || credential.delete.reachesSome ? 1 : 0
            resolvers += credential.resolvesConflicts ? 1 : 0
            issues.formUnion(RightsIssues(of: credential))
        }
    }
}

/// The number of roles with each right on one field.
struct FieldCounts {
    private(set) var readers = 0
    /// Roles that may create records and give the field a value in them.
    private(set) var writers = 0
    /// The union over all credentials of the field.
    private(set) var issues: RightsIssues = []

    /// Takes the field's index, which saves a copy of the field.
    init(
        _ number: Int, of model: Model, _ records: RoleTable<ModelCredential>,
        in definition: DefinitionIndex
    ) {
        let target = definition.target(of: number, in: model)
        let credentials = model.fields[number].credentials
        // Faster than iterating the table, whose iterator belongs to another module.
        for (role, credential) in zip(credentials.keys, credentials.values) {
            let record = records[role] ?? .nothing
            readers += credential.isRead(under: record) ? 1 : 0
            writers += credential.isCreated(under: record) ? 1 : 0
            issues.formUnion(RightsIssues(of: credential, under: record))
            if let target, !target.isReadable(to: role), credential.isUsed(under: record) {
                issues.insert(.relationToUnreadable)
            }
        }
    }
}

extension DefinitionIndex {
    /// The model that a relation refers to, unless it is the same model or nobody may read it.
    func target(of field: Int, in model: Model) -> Model? {
        guard case .belongsTo(let relation) = model.fields[field].type,
            relation.model != model.name,
            let number = number(ofModel: relation.model), counts[number].readers > 0
        else { return nil }
        return contents.models[number]
    }
}

extension Model {
    func isReadable(to role: Role) -> Bool {
        credentials[role].map { $0.read.reachesSome } ?? false
    }

    /// In document order.
    var credentialsInOrder: [(role: Role, credential: ModelCredential)] {
        inOrder(credentials, by: \.place)
    }
}

extension Field {
    /// In document order.
    var credentialsInOrder: [(role: Role, credential: FieldCredential)] {
        inOrder(credentials, by: \.place)
    }

    /// Whether a new record requires an explicit value for the field.
    var mustBeGiven: Bool { isRequired && defaultValue == nil }
}

private func inOrder<Credential>(
    _ credentials: RoleTable<Credential>, by place: (Credential) -> SourcePlace
) -> [(role: Role, credential: Credential)] {
    credentials.map { (role: $0.key, credential: $0.value) }.sorted { left, right in
        (place(left.credential).line, place(left.credential).column)
            < (place(right.credential).line, place(right.credential).column)
    }
}
