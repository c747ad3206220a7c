import ChangeRules
package import DefinitionModel
import JSON

/// The changes that a new definition version requires in stored records.
///
/// An adaptation is a pure value. `NewVersion.adaptRecords` applies it in the transaction that
/// makes the version current.
package struct Adaptation: Hashable, Sendable {
    /// Whether the index of unique values must be discarded and rebuilt from the records.
    let renewsHolders: Bool
    /// Keyed by the model name under which the records are stored.
    private let adaptations: [String: ModelAdaptation]
    private let uniqueModels: [String: Model]

    /// Creates the adaptation to a definition.
    ///
    /// `versions` are all versions of the environment, in the order of their deployment. `sequence`
    /// is the last sequence of the environment. The index of unique values stays valid if the
    /// unique fields are the same and nothing is renamed or widened.
    package init(
        to new: Definition, after versions: [DeployedDefinition], until sequence: Int64
    ) {
        self.init(
            to: new, from: versions.last?.definition,
            names: StoredNames(of: versions, until: sequence))
    }

    init(to new: Definition, from old: Definition?, names: StoredNames) {
        adaptations = names.adaptations(to: new)
        renewsHolders = (old?.uniqueFields ?? []) != new.uniqueFields || !adaptations.isEmpty
        uniqueModels = Dictionary(
            uniqueKeysWithValues: new.models.filter { $0.fields.contains(where: \.isUnique) }
                .map { ($0.name, $0) })
    }

    /// The new names of renamed models, by the names under which their records are stored.
    var renamedModels: [String: String] {
        adaptations.mapValues(\.model).filter { $0.key != $0.value }
    }

    /// Whether the records must be read at all.
    var readsRecords: Bool {
        !adaptations.isEmpty || findsUniqueValues
    }

    /// Returns the record under the new version. Its revision stays the same, because no user
    /// changed it.
    func adapted(_ record: StoredRecord) throws(StoreError) -> AdaptedRecord {
        let changes = adaptations[record.model]
        var adapted = record
        adapted.model = changes?.model ?? record.model
        adapted.fieldsText = try adaptedFields(record.fieldsText, of: record.model)
        let model = adapted.isDeleted ? nil : uniqueModels[adapted.model]
        return AdaptedRecord(
            record: adapted,
            uniqueValues: try model?.uniqueValues(in: JSONText.fields(adapted.fieldsText)) ?? [],
            changesFields: changes?.changesFields == true)
    }

    /// Whether the unique values of the records must be found anew.
    var findsUniqueValues: Bool { renewsHolders && !uniqueModels.isEmpty }

    /// Returns the unique values under the new version of a record that is not deleted.
    ///
    /// - Parameter model: The name under which the record is stored.
    func uniqueValues(in fields: [String: JSONValue], of model: String) -> [UniqueValue] {
        let changes = adaptations[model]
        guard let new = uniqueModels[changes?.model ?? model] else { return [] }
        return new.uniqueValues(in: changes?.adapted(fields) ?? fields)
    }

    /// Adapts the fields of a record, or of a history entry, that is stored under a model name.
    /// Returns JSON text.
    func adaptedFields(_ text: String, of model: String) throws(StoreError) -> String {
        guard let changes = adaptations[model], changes.changesFields else { return text }
        return try JSONText.encode(changes.adapted(try JSONText.fields(text)))
    }

    /// Adapts the JSON text of a conflict of a record that is stored under a model name.
    func adaptedConflict(_ text: String, of model: String) throws(StoreError) -> String {
        guard let changes = adaptations[model], changes.changesFields else { return text }
        return try StoredConflict.text(
            of: StoredConflict.conflict(in: text).mapFields(changes.adapted))
    }
}

/// A record under the new version.
struct AdaptedRecord: Hashable, Sendable {
    let record: StoredRecord
    /// The record's values of unique fields; empty for a tombstone.
    let uniqueValues: [UniqueValue]
    /// Whether the record's history and conflicts must be adapted too.
    let changesFields: Bool
}

extension Definition {
    fileprivate var uniqueFields: Set<[String]> {
        Set(
            models.flatMap { model in
                model.fields.filter(\.isUnique).map { [model.name, $0.name] }
            })
    }
}
