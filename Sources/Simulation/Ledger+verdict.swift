import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// A change with the outcome that it has just got.
struct SettledChange: Sendable {
    let name: ChangeName
    let change: WaitingChange
    let outcome: OutcomeMessage

    var message: ChangeMessage { change.message }
}

extension Ledger {
    /// Whether an outcome says what became of the change, and whether that may be.
    func check(_ settled: SettledChange, from asker: Asker) throws(BrokenPromise) {
        let past = pasts[settled.message.guid] ?? Past()
        let own = past.entries(of: settled.name)
        guard own.count <= 1 else {
            throw settled.broken(.changesTakeEffectOnce, "is \(own.count) times in the history")
        }
        guard settled.outcome.outcome != .refused else {
            return try checkRefusal(settled, leaving: own, past, asker)
        }
        guard let record = records[settled.message.guid],
            let model = rules.model(named: settled.message.model)
        else { throw settled.broken(.nothingAcknowledgedIsLost, "has no record") }
        guard let entry = own.first else {
            return try checkThatNothingWasToDo(settled, record, past)
        }
        try checkTrace(settled, entry, record, past)
        try checkKnowledge(settled, entry, past, in: model.model.conflictMode)
        try checkRights(settled, entry, record, asker, model)
        try checkLimits(settled, entry, model)
    }

    // MARK: - What is left of it

    private func checkRefusal(
        _ settled: SettledChange, leaving own: [PastEntry], _ past: Past, _ asker: Asker
    ) throws(BrokenPromise) {
        guard own.isEmpty else {
            throw settled.broken(.limitsAreKept, "took effect")
        }
        let codes = (settled.outcome.causes ?? []).map(\.code)
        guard !codes.isEmpty else {
            throw settled.broken(.everyRequestIsAnswered, "has no cause")
        }
        guard codes != ["stale"] else { return try checkStaleness(settled, past) }
        guard settled.change.lawful.map({ holds($0, for: settled, asker) }) ?? false else {
            return
        }
        let others = codes.filter { !refusalsThatNoDeviceForesees.contains($0) }
        guard others.isEmpty else {
            throw settled.broken(
                .deviceAndServerAgree, "for '\(others.joined(separator: "', '"))'")
        }
    }

    /// Its author wants to be asked, but only where somebody else did something unseen.
    private func checkStaleness(
        _ settled: SettledChange, _ past: Past
    ) throws(BrokenPromise) {
        guard settled.message.ifStale == .refuse else {
            throw settled.broken(.conflictsAreReal, "did not ask for it")
        }
        let isForeign = past.entries.contains {
            $0.tookEffect && $0.written.revision > settled.change.seen ?? 0
                && !settled.name.isOfSameDevice(as: ChangeName($0.written))
        }
        guard isForeign || isAnalyzed(settled.message.model) else {
            throw settled.broken(.conflictsAreReal, "knew everything that was done")
        }
    }

    /// Whether what the author went by is still so.
    private func holds(
        _ lawfulness: Lawfulness, for settled: SettledChange, _ asker: Asker
    ) -> Bool {
        let ownership = records[settled.message.guid]?.stored.ownership
        return lawfulness.role == asker.role && lawfulness.version == versions.count - 1
            && lawfulness.ownership == ownership ?? lawfulness.ownership
    }

    private func checkThatNothingWasToDo(
        _ settled: SettledChange, _ record: AuditedRecord, _ past: Past
    ) throws(BrokenPromise) {
        let state = past.state(of: record, at: settled.outcome.revision ?? 0)
        let isDone =
            switch settled.message.action {
            case .create, .resolve: false
            case .update: !state.isDeleted && settled.isVisible(in: state)
            case .delete: state.isDeleted
            }
        guard settled.outcome.outcome == .accepted, isDone else {
            throw settled.broken(.nothingAcknowledgedIsLost, "is nowhere in the history")
        }
    }

    private func checkTrace(
        _ settled: SettledChange, _ entry: PastEntry, _ record: AuditedRecord, _ past: Past
    ) throws(BrokenPromise) {
        let state = past.state(of: record, at: entry.written.revision)
        let isThere =
            switch settled.outcome.outcome {
            case .accepted, .merged:
                entry.tookEffect && settled.isVisible(in: state)
                    && state.isDeleted == (settled.message.action == .delete)
                    || settled.message.action == .resolve && settled.isVisible(in: state)
            case .conflicted:
                entry.written.kind == .conflicted && isInConflict(settled, record, past)
            case .discarded: entry.written.kind == .discarded
            case .refused: false
            }
        guard isThere, entry.written.revision == settled.outcome.revision else {
            throw settled.broken(.nothingAcknowledgedIsLost, "is not what is stored")
        }
    }

    /// The conflict that it opened must have its values, unless someone has resolved it since.
    private func isInConflict(
        _ settled: SettledChange, _ record: AuditedRecord, _ past: Past
    ) -> Bool {
        guard let revision = settled.outcome.revision else { return false }
        let isResolved = past.entries.contains {
            $0.written.kind == .resolved && $0.written.revision > revision
        }
        guard let conflict = record.conflicts.first(where: { $0.revision == revision }) else {
            return isResolved
        }
        let state = past.state(of: record, at: revision)
        return conflict.mine.deleted == (settled.message.action == .delete)
            && settled.message.fields.allSatisfy {
                $0.value == conflict.mine.fields[$0.key] ?? state.value(of: $0.key)
            }
    }

    // MARK: - What its author knew

    private func checkKnowledge(
        _ settled: SettledChange, _ entry: PastEntry, _ past: Past, in mode: ConflictMode
    ) throws(BrokenPromise) {
        guard let seen = settled.change.seen else { return }
        let unseen = past.foreignEffects(after: seen, before: entry)
        switch settled.outcome.outcome {
        case .refused: break
        case .accepted:
            guard unseen.isEmpty || mode == .overwrite else {
                throw settled.broken(
                    .nobodyOverwritesTheUnseen, "did not know \(unseen[0].inWords)")
            }
        case .merged:
            guard mode == .merge, !unseen.contains(where: { $0.disputes(entry) }) else {
                throw settled.broken(
                    .nobodyOverwritesTheUnseen, "did not know what it touched")
            }
        case .conflicted, .discarded:
            let isItsMode =
                settled.outcome.outcome == .discarded
                ? mode == .discard : mode == .manual || mode == .merge
            guard isItsMode, !unseen.isEmpty || isAnalyzed(settled.message.model) else {
                throw settled.broken(.conflictsAreReal, "knew everything that was done")
            }
        }
    }

    /// Whether records of a model can be in conflict because of related ones.
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

/// Why a change can be refused that keeps all rules as far as its author could see.
private let refusalsThatNoDeviceForesees: Set = [
    "recordUnknown", "recordDeleted", "notFound", "dependsOnRefused", "notUnique",
    "resolutionStale", "notConflicted", "tooManyConflicts", "tooEntangled", "baseMissing",
]

extension PastEntry {
    fileprivate func disputes(_ other: PastEntry) -> Bool {
        touchesDeletion || other.touchesDeletion
            || !Set(fields.keys).isDisjoint(with: other.fields.keys)
    }
}

extension SettledChange {
    /// Whether every value that it sets is there. A null of a creation is a default, where its
    /// author may not say otherwise.
    fileprivate func isVisible(in state: PastState) -> Bool {
        message.fields.allSatisfy { name, value in
            value == state.value(of: name) || (message.action == .create && value == .null)
        }
    }

    func broken(_ promise: Promise, _ finding: String) -> BrokenPromise {
        BrokenPromise(
            promise,
            "\(name.inWords), \(message.action) of \(guidInWords), was \(outcome.outcome) and "
                + finding)
    }

    private var guidInWords: String { recordInWords(message.guid, model: message.model) }
}
