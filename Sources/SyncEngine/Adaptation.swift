import ChangeRules
package import DefinitionModel
import JSON

/// What a new version makes of the records that are stored: pure, and for a store to carry out in
/// the transaction that makes the version current.
package struct Adaptation: Hashable, Sendable {
    /// Whether it is to be found out from the records who holds which unique value. What a store
    /// had noted of the environment is void then.
    package let renewsHolders: Bool
    /// By the name that the records are stored under.
    private let renamings: [String: ModelRenaming]
    private let uniqueModels: [String: Model]

    /// `versions` are all that the environment had, in the order of their deployment, and
    /// `sequence` is its last change. Where the unique fields stay the same and nothing is renamed,
    /// who holds their values does too.
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

    /// Whether the records have to be gone through at all.
    package var readsRecords: Bool {
        !renamings.isEmpty || (renewsHolders && !uniqueModels.isEmpty)
    }

    /// The record under the new version. It has the same revision: nobody has changed it.
    package func adapted(_ record: StoredRecord) throws(StoreError) -> AdaptedRecord {
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

    /// The fields of a record that is stored under a model's name, or of an entry in its history.
    package func adaptedFields(
        _ text: String, of model: String
    ) throws(StoreError) -> String {
        guard let renaming = renamings[model], !renaming.fields.isEmpty else { return text }
        return try JSONText.encode(renaming.adapted(try JSONText.fields(text)))
    }

    /// The text of a conflict of such a record.
    package func adaptedConflict(
        _ text: String, of model: String
    ) throws(StoreError) -> String {
        guard let renaming = renamings[model], !renaming.fields.isEmpty else { return text }
        return try StoredConflict.text(
            of: StoredConflict.conflict(in: text).mapFields(renaming.adapted))
    }
}

/// A record under a new version.
package struct AdaptedRecord: Hashable, Sendable {
    package let record: StoredRecord
    /// What it holds of unique fields.
    package let uniqueValues: [UniqueValue]
    /// Whether its history and its conflicts have to be adapted too.
    package let renamesFields: Bool
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
