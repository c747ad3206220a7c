import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// Decides a change that has no outcome yet.
func decideFresh(
    _ prepared: PreparedChange, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let change = prepared.change
    guard let model = prepared.model else {
        return state.refusal(of: change, [Cause(.unknownModel(change.model))])
    }
    return switch change.action {
    case .create: try decideCreation(prepared, of: model, in: &state)
    case .update, .resolve: try decideUpdate(prepared, of: model, in: &state)
    case .delete: try decideDeletion(prepared, of: model, in: &state)
    case .restore: try decideRestoration(prepared, of: model, in: &state)
    }
}

private func decideCreation(
    _ prepared: PreparedChange, of model: ModelRules, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let (change, asker) = (prepared.change, state.author.asker)
    let causes =
        prepared.faults
        + state.rules.book.denials(creating: change.fields, of: model, by: asker)
    guard causes.isEmpty, let start = prepared.start else {
        return state.refusal(of: change, causes)
    }
    // Only to who may create the record, because it tells that another one exists.
    guard try state.isFree(change.guid) else {
        if state.isHidden(change.guid) { state.noteHiddenClash(of: change.id) }
        return state.refusal(of: change, [Cause(.change(.guidTaken))])
    }
    let more =
        try state.fileCauses(of: change, setting: change.fields.keys)
        + state.sizeCauses(creating: start, from: prepared.given)
    guard more.isEmpty else { return state.refusal(of: change, more) }

    let record = WorkingRecord(
        stored: StoredRecord(
            guid: change.guid, model: model.model.name, owner: asker.ownership.owner,
            group: asker.ownership.group, revision: 1, isDeleted: false, isConflicted: false,
            fieldsText: ""), start)
    state.put(record, by: change)
    if let name = change.name { state.name(RecordName(guid: change.guid, name: name)) }
    state.note(.created, change, record: record.stored, wasDeleted: false, fieldsText: "{}")
    if !change.isOfDeleted { state.refer(change, fields: change.values.keys, of: model) }
    return Outcome(change, .accepted, revision: 1)
}

private func decideUpdate(
    _ prepared: PreparedChange, of model: ModelRules, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let change = prepared.change
    let found = try state.target(of: change, in: model)
    guard case .record(let record, let base) = found else {
        return state.refusal(of: change, prepared.faults + found.causes)
    }
    if change.onlyAsks { return try answer(change, about: record, base, model, in: &state) }
    state.countEdits(of: change, on: record)
    let sums =
        change.followsPresent || change.isRefusedIfStale
        ? sums(
            of: change, on: record, in: model,
            seenThrough: state.view(of: OwnedRecord(of: record.stored))) : Sums()
    let changing = state.changing(prepared, sums, record: record)
    let rights = state.denials(
        of: .update, fields: changing.keys, model: model, record: record.stored.ownership)
    let resolving =
        change.action == .resolve
        ? state.rules.book.denials(
            resolving: record.stored.ownership, of: model, by: state.author.asker) : []
    let causes =
        prepared.faults + sums.causes + rights + resolving
        + state.fitness(of: change, base: base, for: record)
    guard causes.isEmpty else { return state.refusal(of: change, causes) }
    let more =
        try state.fileCauses(of: change, setting: changing.keys)
        + state.sizeCauses(setting: changing, of: record, in: model)
    guard more.isEmpty else { return state.refusal(of: change, more) }

    if changing.isEmpty, change.action == .update {
        var outcome = Outcome(change, .accepted, revision: record.stored.revision)
        outcome.results = sums.values
        return outcome
    }
    let edit = Edit(change: change, base: base, fields: changing, model: model)
    var outcome = try carryOut(edit, on: record, in: &state)
    outcome.tell(sums, of: change, at: state.author.now)
    return outcome
}

/// Decides a change that only asks: whether the record is there, in the state that it names.
private func answer(
    _ question: Change, about record: WorkingRecord, _ base: Int64, _ model: ModelRules,
    in state: inout BatchState
) throws(StoreError) -> Outcome {
    guard !record.stored.isDeleted else {
        return state.refusal(of: question, [Cause(.change(.recordDeleted))])
    }
    let revision = record.stored.revision
    if question.isRefusedIfStale, !state.knowsValues(of: record, base: base) {
        let edit = Edit(change: question, base: base, fields: [:], model: model)
        let isMerged = try merges(edit, into: record, in: &state)
        guard isMerged, !state.author.lacksHistory else {
            return state.refusal(of: question, [Cause(.change(.stale(revision: revision)))])
        }
    }
    return Outcome(question, .accepted, revision: revision)
}

extension Outcome {
    /// Adds what a repeat of an update is told, unless the update was set aside.
    fileprivate mutating func tell(_ sums: Sums, of change: Change, at now: Instant) {
        guard change.followsPresent || change.isRefusedIfStale else { return }
        switch kind {
        case .accepted, .merged:
            results = sums.values
            madeAt = now.milliseconds
        case .conflicted, .discarded, .refused: break
        }
    }
}

private func decideDeletion(
    _ prepared: PreparedChange, of model: ModelRules, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let change = prepared.change
    let found = try state.target(of: change, in: model)
    guard case .record(let record, let base) = found else {
        return state.refusal(of: change, found.causes)
    }
    let causes =
        prepared.faults
        + state.denials(
            of: .delete, fields: [], model: model, record: record.stored.ownership)
        + state.fitness(of: change, base: base, for: record)
    guard causes.isEmpty else { return state.refusal(of: change, causes) }

    if record.stored.isDeleted {
        return Outcome(change, .accepted, revision: record.stored.revision)
    }
    let edit = Edit(change: change, base: base, fields: [:], model: model)
    return try carryOut(edit, on: record, in: &state)
}

/// Brings a deleted record back. A record that is not deleted stays as it is.
private func decideRestoration(
    _ prepared: PreparedChange, of model: ModelRules, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let change = prepared.change
    let found = try state.target(of: change, in: model)
    guard case .record(let record, let base) = found else {
        return state.refusal(of: change, found.causes)
    }
    let ownership = record.stored.ownership
    let causes =
        prepared.faults
        + state.denials(of: .update, fields: [], model: model, record: ownership)
        + state.denials(of: .delete, fields: [], model: model, record: ownership)
        + state.fitness(of: change, base: base, for: record)
    guard causes.isEmpty else { return state.refusal(of: change, causes) }
    guard record.stored.isDeleted else {
        return Outcome(change, .accepted, revision: record.stored.revision)
    }
    guard state.knowsValues(of: record, base: base) else {
        return state.refusal(
            of: change, [Cause(.change(.stale(revision: record.stored.revision)))])
    }
    var next = record
    next.stored.isDeleted = false
    next.stored.revision += 1
    let replaced = next.complete(by: state.rules.fills)
    // It was erased, or has never had a value.
    guard !record.stored.isErased || !model.lacksValue(in: next.fields) else {
        return state.refusal(of: change, [Cause(.change(.recordDeleted))])
    }
    state.put(next, by: change)
    state.note(
        .updated, change, record: next.stored, wasDeleted: true,
        fieldsText: JSONText.text(of: replaced))
    state.refer(change, restoring: record, of: model)
    return Outcome(change, .accepted, revision: next.stored.revision)
}

/// Applies an edit. An edit that did not know the record's values is settled by the conflict mode,
/// or refused if its author asked for that.
private func carryOut(
    _ edit: Edit, on record: WorkingRecord, in state: inout BatchState
) throws(StoreError) -> Outcome {
    let stale = [Cause(.change(.stale(revision: record.stored.revision)))]
    guard state.knowsValues(of: record, base: edit.base) else {
        if state.author.lacksHistory { return state.refusal(of: edit.change, stale) }
        if edit.change.isRefusedIfStale, try !merges(edit, into: record, in: &state) {
            return state.refusal(of: edit.change, stale)
        }
        return try settle(edit, against: record, in: &state)
    }
    guard
        edit.change.action == .resolve || edit.change.followsPresent
            || state.knowsGraph(of: record)
    else {
        if edit.change.isRefusedIfStale, edit.model.model.conflictMode.disputesRelated {
            return state.refusal(of: edit.change, stale)
        }
        return try settleRelated(edit, against: record, in: &state)
    }
    return try apply(edit, to: record, in: &state)
}

extension BatchState {
    /// Refuses an update whose author knew of the deletion; an update that did not know of it goes
    /// to the conflict mode, unless the record was erased. Refuses a resolution without an open
    /// conflict, or one that is not based on the present revision: its author must have seen all
    /// sides.
    fileprivate mutating func fitness(
        of change: Change, base: Int64, for record: WorkingRecord
    ) -> [Cause] {
        switch change.action {
        case .resolve where !record.stored.isConflicted: [Cause(.change(.notConflicted))]
        case .resolve where base < record.stored.revision: [Cause(.change(.resolutionStale))]
        case .update where record.stored.isDeleted && knowsValues(of: record, base: base),
            .update where record.stored.wasErased(by: facts.history[record.stored.guid]),
            .restore where record.stored.wasErased(by: facts.history[record.stored.guid]),
            .delete where record.stored.isDeleted && change.followsPresent:
            [Cause(.change(.recordDeleted))]
        case .update where record.stored.revision >= author.limits.revisions,
            .restore where record.stored.revision >= author.limits.revisions,
            .resolve where record.stored.revision >= author.limits.revisions:
            [Cause(.change(.tooManyRevisions(max: author.limits.revisions)))]
        case .update where author.fullHistories.contains(record.stored.guid),
            .restore where author.fullHistories.contains(record.stored.guid),
            .resolve where author.fullHistories.contains(record.stored.guid),
            .delete
        where author.fullHistories.contains(record.stored.guid)
            && !knowsValues(of: record, base: base):
            [Cause(.change(.tooMuchHistory(maxBytes: author.limits.historyBytes)))]
        case .create, .update, .delete, .resolve, .restore: []
        }
    }
}

// MARK: - Target of a change

/// The record that a change targets with the base revision, or the reasons why there is none.
enum Target {
    case record(WorkingRecord, base: Int64)
    case none([Cause])

    var causes: [Cause] {
        switch self {
        case .record: []
        case .none(let causes): causes
        }
    }
}

extension BatchState {
    /// Finds the target of a change. A record that the author may neither see nor change this way
    /// is reported as unknown. The right to resolve conflicts alone does not tell of a record.
    fileprivate mutating func target(
        of change: Change, in model: ModelRules
    ) throws(StoreError) -> Target {
        guard let record = try record(change.guid), record.stored.model == change.model,
            isKnown(record, to: change.action == .delete ? .delete : .update, model: model)
        else {
            let refused = refusedCreation(of: change.guid)
            return .none([
                Cause(.change(refused.map { .dependsOnRefused(changeID: $0) } ?? .recordUnknown))
            ])
        }
        if change.followsPresent { return .record(record, base: record.stored.revision) }
        guard let base = base(of: change) else { return .none([Cause(.change(.baseMissing))]) }
        guard (1...record.stored.revision).contains(base) else {
            return .none([Cause(.change(.baseUnknown))])
        }
        return .record(record, base: base)
    }

    private func isKnown(
        _ record: WorkingRecord, to operation: Operation, model: ModelRules
    ) -> Bool {
        let ownership = record.stored.ownership
        return view(of: OwnedRecord(of: record.stored)) != .nothing
            || rules.book.allows(
                operation, of: model.model.name, on: ownership, by: author.asker)
    }

    /// Returns the given fields whose values change. A field that the author may not read always
    /// counts: to skip it would reveal that the value is equal. For a deleted record every given
    /// field counts, since the record is restored. Clients that know no revisions know numbers as
    /// binary ones of 64 bits only: one that rounds to the same leaves the present number.
    fileprivate func changing(
        _ prepared: PreparedChange, _ sums: Sums, record: WorkingRecord
    ) -> [String: JSONValue] {
        let view = view(of: OwnedRecord(of: record.stored))
        let given =
            sums.values.isEmpty
            ? prepared.given : prepared.given.merging(sums.values) { _, sum in sum }
        return given.filter {
            guard !record.stored.isDeleted, view.shows(field: $0.key) else { return true }
            let present = record.value(of: $0.key)
            guard $0.value != present else { return false }
            let mayBeRounded = prepared.change.followsPresent && sums.values[$0.key] == nil
            return !mayBeRounded
                || !present.roundsAs($0.value, of: prepared.model?.field(named: $0.key)?.type)
        }
    }

    fileprivate func denials(
        of operation: Operation, fields: some Sequence<String>, model: ModelRules,
        record: Ownership
    ) -> [Cause] {
        rules.book.denials(
            of: operation, fields: fields, model: model, record: record, asker: author.asker)
    }

    mutating func refer(_ change: Change, fields: some Sequence<String>, of model: ModelRules) {
        let values = change.values
        guard values.values.contains(where: \.isReference) else { return }
        for name in fields.sorted() {
            guard let field = model.field(named: name), case .belongsTo(let relation) = field.type,
                case .value(.reference(let guid)) = values[name]
            else { continue }
            refer(
                NamedReference(
                    change: change, field: name, guid: guid, model: relation.model,
                    place: field.place(ofOption: "model")))
        }
    }
}

extension BatchState {
    /// Requires that the records exist to which a restored record belongs, as far as its author
    /// sees the relations.
    fileprivate mutating func refer(
        _ change: Change, restoring record: WorkingRecord, of model: ModelRules
    ) {
        let view = view(of: OwnedRecord(of: record.stored))
        for field in model.model.fields where view.shows(field: field.name) {
            guard case .belongsTo(let relation) = field.type,
                case .string(let guid)? = record.fields[field.name]
            else { continue }
            refer(
                NamedReference(
                    change: change, field: field.name, guid: guid, model: relation.model,
                    place: field.place(ofOption: "model")))
        }
    }
}

extension GivenValue {
    fileprivate var isReference: Bool {
        guard case .value(.reference) = self else { return false }
        return true
    }

    var isFile: Bool {
        guard case .value(.file) = self else { return false }
        return true
    }
}

extension JSONValue {
    /// Whether two stored numbers of a type are the same binary number of 64 bits.
    fileprivate func roundsAs(_ other: JSONValue, of type: FieldType?) -> Bool {
        guard let type, let one = FieldValue(self, of: type.name)?.binary,
            let other = FieldValue(other, of: type.name)?.binary
        else { return false }
        return one == other
    }
}

extension FieldValue {
    /// As clients that know no revisions hold it: of a time, the nearest with a year of four
    /// digits. Nil for what is neither number nor time.
    fileprivate var binary: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .decimal(let number): Double(number.description)
        case .date(let milliseconds): Double(nearestPreciseInstant(milliseconds: milliseconds))
        case .text, .boolean, .reference, .file: nil
        }
    }
}
