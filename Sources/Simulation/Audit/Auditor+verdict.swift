import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// A change with the outcome that it has just received.
struct SettledChange: Sendable {
    let name: ChangeName
    let change: WaitingChange
    let outcome: OutcomeMessage

    var message: ChangeMessage { change.message }
}

extension Auditor {
    /// Checks that an outcome is correct and states what happened to the change.
    func check(_ settled: SettledChange, from asker: Asker) throws(InvariantViolation) {
        let timeline = timelines[settled.message.guid] ?? RecordTimeline()
        let own = timeline.entries(of: settled.name)
        guard own.count <= 1 else {
            throw settled.violation(.changesTakeEffectOnce, "is \(own.count) times in the history")
        }
        guard settled.outcome.outcome != .refused else {
            return try checkRefusal(settled, leaving: own, timeline, asker)
        }
        guard let record = records[settled.message.guid],
            let model = rules.model(named: settled.message.model)
        else { throw settled.violation(.nothingAcknowledgedIsLost, "has no record") }
        guard let entry = own.first else {
            return try checkThatNothingWasToDo(settled, record, timeline)
        }
        try checkTrace(settled, entry, record, timeline)
        try checkKnowledge(settled, entry, timeline, in: model.model.conflictMode)
        try checkRights(settled, entry, record, asker, model)
        try checkLimits(settled, entry, model)
    }

    // MARK: - Effects

    private func checkRefusal(
        _ settled: SettledChange, leaving own: [TimelineEntry], _ timeline: RecordTimeline,
        _ asker: Asker
    ) throws(InvariantViolation) {
        guard own.isEmpty else {
            throw settled.violation(.limitsAreKept, "took effect")
        }
        let codes = (settled.outcome.causes ?? []).map(\.code)
        guard !codes.isEmpty else {
            throw settled.violation(.everyRequestIsAnswered, "has no cause")
        }
        guard codes != ["stale"] else { return try checkStaleness(settled, timeline) }
        let isLawful = settled.change.validity.map { holds($0, for: settled, asker) } ?? false
        if isLawful { try checkRefusedByName(settled, asker) }
        guard isLawful, isServed(settled, to: asker) else { return }
        let others = codes.filter { !refusalsThatNoDeviceForesees.contains($0) }
        guard others.isEmpty else {
            throw settled.violation(
                .deviceAndServerAgree, "for '\(others.joined(separator: "', '"))'")
        }
    }

    /// A stale change is correct only if another device made a change that its author had not seen.
    private func checkStaleness(
        _ settled: SettledChange, _ timeline: RecordTimeline
    ) throws(InvariantViolation) {
        guard settled.message.ifStale == .refuse else {
            throw settled.violation(.conflictsAreReal, "did not ask for it")
        }
        let isForeign = timeline.entries.contains {
            $0.tookEffect && $0.written.revision > settled.change.seen ?? 0
                && !settled.name.isOfSameDevice(as: ChangeName($0.written))
        }
        guard isForeign || isAnalyzed(settled.message.model) else {
            throw settled.violation(.conflictsAreReal, "knew everything that was done")
        }
    }

    /// Whether the conditions that the author relied on still hold. Where the definition changes,
    /// the version is another matter, see `isServed`.
    private func holds(
        _ lawfulness: ValidityContext, for settled: SettledChange, _ asker: Asker
    ) -> Bool {
        let ownership = records[settled.message.guid]?.stored.ownership
        return lawfulness.role == asker.role
            && (isEvolving || lawfulness.version == versions.count - 1)
            && lawfulness.ownership == ownership ?? lawfulness.ownership
    }

    private func checkThatNothingWasToDo(
        _ settled: SettledChange, _ record: AuditedRecord, _ timeline: RecordTimeline
    ) throws(InvariantViolation) {
        let state = timeline.state(of: record, at: settled.outcome.revision ?? 0)
        let isDone =
            switch settled.message.action {
            case .create, .resolve: false
            // A change that sets only fields that are gone to null says nothing.
            case .update:
                settled.message.fields.isEmpty
                    || !state.isDeleted && settled.isVisible(in: state)
            case .delete: state.isDeleted
            }
        guard settled.outcome.outcome == .accepted, isDone else {
            throw settled.violation(.nothingAcknowledgedIsLost, "is nowhere in the history")
        }
    }

    private func checkTrace(
        _ settled: SettledChange, _ entry: TimelineEntry, _ record: AuditedRecord,
        _ timeline: RecordTimeline
    ) throws(InvariantViolation) {
        let state = timeline.state(of: record, at: entry.written.revision)
        let isThere =
            switch settled.outcome.outcome {
            case .accepted, .merged:
                entry.tookEffect && settled.isVisible(in: state)
                    && state.isDeleted == (settled.message.action == .delete)
                    || settled.message.action == .resolve && settled.isVisible(in: state)
            case .conflicted:
                entry.written.kind == .conflicted && isInConflict(settled, record, timeline)
            case .discarded: entry.written.kind == .discarded
            case .refused: false
            }
        guard isThere, entry.written.revision == settled.outcome.revision else {
            throw settled.violation(.nothingAcknowledgedIsLost, "is not what is stored")
        }
    }

    /// The conflict opened by the change must contain its values, unless someone has resolved it
    /// since.
    private func isInConflict(
        _ settled: SettledChange, _ record: AuditedRecord, _ timeline: RecordTimeline
    ) -> Bool {
        guard let revision = settled.outcome.revision else { return false }
        let isResolved = timeline.entries.contains {
            $0.written.kind == .resolved && $0.written.revision > revision
        }
        guard let conflict = record.conflicts.first(where: { $0.revision == revision }) else {
            return isResolved
        }
        let state = timeline.state(of: record, at: revision)
        return conflict.mine.deleted == (settled.message.action == .delete)
            && settled.message.fields.allSatisfy {
                $0.value == conflict.mine.fields[$0.key] ?? state.value(of: $0.key)
            }
    }

    // MARK: - Knowledge of the author

    private func checkKnowledge(
        _ settled: SettledChange, _ entry: TimelineEntry, _ timeline: RecordTimeline,
        in mode: ConflictMode
    ) throws(InvariantViolation) {
        guard let seen = settled.change.seen else { return }
        let unseen = timeline.foreignEffects(after: seen, before: entry)
        switch settled.outcome.outcome {
        case .refused: break
        case .accepted:
            guard unseen.isEmpty || mode == .overwrite else {
                throw settled.violation(
                    .nobodyOverwritesTheUnseen, "did not know \(unseen[0].summary)")
            }
        case .merged:
            guard mode == .merge, !unseen.contains(where: { $0.disputes(entry) }) else {
                throw settled.violation(
                    .nobodyOverwritesTheUnseen, "did not know what it touched")
            }
        case .conflicted, .discarded:
            let isItsMode =
                settled.outcome.outcome == .discarded
                ? mode == .discard : mode == .manual || mode == .merge
            guard isItsMode, !unseen.isEmpty || isAnalyzed(settled.message.model) else {
                throw settled.violation(.conflictsAreReal, "knew everything that was done")
            }
        }
    }

    /// Whether related records can cause conflicts in records of the model.
    private func isAnalyzed(_ name: String) -> Bool {
        rules.definition.models.contains { model in
            model.fields.contains { field in
                guard case .belongsTo(let relation) = field.type, relation.analyzesConflict else {
                    return false
                }
                return model.name == name || relation.model == name
            }
        }
    }
}

/// Causes of refusals that a device cannot foresee, for changes that are valid as far as their
/// author can see.
let refusalsThatNoDeviceForesees: Set = [
    "recordUnknown", "recordDeleted", "notFound", "dependsOnRefused", "notUnique",
    "resolutionStale", "notConflicted", "tooManyConflicts", "tooEntangled", "baseMissing",
    "tooManyOwnConflicts", "tooManyRevisions", "tooMuchHistory",
    "recordTooLarge",
]

extension TimelineEntry {
    fileprivate func disputes(_ other: TimelineEntry) -> Bool {
        touchesDeletion || other.touchesDeletion
            || !Set(fields.keys).isDisjoint(with: other.fields.keys)
    }
}

extension SettledChange {
    /// Whether every value that the change sets is stored. A null in a creation is the default if
    /// its author may not set the field.
    fileprivate func isVisible(in state: RecordState) -> Bool {
        message.fields.allSatisfy { name, value in
            value == state.value(of: name) || (message.action == .create && value == .null)
        }
    }

    func violation(_ invariant: Invariant, _ finding: String) -> InvariantViolation {
        InvariantViolation(
            invariant,
            "\(name.summary), \(message.action) of \(shortGuid), was \(outcome.outcome) and "
                + finding)
    }

    private var shortGuid: String { shortName(message.guid, model: message.model) }
}
