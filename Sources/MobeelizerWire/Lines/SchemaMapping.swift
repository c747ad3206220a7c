import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import VersionTranslation

/// Maps models and fields of the current definition to those of the version that a client was made
/// for. Fields that the client does not know are left out.
struct SchemaMapping: Sendable {
    /// That of the client's version.
    let fingerprint: String
    private let byClientName: [String: ModelMapping]
    private let byName: [String: ModelMapping]

    /// - Parameter rules: Those of the served definition.
    init(_ translation: ClientTranslation, under rules: Rules) {
        fingerprint = translation.client.fingerprint
        let fillable = translation.fillable(by: rules.fills)
        let mappings = translation.served.models.compactMap { model in
            translation.model(servedAs: model.name).map {
                ModelMapping($0, under: rules, filling: fillable[model.name] ?? [])
            }
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
    private let rules: Rules
    private let fillable: Set<String>

    fileprivate init(
        _ model: ModelTranslation, under rules: Rules, filling fillable: Set<String>
    ) {
        self.rules = rules
        self.fillable = fillable
        name = model.served.name
        clientName = model.client.name
        let pairs = model.served.fields.compactMap { field in
            model.field(servedAs: field.name)
                .flatMap { $0.client.type.name == field.type.name ? (field, $0.client.name) : nil }
        }
        fieldsByClientName = Dictionary(
            pairs.map { ($0.1, $0.0) }, uniquingKeysWith: { first, _ in first })
        clientNames = Dictionary(
            pairs.map { ($0.0.name, $0.1) }, uniquingKeysWith: { first, _ in first })
        placeholders = Dictionary(
            model.client.fields.filter(\.isRequired).map {
                ($0.name, JSONValue($0.placeholder).onWire)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The values of a new record that the client cannot know to be required.
    func filled(leftOpenBy fields: [String: GivenValue]) -> [String: FieldValue] {
        guard !fillable.isEmpty, let model = rules.model(named: name) else { return [:] }
        return rules.fills.values(of: fillable, leftOpenBy: fields, in: model)
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
