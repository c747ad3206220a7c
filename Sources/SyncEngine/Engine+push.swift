import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// Decides the changes inside the transaction that writes them, and answers what became of
    /// each. A request that brings nothing opens no transaction. Also in there it is seen whether
    /// the definition is still the current one: another may have been deployed since the caller
    /// was identified.
    func push(
        _ batch: [Change], acknowledging acknowledged: [String] = [], seen sequence: Int64,
        reading page: PageRequest? = nil, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> Pushed {
        guard !batch.isEmpty || !acknowledged.isEmpty else { return Pushed() }
        let rules = rules
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        let need = need(
            of: batch, by: author, under: rules, environment: environment, seenSequence: sequence)
        let prepared = batch.map { PreparedChange($0, by: author, under: rules) }
        let done = try await reading { () async throws(StoreError) in
            try await store.commit(need, reading: page) { records throws(StoreError) in
                try uniqueValues(of: batch, on: records, by: rules)
            } deciding: { facts throws(StoreError) -> (Writes, [Outcome]?) in
                guard isCurrent(facts.fingerprint) else { return (Writes(), nil) }
                let decided = try decide(prepared, given: facts, by: rules, author: author)
                var writes = decided.writes
                writes.acknowledged = acknowledged
                return (writes, decided.outcomes)
            }
        }
        guard let outcomes = done.result else { throw .definitionChanged }
        return Pushed(outcomes: outcomes, page: done.page)
    }
}

/// What became of a request's changes.
struct Pushed {
    var outcomes: [Outcome] = []
    /// What a pull begins with, if it was read at once.
    var page: Page?
}
