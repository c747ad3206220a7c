import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// The one way out: turns what is stored into what an asker may see of it.
struct Gate {
    let rules: Rules
    let asker: Asker
    private let shown: ShownToRole?

    init(rules: Rules, asker: Asker) {
        self.rules = rules
        self.asker = asker
        shown = rules.shown(to: asker.role)
    }

    /// Nil when not even that a record is there may be known.
    func fields(of model: String, _ ownership: Ownership) -> FieldSelection? {
        shown?.models[model]?.fields(of: ownership, for: asker)
    }

    /// Who sees the same as the asker, of any record.
    var viewer: Viewer {
        Viewer(
            group: Array(asker.group.utf8),
            deviceCategory: Array(asker.role.deviceCategory.utf8),
            login: shown?.tellsOwners == true ? Array(asker.login.utf8) : nil)
    }

    func view(
        for record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) -> RecordView? {
        guard let fields = fields(of: record.model, record.ownership) else { return nil }
        return try RecordView(
            record, showing: fields,
            conflicts: record.isConflicted ? try views(conflicts, showing: fields) : nil)
    }

    func view(of model: String, _ ownership: Ownership) -> View {
        rules.policy.sight(of: model, for: asker.role).view(of: ownership, for: asker)
    }

    /// Of the definition's fields only: what is stored of one that is gone is nobody's to see.
    func readable(in model: Model, through view: View) -> Set<String> {
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

/// All of somebody that decides what they see. By bytes: who is called alike is not the same.
struct Viewer: Hashable, Sendable {
    let group: [UInt8]
    let deviceCategory: [UInt8]
    /// Nil where all who have the role see the same.
    let login: [UInt8]?
}
