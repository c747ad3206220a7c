import AccessPolicy
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Ledger {
    mutating func readPast(of guid: String) async throws(BrokenPromise) {
        try await reading { ledger async throws(StoreError) in
            try await ledger.readPasts(of: [guid])
        }
    }

    /// Who is told that there is no such record must not be able to see it.
    func auditUnknown(_ guid: String, for asker: Asker) throws(BrokenPromise) {
        guard let message = message(of: guid, for: asker) else { return }
        throw BrokenPromise(
            .everybodyGetsWhatIsStored,
            "'\(asker.login)' got no history of \(message.inWords)")
    }

    /// Of each entry only what its reader may see now and might have seen then.
    func audit(
        _ history: HistoryResponse, of guid: String, for asker: Asker
    ) throws(BrokenPromise) {
        guard let record = records[guid], message(of: guid, for: asker) != nil else {
            throw BrokenPromise(
                .nobodyGetsWhatIsNotTheirs,
                "'\(asker.login)' got the history of a record that is not theirs")
        }
        let entries = pasts[guid]?.entries ?? []
        for message in history.entries {
            let then = ownership(of: guid, at: message.revision)
            let isVisible = { (field: String) in
                [record.stored.ownership, then ?? record.stored.ownership].allSatisfy {
                    asker.may(.read, .field(field, of: record.stored.model), of: $0, rules)
                }
            }
            let isSo = entries.contains { entry in
                message.isOf(entry) && message.values == entry.fields.filter { isVisible($0.key) }
            }
            guard isSo else {
                throw BrokenPromise(
                    .nobodyGetsWhatIsNotTheirs,
                    "'\(asker.login)' got of the history of \(record.inWords) what is not theirs "
                        + "or not so: revision \(message.revision)")
            }
        }
    }

    /// The list of conflicts has what a sync would give, and all of it.
    func audit(_ conflicts: ConflictsResponse, for asker: Asker) throws(BrokenPromise) {
        for record in conflicts.records { try check(record, for: asker) }
        let expected = records.values.filter(\.stored.isConflicted).map(\.stored.guid)
            .filter { message(of: $0, for: asker) != nil }
        guard Set(conflicts.records.map(\.guid)) == Set(expected) else {
            throw BrokenPromise(
                .everybodyGetsWhatIsStored,
                "'\(asker.login)' got \(conflicts.records.count) records with conflicts, and "
                    + "there are \(expected.count) for them")
        }
    }

    /// What was resolved is in dispute no longer, and was so by someone with the right.
    func audit(_ response: ResolutionResponse, for asker: Asker) throws(BrokenPromise) {
        for outcome in response.outcomes where outcome.outcome == .accepted {
            let name = recordInWords(outcome.guid, model: outcome.model)
            guard let record = records[outcome.guid]?.stored, !record.isConflicted else {
                throw BrokenPromise(
                    .nothingAcknowledgedIsLost,
                    "\(name) is still in dispute after all of its conflicts were resolved")
            }
            guard asker.may(.resolve, .model(record.model), of: record.ownership, rules) else {
                throw BrokenPromise(
                    .rightsAreKept, "'\(asker.login)' resolved the conflicts of \(name)")
            }
        }
    }
}

extension HistoryMessage {
    fileprivate func isOf(_ entry: PastEntry) -> Bool {
        revision == entry.written.revision && kind.rawValue == entry.written.kind.rawValue
            && login == entry.written.login && at == entry.written.at.milliseconds
    }

    fileprivate var values: [String: JSONValue] { before ?? wanted ?? [:] }
}
