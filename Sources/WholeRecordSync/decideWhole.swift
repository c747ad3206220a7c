import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The changes that a whole record leads to.
struct PlannedChanges {
    /// Empty if the record equals the device's confirmed state; two if a conflict ends with a
    /// deletion.
    let changes: [Change]
    /// Whether the device must be sent the record again, unless the record changes. The device has
    /// confirmed it but may have skipped it: an incoming answer does not overwrite a record that
    /// the user edits meanwhile.
    var isToldAgain = false
    /// Whether the author may no longer see the record.
    var isLost = false
    /// The device's changes of a record that its author may no longer see.
    var lostChanges: [Change] = []
    /// Whether the device must be sent the record again if its changes are refused.
    var isToldAgainIfRefused = false
}

func planChanges(
    of whole: FullRecord, given facts: Facts, confirmed: Confirmed, by author: Author,
    under rules: Rules
) throws(StoreError) -> PlannedChanges {
    guard let stored = facts.records[whole.guid], stored.model.hasSameBytes(as: whole.model),
        rules.model(named: whole.model) != nil
    else { return PlannedChanges(changes: whole.creation(by: author, under: rules)) }
    let record = WorkingRecord(stored: stored, fields: try JSONText.fields(stored.fieldsText))
    guard let unconfirmed = facts.unconfirmed[whole.guid] else {
        throw .failed("unconfirmed history of '\(whole.guid)' was not loaded")
    }
    let held = try ClientCopy(
        of: record, with: facts.history[whole.guid] ?? [], unconfirmed, confirmed: confirmed,
        by: author, under: rules)
    if !whole.isDeleted, stored.wasErased(by: facts.history[whole.guid]) {
        // A refusal would keep the erased values.
        return PlannedChanges(changes: [], isToldAgain: held.hasConfirmedAll)
    }
    let whole = whole.completed(by: held, under: rules)
    let isToldAgainIfRefused = held.hasConfirmedAll && held.isVisible
    if whole.resolves, stored.isConflicted, held.isCurrent {
        return PlannedChanges(
            changes: whole.resolution(of: record, held: held, by: author, under: rules),
            isToldAgainIfRefused: isToldAgainIfRefused)
    }
    // A refusal would repeat with every sync, and the device would never learn that its user may no
    // longer see the record.
    if held.isLost, !whole.isGranted(on: stored, to: author, under: rules) {
        return PlannedChanges(
            changes: [], isToldAgain: held.hasConfirmedAll, isLost: true,
            lostChanges: whole.edit(of: held))
    }
    // Other records are described by their values alone, and a record without changes has the
    // stored values.
    let isMoreThanValues = stored.isDeleted || stored.isConflicted || whole.resolves
    return PlannedChanges(
        changes: whole.edit(of: held), isToldAgain: held.hasConfirmedAll && isMoreThanValues,
        isToldAgainIfRefused: isToldAgainIfRefused)
}

extension FullRecord {
    /// The record with the values that its client leaves out, and with the exact values of those
    /// that it holds less exactly.
    fileprivate func completed(by held: ClientCopy, under rules: Rules) -> FullRecord {
        var whole = self
        whole.fields = fieldsOfUpdate
        guard precision != .exact, let model = rules.model(named: model) else { return whole }
        for (name, value) in fields {
            guard let known = held.fields[name], precision.loses(known, as: value),
                let type = model.field(named: name)?.type.name,
                let exact = FieldValue(known, of: type)
            else { continue }
            whole.fields[name] = .value(exact)
        }
        return whole
    }

    /// A missing record need not be deleted. A null in a field that the author may not see has no
    /// meaning.
    fileprivate func creation(by author: Author, under rules: Rules) -> [Change] {
        guard !isDeleted else { return [] }
        let asker = author.asker
        let view = rules.policy.readPolicy(of: model, for: asker.role)
            .view(of: Ownership(owner: asker.login, group: asker.group), for: asker)
        let meant = fields.filter { $0.value != .null || view.shows(field: $0.key) }
        return [change(.create, from: nil, setting: meant)]
    }

    fileprivate func edit(of held: ClientCopy) -> [Change] {
        guard !isDeleted else {
            return held.isDeleted ? [] : [change(.delete, from: held.base, setting: [:])]
        }
        let fields = fields.filter { !isPlaceholder($0.key, on: held) }
        if held.isDeleted, let before = held.beforeDeletion {
            return [edit(of: before, with: fields)]
        }
        let changed = fields.filter { !held.has($0.value, in: $0.key) }
        return changed.isEmpty ? [] : [change(.update, from: held.base, setting: changed)]
    }

    /// A client that was told of a deletion but still has the record had edited it by then. That
    /// edit did not know of the deletion, even if it led to the same values.
    private func edit(
        of before: ClientCopy.BeforeDeletion, with fields: [String: GivenValue]
    ) -> Change {
        let known = fields.filter { before.fields[$0.key] != nil || $0.value != .null }
        let changed = known.filter {
            $0.value == .unreadable || $0.value.json != before.fields[$0.key] ?? .null
        }
        return change(.update, from: before.base, setting: changed.isEmpty ? known : changed)
    }

    /// Whether the value of a field is what the client was sent in its place, because its user may
    /// not read the field, because the client knows whole numbers only, or because the contents of
    /// a file had not been sent.
    private func isPlaceholder(_ field: String, on held: ClientCopy) -> Bool {
        placeholders.contains(field) && !held.readable.contains(field)
            || standingForFractions.contains(field) && held.hasFraction(in: field)
            || fields[field] == .null && held.file(in: field).map(awaitedFiles.contains) ?? false
    }

    fileprivate func isGranted(
        on record: StoredRecord, to author: Author, under rules: Rules
    ) -> Bool {
        rules.book.allows(
            isDeleted ? .delete : .update, of: model, on: record.ownership, by: author.asker)
    }

    /// Resolves the conflict with every value, except for those that the author may not set.
    fileprivate func resolution(
        of record: WorkingRecord, held: ClientCopy, by author: Author, under rules: Rules
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
            guard !isPlaceholder(name, on: held) else { return false }
            let mayUpdate = rules.book.allows(
                .update, field: name, of: model, on: record.stored.ownership, by: author.asker)
            let isKnown = held.fields[name] != nil
            return !held.has(value, in: name) || (mayUpdate && isKnown)
        }
        return [change(.resolve, from: base, setting: chosen)]
    }
}

extension ClientCopy {
    /// Whether the device has received or sent this value of the field. If the device does not know
    /// the field, whether the value is null.
    fileprivate func has(_ value: GivenValue, in field: String) -> Bool {
        value != .unreadable && value.json == fields[field] ?? .null
    }

    /// The guid of the file in the field.
    fileprivate func file(in field: String) -> String? { fields[field]?.fileGuid }

    /// Whether the field is a decimal that is no whole number of 64 bits.
    fileprivate func hasFraction(in field: String) -> Bool {
        guard case .string(let text)? = fields[field], let number = DecimalNumber(text) else {
            return false
        }
        return Int64(number.description) == nil
    }
}
