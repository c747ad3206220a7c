import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

// Requests of several parts, and imports of deleted rows. The records after such a request are
// compared with what its changes make, one after the other, of the records before it.

extension Auditor {
    func audit(
        _ request: ForeignRequest, _ outcomes: [Outcome], since before: [String: AuditedRecord],
        by asker: Asker
    ) throws(InvariantViolation) {
        let answers = Array(zip(request.questions, request.answers(among: outcomes)))
        guard !outcomes.contains(where: { $0.kind == .refused }) else {
            guard records == before else {
                throw InvariantViolation(
                    .partsAreDoneOnceInOrder, "a refused request left something")
            }
            for (number, (question, answer)) in answers.enumerated() where answer.kind == .refused {
                try check(answer, refusing: question, isFirst: number == 0, by: asker)
            }
            return
        }
        var states: [String: RecordState] = [:]
        for (question, answer) in answers {
            try check(answer, to: question, after: states, since: before, by: asker)
            for part in question.parts { try carryOut(part, on: &states, since: before) }
        }
        guard outcomes.allSatisfy({ $0.kind == .accepted }) else {
            throw InvariantViolation(
                .partsAreDoneOnceInOrder, "a part of a request did not take effect")
        }
        try check(states, since: before, by: asker, asked: Set(request.questions.map(\.guid)))
        try checkUniqueValues(of: states.keys.sorted())
    }

    /// The answers are those of the first time, and no part has an effect, not even one that the
    /// first request did not have.
    func audit(
        repeated request: ForeignRequest, _ outcomes: [Outcome], of done: DoneRequest,
        since before: [String: AuditedRecord]
    ) throws(InvariantViolation) {
        guard records == before, outcomes.allSatisfy({ $0.kind == .accepted }),
            request.answers(among: outcomes).map(\.revision) == done.answers.map(\.revision)
        else {
            throw InvariantViolation(
                .partsAreDoneOnceInOrder,
                "a repeat of request \(request.number) was \(outcomes.map(\.kind.rawValue))"
                    + (records == before ? "" : " and left something"))
        }
    }
}

// MARK: - Questions

extension Auditor {
    /// Checks an answer to a question that is not refused.
    ///
    /// - Parameter states: The states in which earlier parts of the request have left their
    ///   records.
    private func check(
        _ answer: Outcome, to question: ForeignQuestion, after states: [String: RecordState],
        since before: [String: AuditedRecord], by asker: Asker
    ) throws(InvariantViolation) {
        let changed = states[question.guid]
        guard let record = before[question.guid], record.stored.model == question.model,
            !(changed?.isDeleted ?? record.stored.isDeleted)
        else { throw question.violation("was answered, and is not there") }
        guard changed != nil || answer.revision == record.stored.revision else {
            throw question.violation("was told with another revision")
        }
        let isKnown = [Operation.read, .update].contains {
            asker.may($0, .model(question.model), of: record.stored.ownership, rules)
        }
        guard isKnown else {
            throw InvariantViolation(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' was told that there is \(record.summary)")
        }
        let mode = rules.model(named: question.model)?.model.conflictMode
        guard mode == .merge || unseenEffects(of: question).isEmpty else {
            throw question.violation("was answered, and has changed since")
        }
    }

    /// A refusal tells what is there. A question needs no right but to see the record.
    private func check(
        _ answer: Outcome, refusing question: ForeignQuestion, isFirst: Bool, by asker: Asker
    ) throws(InvariantViolation) {
        let areRight = answer.causes.allSatisfy {
            isRight($0.reason, for: question, isFirst: isFirst, by: asker)
        }
        guard areRight, !answer.causes.isEmpty else {
            throw question.violation("was refused: \(answer.causes.map(\.reason))")
        }
    }

    private func isRight(
        _ reason: Cause.Reason, for question: ForeignQuestion, isFirst: Bool, by asker: Asker
    ) -> Bool {
        let found = records[question.guid]
        let record = found.flatMap { $0.stored.model == question.model ? $0 : nil }
        if case .change(.stale) = reason { return !unseenEffects(of: question).isEmpty }
        // Others follow parts of this request, which may have made or deleted their records.
        if !isFirst, case .change(.dependsOnRefused) = reason { return true }
        if reason == .change(.recordDeleted) {
            return !isFirst || record?.stored.isDeleted ?? false
        }
        if reason == .change(.baseUnknown) {
            return question.base ?? 0 > record?.stored.revision ?? 0
        }
        guard reason == .change(.recordUnknown) else { return false }
        return record.map {
            !asker.may(.read, .model(question.model), of: $0.stored.ownership, rules)
        } ?? true
    }

    /// Changes of the record since the revision that a question asks for. All of them are of other
    /// devices than that of the request.
    private func unseenEffects(of question: ForeignQuestion) -> [TimelineEntry] {
        guard let base = question.base else { return [] }
        return timelines[question.guid]?.entries.filter {
            $0.tookEffect && $0.written.revision > base
        } ?? []
    }
}

extension ForeignQuestion {
    fileprivate func violation(_ finding: String) -> InvariantViolation {
        InvariantViolation(
            .questionsOnlyAsk, "\(shortName(guid, model: model)), for which was asked, \(finding)")
    }
}

// MARK: - Parts

extension Auditor {
    private func carryOut(
        _ part: Draft, on states: inout [String: RecordState],
        since before: [String: AuditedRecord]
    ) throws(InvariantViolation) {
        let known =
            states[part.guid]
            ?? before[part.guid].map {
                RecordState(fields: $0.fields, isDeleted: $0.stored.isDeleted)
            }
        let isThere = known.map { !$0.isDeleted } ?? false
        guard part.action == .create ? known == nil : isThere else {
            throw InvariantViolation(
                .partsAreDoneOnceInOrder,
                "\(part.action) of \(shortName(part.guid, model: part.model)) had nothing to do")
        }
        var state = known ?? RecordState(fields: [:], isDeleted: false)
        // A null in a creation is the default if its author may not set the field.
        let given = part.fields.filter { part.action != .create || $0.value != .null }
        state.fields.merge(given) { _, given in given }
        state.isDeleted = part.action == .delete
        states[part.guid] = state
    }

    /// - Parameter asked: The guids that the questions ask for.
    private func check(
        _ states: [String: RecordState], since before: [String: AuditedRecord], by asker: Asker,
        asked: Set<String>
    ) throws(InvariantViolation) {
        for guid in Set(records.keys).union(before.keys).union(states.keys).sorted() {
            guard let state = states[guid] else {
                guard records[guid] != before[guid] else { continue }
                throw InvariantViolation(
                    asked.contains(guid) ? .questionsOnlyAsk : .partsAreDoneOnceInOrder,
                    "\(records[guid]?.summary ?? guid) was changed by no part of a request")
            }
            guard let record = records[guid], record.stored.isDeleted == state.isDeleted,
                state.fields.allSatisfy({ record.fields[$0.key] ?? .null == $0.value })
            else {
                throw InvariantViolation(
                    .partsAreDoneOnceInOrder,
                    "\(records[guid]?.summary ?? guid) is not what the parts of a request make it")
            }
            try checkRights(to: record, from: before[guid], by: asker)
        }
    }

    private func checkRights(
        to record: AuditedRecord, from before: AuditedRecord?, by asker: Asker
    ) throws(InvariantViolation) {
        let model = record.stored.model
        guard let before else {
            return try check(.create, .model(model), of: record, by: asker)
        }
        let changed = Set(record.fields.keys).union(before.fields.keys).filter {
            record.fields[$0] ?? .null != before.fields[$0] ?? .null
        }
        for field in changed.sorted() {
            try check(.update, .field(field, of: model), of: record, by: asker)
        }
        if record.stored.isDeleted { try check(.delete, .model(model), of: record, by: asker) }
    }
}

// MARK: - Deleted rows

extension Auditor {
    /// The first import makes a record and deletes it, whatever its values are; a repeat does
    /// nothing. That every reader gets the deletion is compared in the end.
    func audit(
        deletedRow row: Draft, of owner: String, _ outcomes: [Outcome], after done: DoneImport?,
        since before: [String: AuditedRecord]
    ) throws(InvariantViolation) {
        guard outcomes.map(\.revision) == [1, 2], outcomes.allSatisfy({ $0.kind == .accepted })
        else {
            throw row.violation("was \(outcomes.map(\.kind.rawValue))")
        }
        guard done == nil else {
            guard records == before else { throw row.violation("was imported twice") }
            return
        }
        guard let record = records[row.guid], before[row.guid] == nil, record.stored.isDeleted,
            record.stored.revision == 2, record.stored.owner == owner, record.conflicts.isEmpty
        else { throw row.violation("is no deleted record") }
        let lacksValue = rules.model(named: row.model)?.lacksValue(in: row.fields) ?? true
        let hasAll = row.fields.allSatisfy {
            $0.value == .null || $0.value == record.fields[$0.key]
        }
        guard lacksValue ? record.fields.isEmpty : hasAll else {
            throw row.violation("has the values \(record.fields)")
        }
        guard records.filter({ $0.key != row.guid }) == before else {
            throw row.violation("was not all that was imported")
        }
    }
}

extension Draft {
    fileprivate func violation(_ finding: String) -> InvariantViolation {
        InvariantViolation(
            .deletedRowsAreDeletions,
            "\(shortName(guid, model: model)), imported as deleted, \(finding)")
    }
}
