import AccessPolicy
import DefinitionModel
import SyncProtocol

/// The one way out: turns what is stored into what an asker may see of it.
struct Gate {
    let rules: Rules
    let asker: Asker

    /// Nil when not even that the record is there may be known.
    func message(
        for record: StoredRecord, conflicts: [StoredConflict]
    ) throws(StoreError) -> RecordMessage? {
        guard let model = rules.model(named: record.model)?.model else { return nil }
        let view = view(of: record.model, record.ownership)
        guard view != .nothing else { return nil }
        let isGone = record.isDeleted && !record.isConflicted
        return RecordMessage(
            model: record.model, guid: record.guid, revision: record.revision,
            owner: record.owner, group: record.group, deleted: record.isDeleted,
            conflicted: record.isConflicted,
            fields: isGone ? nil : try fields(of: record, in: model, through: view),
            conflicts: record.isConflicted
                ? try messages(conflicts, showing: readable(in: model, through: view)) : nil)
    }

    func view(of model: String, _ ownership: Ownership) -> View {
        rules.policy.sight(of: model, for: asker.role).view(of: ownership, for: asker)
    }

    /// Every readable field of the model, null where the record has no value.
    private func fields(
        of record: StoredRecord, in model: Model, through view: View
    ) throws(StoreError) -> [String: JSONValue] {
        let stored = try JSONText.fields(record.fieldsText)
        let names = readable(in: model, through: view)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, stored[$0] ?? .null) })
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
