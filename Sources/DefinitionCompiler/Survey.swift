import DefinitionModel

/// A definition as the reasoning about its rights needs it: what is asked often, counted once.
///
/// A class, since it goes through everything and a copy of all that it holds takes time.
final class Survey {
    let contents: Contents
    let document: Document
    /// One for each model, in their order.
    let tallies: [Tally]
    private let numbers: [String: Int]

    init(_ contents: Contents, in document: Document) {
        self.contents = contents
        self.document = document
        tallies = contents.models.map(Tally.init)
        numbers = Dictionary(
            contents.models.indices.map { (contents.models[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Which of the models has that name.
    func number(ofModel name: String) -> Int? { numbers[name] }
}

/// How many roles may do something with a model's records.
struct Tally {
    private(set) var readers = 0
    private(set) var creators = 0
    /// That may update or delete them.
    private(set) var changers = 0
    /// That may resolve their conflicts.
    private(set) var resolvers = 0
    /// Of all credentials of the model together.
    private(set) var oddities: Oddities = []

    init(_ model: Model) {
        for credential in model.credentials.values {
            readers += credential.read.reachesSome ? 1 : 0
            creators += credential.create.reachesSome ? 1 : 0
            changers += credential.update.reachesSome || credential.delete.reachesSome ? 1 : 0
            resolvers += credential.resolvesConflicts ? 1 : 0
            oddities.formUnion(Oddities(of: credential))
        }
    }
}

/// How many roles may do something with one field.
struct FieldTally {
    private(set) var readers = 0
    /// Of the roles that may create records, those that may give the field a value then.
    private(set) var writers = 0
    /// Of all credentials of the field together.
    private(set) var oddities: Oddities = []

    /// The field is named by its number, which saves a copy of it.
    init(_ number: Int, of model: Model, _ records: RoleTable<ModelCredential>, in survey: Survey) {
        let target = survey.target(of: number, in: model)
        let credentials = model.fields[number].credentials
        // Its arrays are quicker to go through than the table, whose iterator is another room's.
        for (role, credential) in zip(credentials.keys, credentials.values) {
            let record = records[role] ?? .nothing
            readers += credential.isRead(under: record) ? 1 : 0
            writers += credential.isCreated(under: record) ? 1 : 0
            oddities.formUnion(Oddities(of: credential, under: record))
            if let target, !target.isReadable(to: role), credential.isUsed(under: record) {
                oddities.insert(.relationToUnreadable)
            }
        }
    }
}

extension Survey {
    /// The model that a relation points to, when there is something to be said about it: it is
    /// another one, and somebody may read it.
    func target(of field: Int, in model: Model) -> Model? {
        guard case .belongsTo(let relation) = model.fields[field].type,
            relation.model != model.name,
            let number = number(ofModel: relation.model), tallies[number].readers > 0
        else { return nil }
        return contents.models[number]
    }
}

extension Model {
    func isReadable(to role: Role) -> Bool {
        credentials[role].map { $0.read.reachesSome } ?? false
    }

    /// In the order of the document.
    var credentialsInOrder: [(role: Role, credential: ModelCredential)] {
        inOrder(credentials, by: \.place)
    }
}

extension Field {
    /// In the order of the document.
    var credentialsInOrder: [(role: Role, credential: FieldCredential)] {
        inOrder(credentials, by: \.place)
    }

    /// Whether a new record cannot do without being given a value.
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
