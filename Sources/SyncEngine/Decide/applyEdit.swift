import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A permitted change of an existing record.
struct Edit {
    let change: Change
    /// The base revision.
    let base: Int64
    /// Only fields whose values change; null removes a value.
    let fields: [String: JSONValue]
    let model: ModelRules

    var deletes: Bool { change.action == .delete }
}

/// Applies an edit.
func apply(
    _ edit: Edit, to record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let replaced = Dictionary(
        uniqueKeysWithValues: edit.fields.keys.map { ($0, record.value(of: $0)) })
    var next = record
    next.fields.merge(edit.fields) { _, given in given }
    next.stored.revision += 1
    switch edit.change.action {
    case .delete: next.stored.isDeleted = true
    case .resolve:
        next.stored.isDeleted = record.stored.isDeleted && edit.change.fields.isEmpty
        next.stored.isConflicted = false
        state.closeConflicts(of: record.stored.guid)
    case .update, .create, .restore: next.stored.isDeleted = false
    }
    let completed =
        record.stored.isDeleted && !next.stored.isDeleted
        ? next.complete(by: state.rules.fills) : [:]
    state.put(next, by: edit.change)
    state.note(
        edit.change.action.historyKind, edit.change, record: next.stored,
        wasDeleted: record.stored.isDeleted,
        fieldsText: JSONText.text(of: replaced.merging(completed) { replaced, _ in replaced }))
    state.refer(edit.change, fields: edit.fields.keys, of: edit.model)
    return Outcome(edit.change, .accepted, revision: next.stored.revision)
}

/// Settles an edit whose author did not know the record's present state, by the model's conflict
/// mode. Values that do not take effect are kept in the history or in a conflict.
func settle(
    _ edit: Edit, against record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Outcome {
    switch edit.model.model.conflictMode {
    case .manual: return try dispute(edit, with: record, in: &state)
    case .overwrite:
        var outcome = try apply(edit, to: record, in: &state)
        outcome.overwrote = record.stored.revision
        return outcome
    case .discard: return try discard(edit, against: record, in: &state)
    case .merge:
        guard try merges(edit, into: record, in: &state) else {
            return try dispute(edit, with: record, in: &state)
        }
        var outcome = try apply(edit, to: record, in: &state)
        outcome.kind = .merged
        return outcome
    }
}

/// Settles an edit of an unchanged record after an unseen change of a related record.
func settleRelated(
    _ edit: Edit, against record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Outcome {
    switch edit.model.model.conflictMode {
    case .manual: return try dispute(edit, with: record, isRelated: true, in: &state)
    case .discard: return try discard(edit, against: record, in: &state)
    case .overwrite, .merge: return try apply(edit, to: record, in: &state)
    }
}

extension ConflictMode {
    /// Whether an unseen change of a related record blocks an edit. Two records share no field, so
    /// the overwriting and merging modes apply it.
    var disputesRelated: Bool {
        switch self {
        case .manual, .discard: true
        case .overwrite, .merge: false
        }
    }
}

/// Whether an edit merges with the changes that it did not know.
func merges(
    _ edit: Edit, into record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Bool {
    guard edit.model.model.conflictMode == .merge else { return false }
    return try touchesOtherFields(edit, than: record, in: &state)
}

private func discard(
    _ edit: Edit, against record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Outcome {
    state.note(
        .discarded, edit.change, record: record.stored, wasDeleted: record.stored.isDeleted,
        fieldsText: JSONText.text(of: edit.fields))
    state.setAside(edit.fields, of: record.stored.model, guid: record.stored.guid)
    return Outcome(edit.change, .discarded, revision: record.stored.revision)
}

/// Whether an edit sets only fields that nobody has changed since its base. False if either side is
/// a deletion, even an undone one, or if the changed fields are not known. Also false if the edit
/// sets a field that its author may not read: the outcome would tell whether it was changed.
private func touchesOtherFields(
    _ edit: Edit, than record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Bool {
    let guid = record.stored.guid
    guard !edit.deletes, !record.stored.isDeleted, state.hasHistory(of: guid, after: edit.base)
    else { return false }
    guard let replaced = try state.replacedFields(of: guid) else { return true }
    let view = state.view(of: OwnedRecord(of: record.stored))
    return !replaced.hasDeletion(after: edit.base)
        && edit.fields.keys.allSatisfy {
            view.shows(field: $0) && !replaced.changes($0, after: edit.base)
        }
}

/// Opens a conflict, unless the record has the maximum number of them, or so many bytes of them
/// that only a small one is opened, whose author sees all that counts. A whole record replaces the
/// conflicts of its device.
private func dispute(
    _ edit: Edit, with record: WorkingRecord, isRelated: Bool = false, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let limits = state.author.limits
    let tooMany = Cause(.change(.tooManyConflicts(max: limits.openConflicts)))
    let replaced = state.replaceableConflicts(by: edit.change)
    let others = state.openConflicts(of: record.stored.guid) - replaced.amount
    guard others.rows < limits.openConflicts else {
        return state.refusal(of: edit.change, [tooMany])
    }
    let edit = try edit.including(replaced)
    let conflict = try conflict(of: edit, with: record, isRelated: isRelated, in: &state)
    guard
        others.bytes < limits.openConflictBytes
            || state.sees(conflict, of: record, in: edit.model)
                && conflict.fits(in: limits.smallConflictBytes)
    else { return state.refusal(of: edit.change, [tooMany]) }
    guard state.mayDispute else {
        let max = limits.openConflictsOfUser
        return state.refusal(of: edit.change, [Cause(.change(.tooManyOwnConflicts(max: max)))])
    }
    state.replace(replaced)
    return open(conflict, of: edit, with: record, in: &state)
}

extension Edit {
    /// The edit with the values of earlier conflicts, which the device still has.
    fileprivate func including(_ conflicts: [StoredConflict]) throws(StoreError) -> Edit {
        guard !deletes, !conflicts.isEmpty else { return self }
        var earlier: [String: JSONValue] = [:]
        for conflict in conflicts {
            earlier.merge(try conflict.conflict().mine.fields) { _, later in later }
        }
        return Edit(
            change: change, base: base, fields: earlier.merging(fields) { _, later in later },
            model: model)
    }
}

private func conflict(
    of edit: Edit, with record: WorkingRecord, isRelated: Bool, in state: inout BatchState
) throws(StoreError) -> RecordConflict {
    let sides = try sides(of: edit, against: record, in: &state)
    return RecordConflict(
        revision: record.stored.revision + 1, baseRevision: edit.base, base: sides.base,
        mine: sides.mine, theirs: sides.theirs, isRelated: isRelated)
}

/// Opens a conflict: the record keeps its values, the edit is stored beside them, and the record is
/// marked.
private func open(
    _ conflict: RecordConflict, of edit: Edit, with record: WorkingRecord,
    in state: inout BatchState
) -> Outcome {
    var next = record
    next.stored.revision = conflict.revision
    next.stored.isConflicted = true
    state.put(next, by: edit.change)
    state.open(StoredConflict(conflict, of: next.stored.guid, from: state.author.device))
    state.note(
        .conflicted, edit.change, record: next.stored, wasDeleted: record.stored.isDeleted,
        fieldsText: JSONText.text(of: edit.fields))
    state.setAside(edit.fields, of: record.stored.model, guid: record.stored.guid)
    return Outcome(edit.change, .conflicted, revision: next.stored.revision)
}

/// Returns the conflicting fields at the base, in the edit and in the record. If one side is a
/// deletion, every field that the other side changed conflicts.
private func sides(
    of edit: Edit, against record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> (
    base: RecordConflict.Side, mine: RecordConflict.Side, theirs: RecordConflict.Side
) {
    let unseen = state.unseenHistory(of: record.stored.guid)
    let replaced = try state.replacedFields(of: record.stored.guid)
    var disputed = Set(edit.fields.keys)
    if edit.deletes || record.stored.isDeleted, let replaced {
        disputed.formUnion(replaced.names(after: edit.base))
    }
    let base = disputed.map { field in
        (field, replaced?.value(of: field, at: edit.base) ?? record.value(of: field))
    }
    let author = state.author
    let last = unseen?.lastEffect(after: edit.base)
    return (
        RecordConflict.Side(
            isDeleted: unseen?.firstEffect(after: edit.base)?.wasDeleted
                ?? record.stored.isDeleted,
            fields: Dictionary(uniqueKeysWithValues: base)),
        RecordConflict.Side(
            isDeleted: edit.deletes, fields: edit.fields, login: author.asker.login,
            deviceCategory: author.asker.role.deviceCategory, at: author.now.milliseconds),
        RecordConflict.Side(
            isDeleted: record.stored.isDeleted, fields: record.fields.values(of: disputed),
            login: last?.login, deviceCategory: last?.deviceCategory, at: last?.at.milliseconds)
    )
}

extension [String: JSONValue] {
    fileprivate func values(of names: Set<String>) -> [String: JSONValue] {
        Dictionary(uniqueKeysWithValues: names.map { ($0, self[$0] ?? .null) })
    }
}

extension ChangeAction {
    fileprivate var historyKind: HistoryEntry.Kind {
        switch self {
        case .create: .created
        case .update, .restore: .updated
        case .delete: .deleted
        case .resolve: .resolved
        }
    }
}

extension BatchState {
    mutating func note(
        _ kind: HistoryEntry.Kind, _ change: Change, record: StoredRecord, wasDeleted: Bool,
        fieldsText: String
    ) {
        note(
            HistoryEntry(
                guid: record.guid, revision: record.revision, kind: kind, changeID: change.id,
                login: author.asker.login, deviceCategory: author.asker.role.deviceCategory,
                deviceIdentifier: author.deviceIdentifier, at: author.now,
                wasDeleted: wasDeleted, fieldsText: fieldsText))
    }
}
