import AccessPolicy
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Auditor {
    mutating func readTimeline(of guid: String) async throws(InvariantViolation) {
        try await reading { auditor async throws(StoreError) in
            try await auditor.readTimelines(of: [guid])
        }
    }

    /// If the response says that a record does not exist, the asker must not be able to see it.
    func auditUnknown(_ guid: String, for asker: Asker) throws(InvariantViolation) {
        guard let message = message(of: guid, for: asker) else { return }
        throw InvariantViolation(
            .everybodyGetsWhatIsStored,
            "'\(asker.login)' got no history of \(message.summary)")
    }

    /// Each entry shows only what the reader may see now and could have seen then.
    func audit(
        _ history: HistoryResponse, of guid: String, for asker: Asker
    ) throws(InvariantViolation) {
        guard let record = records[guid], message(of: guid, for: asker) != nil else {
            throw InvariantViolation(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' got the history of a record that is not theirs")
        }
        let entries = timelines[guid]?.entries ?? []
        for message in history.entries {
            let then = ownership(of: guid, at: message.revision)
            let isVisible = { (field: String) in
                [record.stored.ownership, then ?? record.stored.ownership].allSatisfy {
                    asker.may(.read, .field(field, of: record.stored.model), of: $0, rules)
                }
            }
            let isSo = entries.contains { entry in
                let visible = entry.fields.filter { isVisible($0.key) }
                let known = app?.known(visible, of: record.stored.model, servedBy: rules)
                return message.isOf(entry) && message.values == known ?? visible
            }
            guard isSo else {
                throw InvariantViolation(
                    .nobodyGetsWhatIsNotTheirs,
                    "'\(asker.login)' got of the history of \(record.summary) what is not theirs "
                        + "or not so: revision \(message.revision)")
            }
        }
    }

    /// The list of conflicts equals what a sync would give, and is complete.
    func audit(_ conflicts: ConflictsResponse, for asker: Asker) throws(InvariantViolation) {
        for record in conflicts.records { try check(record, for: asker) }
        let expected = records.values.filter(\.stored.isConflicted).map(\.stored.guid)
            .filter { message(of: $0, for: asker) != nil }
        guard Set(conflicts.records.map(\.guid)) == Set(expected) else {
            throw InvariantViolation(
                .everybodyGetsWhatIsStored,
                "'\(asker.login)' got \(conflicts.records.count) records with conflicts, and "
                    + "there are \(expected.count) for them")
        }
    }

    /// A resolved record has no open conflict, and its resolver had the right.
    func audit(_ response: ResolutionResponse, for asker: Asker) throws(InvariantViolation) {
        for outcome in response.outcomes where outcome.outcome == .accepted {
            let name = shortName(outcome.guid, model: outcome.model)
            guard let record = records[outcome.guid]?.stored, !record.isConflicted else {
                throw InvariantViolation(
                    .nothingAcknowledgedIsLost,
                    "\(name) is still in dispute after all of its conflicts were resolved")
            }
            guard asker.may(.resolve, .model(record.model), of: record.ownership, rules) else {
                throw InvariantViolation(
                    .rightsAreKept, "'\(asker.login)' resolved the conflicts of \(name)")
            }
        }
    }
}

extension HistoryMessage {
    fileprivate func isOf(_ entry: TimelineEntry) -> Bool {
        revision == entry.written.revision && kind.rawValue == entry.toldKind.rawValue
            && login == entry.written.login && at == entry.written.at.milliseconds
    }

    fileprivate var values: [String: JSONValue] { before ?? wanted ?? [:] }
}

extension TimelineEntry {
    /// Clients are told of a value that a deployment brought as of an update.
    fileprivate var toldKind: HistoryEntry.Kind {
        written.kind == .filled ? .updated : written.kind
    }
}
