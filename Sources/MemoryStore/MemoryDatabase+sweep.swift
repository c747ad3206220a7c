import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    package func sweep(_ request: SweepRequest) throws(StoreError) -> SweepResult {
        try write(in: request.environment) { environment in
            let old = environment.records.filter {
                $0.value.isGone && $0.value.changedAt < request.before
            }
            let oldest = old.sorted {
                ($0.value.changedAt, $0.value.sequence) < ($1.value.changedAt, $1.value.sequence)
            }
            var room = request.historyRows
            let purged = oldest.prefix(request.limit).prefix { key, _ in
                room -= environment.history[key]?.count ?? 0
                return room >= 0
            }
            if purged.isEmpty, let first = oldest.first {
                environment.shorten(first.key, by: request.historyRows)
            }
            for (key, record) in purged {
                environment.forget(key)
                environment.purgeHorizon = max(environment.purgeHorizon, record.sequence)
            }
            return SweepResult(records: purged.count, hasMore: old.count > purged.count)
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
