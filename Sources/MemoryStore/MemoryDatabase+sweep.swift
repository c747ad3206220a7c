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
            }.prefix(request.limit)
            for (key, record) in oldest {
                environment.forget(key)
                environment.purgeHorizon = max(environment.purgeHorizon, record.sequence)
            }
            return SweepResult(records: oldest.count, hasMore: old.count > oldest.count)
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
