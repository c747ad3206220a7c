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
    private let renamings: [String: ModelRenaming]
    private let uniqueModels: [String: Model]

    /// Creates the adaptation to a definition.
    ///
    /// `versions` are all versions of the environment, in the order of their deployment. `sequence`
    /// is the last sequence of the environment. The index of unique values stays valid if the
    /// unique fields are the same and nothing is renamed.
    package init(
        to new: Definition, after versions: [DeployedDefinition], until sequence: Int64
    ) {
        self.init(
            to: new, from: versions.last?.definition,
            names: StoredNames(of: versions, until: sequence))
    }

    init(to new: Definition, from old: Definition?, names: StoredNames) {
        renamings = names.renamings(to: new)
        renewsHolders = (old?.uniqueFields ?? []) != new.uniqueFields || !renamings.isEmpty
        uniqueModels = Dictionary(
            uniqueKeysWithValues: new.models.filter { $0.fields.contains(where: \.isUnique) }
                .map { ($0.name, $0) })
    }

    /// The new names of renamed models, by the names under which their records are stored.
    var renamedModels: [String: String] {
        renamings.mapValues(\.model).filter { $0.key != $0.value }
    }

    /// Whether the records must be read at all.
    var readsRecords: Bool {
        !renamings.isEmpty || findsUniqueValues
    }

    /// Returns the record under the new version. Its revision stays the same, because no user
    /// changed it.
    func adapted(_ record: StoredRecord) throws(StoreError) -> AdaptedRecord {
        let renaming = renamings[record.model]
        var adapted = record
        adapted.model = renaming?.model ?? record.model
        adapted.fieldsText = try adaptedFields(record.fieldsText, of: record.model)
        let model = adapted.isDeleted ? nil : uniqueModels[adapted.model]
        return AdaptedRecord(
            record: adapted,
            uniqueValues: try model?.uniqueValues(in: JSONText.fields(adapted.fieldsText)) ?? [],
            renamesFields: renaming?.fields.isEmpty == false)
    }

    /// Whether the unique values of the records must be found anew.
    var findsUniqueValues: Bool { renewsHolders && !uniqueModels.isEmpty }

    /// Returns the unique values under the new version of a record that is not deleted.
    ///
    /// - Parameter model: The name under which the record is stored.
    func uniqueValues(in fields: [String: JSONValue], of model: String) -> [UniqueValue] {
        let renaming = renamings[model]
        guard let new = uniqueModels[renaming?.model ?? model] else { return [] }
        return new.uniqueValues(in: renaming?.adapted(fields) ?? fields)
    }

    /// Adapts the fields of a record, or of a history entry, that is stored under a model name.
    /// Returns JSON text.
    func adaptedFields(_ text: String, of model: String) throws(StoreError) -> String {
        guard let renaming = renamings[model], !renaming.fields.isEmpty else { return text }
        return try JSONText.encode(renaming.adapted(try JSONText.fields(text)))
    }

    /// Adapts the JSON text of a conflict of a record that is stored under a model name.
    func adaptedConflict(_ text: String, of model: String) throws(StoreError) -> String {
        guard let renaming = renamings[model], !renaming.fields.isEmpty else { return text }
        return try StoredConflict.text(
            of: StoredConflict.conflict(in: text).mapFields(renaming.adapted))
    }
}

/// A record under the new version.
struct AdaptedRecord: Hashable, Sendable {
    let record: StoredRecord
    /// The record's values of unique fields; empty for a tombstone.
    let uniqueValues: [UniqueValue]
    /// Whether the record's history and conflicts must be adapted too.
    let renamesFields: Bool
}

extension ModelRenaming {
    fileprivate func adapted(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        renamed(fields) { $0[0] }
    }
}

extension Definition {
    fileprivate var uniqueFields: Set<[String]> {
        Set(
            models.flatMap { model in
                model.fields.filter(\.isUnique).map { [model.name, $0.name] }
            })
    }
}
