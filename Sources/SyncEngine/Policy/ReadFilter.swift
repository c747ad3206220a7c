package import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// Converts stored records to what an asker may see. All records that leave the engine pass through
/// it.
package struct ReadFilter: Sendable {
    package let rules: Rules
    let asker: Asker
    let shown: ShownToRole?

    package init(rules: Rules, asker: Asker) {
        self.rules = rules
        self.asker = asker
        shown = rules.shown(to: asker.role)
    }

    /// Returns the visible fields, or nil if the asker may not even know that the record exists.
    func fields(of model: String, _ ownership: Ownership) -> FieldSelection? {
        shown?.models[model]?.fields(of: ownership, for: asker)
    }

    /// The visible records; nil if these are all.
    var readable: ReadableRecords? {
        shown?.seesEveryRecord == true
            ? nil : ReadableRecords(of: asker, by: shown?.policies ?? [:])
    }

    /// The properties of the asker that determine the visible records. Askers with equal viewers
    /// see the same.
    var viewer: Viewer {
        Viewer(
            group: Array(asker.group.utf8),
            deviceCategory: Array(asker.role.deviceCategory.utf8),
            login: shown?.tellsOwners == true ? Array(asker.login.utf8) : nil)
    }

    package func view(
        for record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) -> RecordView? {
        guard let fields = fields(of: record.model, record.ownership) else { return nil }
        return try RecordView(
            record, showing: fields,
            conflicts: record.isConflicted ? try views(conflicts, showing: fields) : nil)
    }

    package func view(of model: String, _ ownership: Ownership) -> FieldVisibility {
        rules.policy.readPolicy(of: model, for: asker.role).view(of: ownership, for: asker)
    }

    /// Returns the names of visible fields. A stored field that the definition no longer has is
    /// hidden.
    func readable(in model: Model, through view: FieldVisibility) -> Set<String> {
        Set(model.fields.map(\.name).filter(view.shows(field:)))
    }

    func views(
        _ conflicts: [StoredConflict], showing fields: FieldSelection
    ) throws(StoreError) -> [RecordConflict] {
        let names = Set(fields.names)
        return try conflicts.map { stored throws(StoreError) in
            var conflict = try stored.conflict()
                .mapFields { $0.filter { names.contains($0.key) } }
            conflict.isParallel = conflict.isParallelInFields
            return conflict
        }
    }
}

/// The properties of a user that determine what they see, compared byte by byte.
struct Viewer: Hashable, Sendable {
    let group: [UInt8]
    let deviceCategory: [UInt8]
    /// The login; nil if all users with the role see the same.
    let login: [UInt8]?
}
