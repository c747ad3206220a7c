import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import VersionTranslation

/// Maps models and fields of the current definition to those of the version that a client was made
/// for. Fields that the client does not know are left out.
struct SchemaMapping: Sendable {
    /// The fingerprint of the client's version.
    let fingerprint: String
    /// The library of the client.
    private(set) var library = ClientLibrary.other
    private let byClientName: [String: ModelMapping]
    private let byName: [String: ModelMapping]

    /// - Parameter rules: The rules of the served definition.
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

    /// The same mapping for a client that was made with a library.
    func serving(_ library: ClientLibrary) -> SchemaMapping {
        var mapping = self
        mapping.library = library
        return mapping
    }

    /// Nil if the current definition has no such model.
    func model(calledByClient name: String) -> ModelMapping? {
        byClientName[name]?.serving(library)
    }

    /// Nil for a model that the client does not know.
    func model(_ name: String) -> ModelMapping? { byName[name]?.serving(library) }
}

/// The mapping of one model.
struct ModelMapping: Sendable {
    let name: String
    let clientName: String
    /// The library of the client.
    private(set) var library = ClientLibrary.other
    private let fieldsByClientName: [String: FieldTranslation]
    private let fields: [String: FieldTranslation]
    /// The placeholders for required fields that the client may not read, by its own names.
    let placeholders: [String: JSONValue]
    /// The client's fields that are not served, by its own names.
    private let unserved: [String: Field]
    private let rules: Rules
    private let fillable: Set<String>

    fileprivate init(
        _ model: ModelTranslation, under rules: Rules, filling fillable: Set<String>
    ) {
        self.rules = rules
        self.fillable = fillable
        name = model.served.name
        clientName = model.client.name
        let known = model.served.fields.compactMap { model.field(servedAs: $0.name) }
        fieldsByClientName = Dictionary(
            known.map { ($0.client.name, $0) }, uniquingKeysWith: { first, _ in first })
        fields = Dictionary(
            known.map { ($0.served.name, $0) }, uniquingKeysWith: { first, _ in first })
        unserved = Dictionary(
            model.unserved.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        placeholders = Dictionary(
            model.client.fields.filter(\.isRequired).map {
                ($0.name, JSONValue($0.placeholder).onWire)
            }, uniquingKeysWith: { first, _ in first })
    }

    fileprivate func serving(_ library: ClientLibrary) -> ModelMapping {
        var mapping = self
        mapping.library = library
        return mapping
    }

    /// The values of a new record that the client cannot know to be required.
    func filled(leftOpenBy fields: [String: GivenValue]) -> [String: FieldValue] {
        guard !fillable.isEmpty, let model = rules.model(named: name) else { return [:] }
        return rules.fills.values(of: fillable, leftOpenBy: fields, in: model)
    }

    /// The values that the client is sent in required fields that it may not read, and in those
    /// that are not served.
    var substitutes: [String: JSONValue] {
        // For each record of a download: most clients have no such field.
        guard !unserved.isEmpty else { return placeholders }
        let gone = unserved.mapValues { library.shown($0.valueIfUnserved, of: $0).onWire }
        return placeholders.merging(gone) { $1 }
    }

    /// Whether a value of a line means nothing, because its field is not served: null, the default
    /// and what stands for a value there. The client sends them with every record.
    func saysNothing(_ json: JSONValue, in name: String) -> Bool {
        guard let field = unserved[name], json != .null else {
            return self.field(calledByClient: name) == nil && json == .null
        }
        let given = library.meant(GivenValue(fromWire: json, of: field.type.name))
        let meaningless = [field.defaultValue, field.isRequired ? field.placeholder : nil]
        return meaningless.compactMap(\.self).contains { value in
            given == .value(value)
                || json.onWire == library.shown(JSONValue(value), of: field).onWire
        }
    }

    /// Nil if the current definition does not have the field.
    func field(calledByClient name: String) -> FieldTranslation? { fieldsByClientName[name] }

    /// Nil for a field that the client does not know.
    func field(_ name: String) -> FieldTranslation? { fields[name] }

    /// The fields that hold files and that a line lacks, by their served names.
    func files(leftOutOf line: [String: JSONValue]) -> Set<String> {
        let known = fields.values.filter { $0.served.type == .file }
        return Set(known.filter { line[$0.client.name] == nil }.map(\.served.name))
    }

    /// Whether the client knows the field and it holds a file.
    func isFile(_ name: String) -> Bool { fields[name]?.served.type == .file }
}
