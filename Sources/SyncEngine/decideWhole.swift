import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// What is made of a whole record.
struct Wish {
    /// What its author wants: no change where it is as they have it, or two where it ends a
    /// conflict by a deletion.
    let changes: [Change]
    /// Whether its author has to be told once more how the record stands, unless that changes. They
    /// have confirmed it, and may have passed it over: what is edited while an answer comes in,
    /// that answer does not overwrite.
    var isToldAgain = false
    /// Whether the record is not theirs to see.
    var isLost = false
}

func wish(
    of whole: WholeRecord, given facts: Facts, confirmed: Confirmed, by author: Author,
    under rules: Rules
) throws(StoreError) -> Wish {
    guard let stored = facts.records[whole.guid], stored.model.hasSameBytes(as: whole.model),
        rules.model(named: whole.model) != nil
    else { return Wish(changes: whole.creation(by: author, under: rules)) }
    let record = WorkingRecord(stored: stored, fields: try JSONText.fields(stored.fieldsText))
    guard let unconfirmed = facts.unconfirmed[whole.guid] else {
        throw .failed("it was not read what is unconfirmed of '\(whole.guid)'")
    }
    let held = try HeldRecord(
        of: record, with: facts.history[whole.guid] ?? [], unconfirmed, confirmed: confirmed,
        by: author, under: rules)
    if whole.resolves, stored.isConflicted, held.isCurrent {
        return Wish(
            changes: whole.resolution(of: record, held: held, by: author, under: rules))
    }
    // Refused, it would come again with every sync, and its author would never get to know that
    // the record is not theirs to see any more.
    if held.isLost, !whole.isGranted(on: stored, to: author, under: rules) {
        return Wish(changes: [], isToldAgain: held.hasConfirmedAll, isLost: true)
    }
    // Of any other record all is in its values, and what is no change has those that stand.
    let isMoreThanValues = stored.isDeleted || stored.isConflicted || whole.resolves
    return Wish(
        changes: whole.edit(of: held), isToldAgain: held.hasConfirmedAll && isMoreThanValues)
}

extension WholeRecord {
    /// What is not there need not be deleted. A null in a field that is not the author's to see
    /// says nothing.
    fileprivate func creation(by author: Author, under rules: Rules) -> [Change] {
        guard !isDeleted else { return [] }
        let asker = author.asker
        let view = rules.policy.sight(of: model, for: asker.role)
            .view(of: Ownership(owner: asker.login, group: asker.group), for: asker)
        let meant = fields.filter { $0.value != .null || view.shows(field: $0.key) }
        return [change(.create, from: nil, setting: meant)]
    }

    fileprivate func edit(of held: HeldRecord) -> [Change] {
        guard !isDeleted else {
            return held.isDeleted ? [] : [change(.delete, from: held.base, setting: [:])]
        }
        if held.isDeleted, let before = held.beforeDeletion { return [edit(of: before)] }
        let changed = fields.filter { !held.has($0.value, in: $0.key) }
        return changed.isEmpty ? [] : [change(.update, from: held.base, setting: changed)]
    }

    /// A client that was told of a deletion and has the record still had edited it by then: that
    /// edit did not know of the deletion, even where it came to the same values again.
    private func edit(of before: HeldRecord.BeforeDeletion) -> Change {
        let known = fields.filter { before.fields[$0.key] != nil || $0.value != .null }
        let changed = known.filter {
            $0.value == .unreadable || $0.value.json != before.fields[$0.key] ?? .null
        }
        return change(.update, from: before.base, setting: changed.isEmpty ? known : changed)
    }

    fileprivate func isGranted(
        on record: StoredRecord, to author: Author, under rules: Rules
    ) -> Bool {
        rules.book.allows(
            isDeleted ? .delete : .update, of: model, on: record.ownership, by: author.asker)
    }

    /// All values were chosen, except those that the author has no say in.
    fileprivate func resolution(
        of record: WorkingRecord, held: HeldRecord, by author: Author, under rules: Rules
    ) -> [Change] {
        let base = record.stored.revision
        guard !isDeleted else {
            return [
                change(.resolve, from: base, setting: [:]),
                Change(
                    id: "\(id)-deletion", action: .delete, model: model, guid: guid,
                    baseRevision: nil, fields: [:]),
            ]
        }
        let chosen = fields.filter { name, value in
            let mayUpdate = rules.book.allows(
                .update, field: name, of: model, on: record.stored.ownership, by: author.asker)
            let isKnown = held.fields[name] != nil
            return !held.has(value, in: name) || (mayUpdate && isKnown)
        }
        return [change(.resolve, from: base, setting: chosen)]
    }
}

extension HeldRecord {
    /// Whether the device was told, or has said, that the field has this value; of a field that it
    /// knows nothing of, whether it says nothing.
    fileprivate func has(_ value: GivenValue, in field: String) -> Bool {
        value != .unreadable && value.json == fields[field] ?? .null
    }
}
