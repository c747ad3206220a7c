import AccessPolicy
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Auditor {
    /// Audits an answer immediately after the engine returned it.
    mutating func audit(
        _ response: SyncResponse, to request: SyncRequest, from asker: Asker,
        by participant: Participant
    ) async throws(InvariantViolation) {
        note(asker)
        try checkEveryChangeIsAnswered(response, request)
        let before = records
        let written = try await reading { auditor async throws(StoreError) in
            try await auditor.readOn()
        }
        let fresh = try freshChanges(response, by: participant)
        let related = fresh.map { relatedRecords(of: $0, in: before, by: asker) }
        let guids = Set(fresh.map(\.change.message.guid))
            .union(related.joined().map(\.stored.guid))
        try await reading { auditor async throws(StoreError) in
            try await auditor.readTimelines(of: guids)
        }
        for change in fresh { try check(change, from: asker) }
        try checkNothingElseChanged(in: guids, since: before)
        for (change, records) in zip(fresh, related) {
            try checkRelated(change, records, at: request.cursor, from: asker)
        }
        try checkUniqueValues(of: written)
        for record in response.records { try check(record, for: asker) }
        for record in response.dropped { try check(record, for: asker) }
        counts.records += response.records.count
        counts.drops += response.dropped.count
        counts.resyncs += response.resync ? 1 : 0
    }

    private func checkEveryChangeIsAnswered(
        _ response: SyncResponse, _ request: SyncRequest
    ) throws(InvariantViolation) {
        guard response.outcomes.map(\.id) == request.changes.map(\.id) else {
            throw InvariantViolation(
                .everyRequestIsAnswered,
                "\(request.changes.count) changes got \(response.outcomes.count) outcomes, or "
                    + "those of others")
        }
    }

    /// The changes that had no outcome before. A repeated change must have the same outcome again;
    /// after its record was purged, it may be refused.
    private mutating func freshChanges(
        _ response: SyncResponse, by participant: Participant
    ) throws(InvariantViolation) -> [SettledChange] {
        var fresh: [SettledChange] = []
        for outcome in response.outcomes {
            let name = ChangeName(outcome.id, by: participant)
            guard let entry = changes[name] else { continue }
            if let known = entry.outcome {
                counts.repeats += 1
                let isOfPurged = outcome.outcome == .refused && purged.contains(outcome.guid)
                guard isSame(outcome, as: known) || isOfPurged else {
                    throw InvariantViolation(
                        .changesTakeEffectOnce,
                        "\(name.summary) was \(known.outcome), and is "
                            + "\(outcome.outcome) when it is repeated")
                }
                continue
            }
            note(outcome, of: name)
            counts.count(outcome.outcome)
            var change = entry.change
            if let app { change.message = app.served(change.message, by: rules) }
            fresh.append(SettledChange(name: name, change: change, outcome: outcome))
        }
        return fresh
    }

    /// Texts name models and fields as the version of the moment does, and so do causes.
    private func isSame(_ outcome: OutcomeMessage, as known: OutcomeMessage) -> Bool {
        let told = { (outcome: OutcomeMessage) in
            var outcome = outcome
            outcome.causes =
                isEvolving
                ? nil
                : outcome.causes?.map { cause in
                    var cause = cause
                    cause.message = ""
                    return cause
                }
            return outcome
        }
        return told(outcome) == told(known)
    }

    /// The values of a record change by entries of its history only.
    private func checkNothingElseChanged(
        in guids: Set<String>, since before: [String: AuditedRecord]
    ) throws(InvariantViolation) {
        for guid in guids.sorted() {
            guard let then = before[guid], let now = records[guid], let timeline = timelines[guid]
            else { continue }
            let told = timeline.entries.filter {
                $0.written.revision > then.stored.revision && $0.written.kind.replacesValues
            }.reduce(Set<String>()) { $0.union($1.fields.keys) }
            let changed = Set(now.fields.keys).union(then.fields.keys).filter {
                now.fields[$0] ?? .null != then.fields[$0] ?? .null
            }
            guard let field = changed.subtracting(told).min() else { continue }
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "'\(field)' of \(now.summary) was changed, and no entry of its history says so")
        }
    }

    /// Reads changes that no device made.
    mutating func readChanges() async throws(InvariantViolation) {
        _ = try await reading { auditor async throws(StoreError) in try await auditor.readOn() }
    }

    /// Reports data that the auditor cannot read as a violation.
    mutating func reading<Value: Sendable>(
        _ body: (inout Auditor) async throws(StoreError) -> Value
    ) async throws(InvariantViolation) -> Value {
        do {
            return try await body(&self)
        } catch {
            throw InvariantViolation(.nothingAcknowledgedIsLost, "what is stored is \(error)")
        }
    }
}

// MARK: - Records in answers

extension Auditor {
    /// A record in an answer must equal what the asker may see of it at this moment.
    func check(_ message: RecordMessage, for asker: Asker) throws(InvariantViolation) {
        let name = shortName(message.guid, model: message.model)
        guard let expected = self.message(of: message.guid, for: asker) else {
            throw InvariantViolation(
                .nobodyGetsWhatIsNotTheirs, "'\(asker.login)' got \(name), which is not theirs")
        }
        let surplus = message.fieldNames.subtracting(expected.fieldNames).sorted()
        guard surplus.isEmpty else {
            throw InvariantViolation(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' got '\(surplus.joined(separator: "', '"))' of \(name), which is "
                    + "not theirs")
        }
        guard message == expected else {
            throw InvariantViolation(
                .everybodyGetsWhatIsStored,
                "'\(asker.login)' got \(name) as \(message.summary), and it is "
                    + expected.summary)
        }
    }
}

extension Auditor {
    /// A record may be reported as dropped only to an asker who may have seen it.
    private func check(_ dropped: DroppedMessage, for asker: Asker) throws(InvariantViolation) {
        guard wasEverSeen(dropped.guid, model: dropped.model, by: asker) else {
            throw InvariantViolation(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' was told to drop "
                    + shortName(dropped.guid, model: dropped.model)
                    + ", which was never theirs")
        }
    }
}

extension RecordMessage {
    /// All field names in the message, including those in conflicts.
    fileprivate var fieldNames: Set<String> {
        let sides = (conflicts ?? []).flatMap { [$0.base, $0.mine, $0.theirs] }
        return sides.reduce(Set((fields ?? [:]).keys)) { $0.union($1.fields.keys) }
    }
}
