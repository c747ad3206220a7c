import DefinitionModel

/// How a client sees the data that was made for another version of the definition: by its own
/// names, and no fields that it does not know.
struct VersionLens: Sendable {
    private let byClientName: [String: ModelLens]
    private let byName: [String: ModelLens]

    init(now: Definition, client: Definition) {
        let theirs = Dictionary(
            client.models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let lenses = now.models.compactMap { model in
            ([model.name] + model.renamedFrom).lazy.compactMap { theirs[$0] }.first
                .map { ModelLens(now: model, client: $0) }
        }
        byName = Dictionary(lenses.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byClientName = Dictionary(
            lenses.map { ($0.clientName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for a model that there is not any more, or never was.
    func model(calledByClient name: String) -> ModelLens? { byClientName[name] }

    /// Nil for a model that the client does not know.
    func model(_ name: String) -> ModelLens? { byName[name] }
}

/// One model of both versions.
struct ModelLens: Sendable {
    let name: String
    let clientName: String
    private let fieldsByClientName: [String: Field]
    private let clientNames: [String: String]

    init(now: Model, client: Model) {
        name = now.name
        clientName = client.name
        let theirs = Dictionary(
            client.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let pairs = now.fields.compactMap { field in
            ([field.name] + field.renamedFrom).lazy.compactMap { theirs[$0] }.first
                .flatMap { $0.type.name == field.type.name ? (field, $0.name) : nil }
        }
        fieldsByClientName = Dictionary(
            pairs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })
        clientNames = Dictionary(
            pairs.map { ($0.0.name, $0.1) }, uniquingKeysWith: { first, _ in first })
    }

    /// The present field; nil for one that there is not any more, or never was.
    func field(calledByClient name: String) -> Field? { fieldsByClientName[name] }

    /// Whether it is one that the client knows, and holds files.
    func isFile(_ name: String) -> Bool {
        clientName(ofField: name).flatMap { fieldsByClientName[$0] }?.type == .file
    }

    /// Nil for a field that the client does not know.
    func clientName(ofField name: String) -> String? { clientNames[name] }
}
