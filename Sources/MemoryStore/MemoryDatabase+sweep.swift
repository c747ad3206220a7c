import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    package func sweep(_ request: SweepRequest) throws(StoreError) -> SweepResult {
        try write(in: request.environment) { environment in
            let old = environment.records.values.filter {
                $0.isGone && $0.changedAt < request.before
            }
            let oldest = old.sorted {
                ($0.changedAt, $0.sequence) < ($1.changedAt, $1.sequence)
            }
            let found = oldest.map { Tombstone(guid: $0.stored.guid, sequence: $0.sequence) }
            let choice = SweepChoice(of: request, among: found) {
                environment.history[ByteKey($0.guid)]?.count ?? 0
            }
            if let long = choice.shortened {
                environment.shorten(ByteKey(long.guid), by: request.historyRows)
            }
            for tombstone in choice.purged { environment.forget(ByteKey(tombstone.guid)) }
            environment.purgeHorizon = max(environment.purgeHorizon, choice.horizon ?? 0)
            return choice.result
        }
    }

    package func sweepOutcomes(_ request: SweepRequest) throws(StoreError) -> Int {
        try write(in: request.environment) { environment in
            let expired = environment.outcomes.filter { _, outcome in
                outcome.expiresAt.map { $0 < request.before } ?? false
            }.keys.prefix(request.limit)
            for key in expired { environment.outcomes[key] = nil }
            return expired.count
        }
    }
}

extension Environment {
    /// Erases a record, unless that was done, and deletes a part of its history, the oldest entries
    /// first.
    fileprivate mutating func shorten(_ guid: ByteKey, by count: Int) {
        guard let record = records[guid] else { return }
        let last = history[guid]?.last
        if last?.changeID != "" || last?.kind != .deleted {
            let next = record.stored.revision + 1
            records[guid]?.stored.revision = next
            records[guid]?.stored.fieldsText = "{}"
            history[guid, default: []].append(
                HistoryEntry(
                    guid: record.stored.guid, revision: next, kind: .deleted, changeID: "",
                    login: "", deviceCategory: "", deviceIdentifier: "", at: record.changedAt,
                    wasDeleted: true, fieldsText: "{}"))
            historySequences[guid, default: []].append(record.sequence)
        }
        history[guid]?.removeFirst(count)
        historySequences[guid]?.removeFirst(count)
    }

    fileprivate mutating func forget(_ guid: ByteKey) {
        purged[guid] = records.removeValue(forKey: guid)
        purged[guid]?.stored.fieldsText = "{}"
        history[guid] = nil
        historySequences[guid] = nil
        conflicts[guid] = nil
        let named = links.keys.filter { $0.source == guid }.map(\.target)
        links = links.filter { $0.key.source != guid }
        loosen(named)
    }
}
