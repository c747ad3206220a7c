import AccessPolicy
import DefinitionModel
import SyncProtocol

/// The one way out: turns what is stored into what an asker may see of it.
struct Gate {
    let rules: Rules
    let asker: Asker
    private let models: [String: ShownModel]

    init(rules: Rules, asker: Asker) {
        self.rules = rules
        self.asker = asker
        models = rules.shownModels(to: asker.role)
    }

    /// Nil when not even that the record is there may be known.
    func shown(
        _ record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) -> ShownRecord? {
        guard let fields = models[record.model]?.fields(of: record.ownership, for: asker) else {
            return nil
        }
        let isGone = record.isDeleted && !record.isConflicted
        return ShownRecord(
            record: record, fields: isGone ? nil : fields,
            conflicts: record.isConflicted
                ? try messages(conflicts, showing: Set(fields.names)) : nil)
    }

    func message(
        for record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) -> RecordMessage? {
        try shown(record, conflicts: conflicts)?.message()
    }

    func view(of model: String, _ ownership: Ownership) -> View {
        rules.policy.sight(of: model, for: asker.role).view(of: ownership, for: asker)
    }

    /// Of the definition's fields only: what is stored of one that is gone is nobody's to see.
    func readable(in model: Model, through view: View) -> Set<String> {
        Set(model.fields.map(\.name).filter(view.shows(field:)))
    }

    private func messages(
        _ conflicts: [StoredConflict], showing names: Set<String>
    ) throws(StoreError) -> [ConflictMessage] {
        var messages: [ConflictMessage] = []
        for conflict in conflicts {
            var message = try JSONText.decode(conflict.text, as: ConflictMessage.self)
            message.base.fields = message.base.fields.filter { names.contains($0.key) }
            message.mine.fields = message.mine.fields.filter { names.contains($0.key) }
            message.theirs.fields = message.theirs.fields.filter { names.contains($0.key) }
            message.parallel = message.isParallel ? true : nil
            messages.append(message)
        }
        return messages
    }
}

extension ConflictMessage {
    /// Told by what its reader sees, so that nothing else is told.
    fileprivate var isParallel: Bool {
        !mine.deleted && !theirs.deleted && !mine.fields.isEmpty
            && mine.fields.keys.allSatisfy { base.fields[$0] == theirs.fields[$0] }
    }
}
