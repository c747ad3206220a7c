import ChangeRules
import DefinitionModel
import JSON
import WholeRecordSync

/// Maps models and fields of the current definition to those of the version that a client was made
/// for. Fields that the client does not know are left out.
struct SchemaMapping: Sendable {
    private let byClientName: [String: ModelMapping]
    private let byName: [String: ModelMapping]

    init(now: Definition, client: Definition) {
        let theirs = Dictionary(
            client.models.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let mappings = now.models.compactMap { model in
            ([model.name] + model.renamedFrom).lazy.compactMap { theirs[$0] }.first
                .map { ModelMapping(now: model, client: $0) }
        }
        byName = Dictionary(mappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        byClientName = Dictionary(
            mappings.map { ($0.clientName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil if the current definition has no such model.
    func model(calledByClient name: String) -> ModelMapping? { byClientName[name] }

    /// Nil for a model that the client does not know.
    func model(_ name: String) -> ModelMapping? { byName[name] }
}

/// The mapping of one model.
struct ModelMapping: Sendable {
    let name: String
    let clientName: String
    private let fieldsByClientName: [String: Field]
    private let clientNames: [String: String]
    /// The placeholders for required fields that the client may not read, by its own names.
    let placeholders: [String: JSONValue]

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
        placeholders = theirs.filter(\.value.isRequired)
            .mapValues { JSONValue($0.placeholder).onWire }
    }

    /// The current field; nil if the current definition does not have it.
    func field(calledByClient name: String) -> Field? { fieldsByClientName[name] }

    /// Whether the client knows the field and it holds a file.
    func isFile(_ name: String) -> Bool {
        clientName(ofField: name).flatMap { fieldsByClientName[$0] }?.type == .file
    }

    /// Nil for a field that the client does not know.
    func clientName(ofField name: String) -> String? { clientNames[name] }
}
