import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// Decides the changes inside the transaction that writes them, and returns their outcomes. An
    /// empty request opens no transaction.
    ///
    /// The transaction also checks the fingerprint, because another definition may have been
    /// deployed since the caller was identified.
    func push(
        _ batch: [Change], acknowledging acknowledged: [String] = [], seen sequence: Int64,
        reading page: PageRequest? = nil, forgettingAfter seconds: Int64? = nil,
        from caller: Caller, at now: Instant
    ) async throws(SyncError) -> Pushed {
        guard !batch.isEmpty || !acknowledged.isEmpty else { return Pushed() }
        if caller.asker.role.isOperator, caller.asker.ownershipOfNew == nil,
            batch.contains(where: { $0.action == .create })
        {
            throw .ownerMissing
        }
        let rules = rules
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits, naming: naming)
        let need = need(
            of: batch, by: author, under: rules, environment: environment, seenSequence: sequence)
        let prepared = batch.map { PreparedChange($0, by: author, under: rules) }
        let done = try await reading { () async throws(StoreError) in
            try await store.commit(need, reading: page) { records throws(StoreError) in
                try uniqueValues(of: batch, on: records, by: rules)
            } deciding: { facts throws(StoreError) -> (WriteSet, [Outcome]?) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), nil) }
                let decided = try decide(prepared, given: facts, by: rules, author: author)
                var writes = decided.writes
                writes.acknowledged = acknowledged
                writes.outcomesExpireAt = seconds.map(now.adding)
                writes.tracelessExpireAt = now.adding(seconds: limits.sessionSeconds)
                return (writes, decided.outcomes)
            }
        }
        guard let outcomes = done.result else { throw .definitionChanged }
        return Pushed(outcomes: outcomes, page: done.page)
    }
}

/// The result of a push.
struct Pushed {
    var outcomes: [Outcome] = []
    /// The first page of the pull, if the transaction read it.
    var page: Page?
}
