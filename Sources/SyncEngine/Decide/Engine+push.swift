import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

extension Engine {
    /// Decides the changes inside the transaction that writes them, and returns their outcomes. An
    /// empty request opens no transaction.
    ///
    /// The transaction also checks the fingerprint, because another definition may have been
    /// deployed since the caller was identified, and from time to time the number of outcomes that
    /// nobody has acknowledged.
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
        var need = need(
            of: batch, by: author, under: rules, environment: environment, seenSequence: sequence)
        if outcomeGauge.isDue(writing: batch.count, by: caller.login) {
            need.countsOutcomesUpTo = limits.outcomesOfUser
        }
        let prepared = batch.map { PreparedChange($0, by: author, under: rules) }
        let done = try await reading { () async throws(StoreError) in
            try await store.commit(need, reading: page) { records throws(StoreError) in
                try uniqueValues(of: batch, on: records, by: rules)
            } deciding: { facts throws(StoreError) -> (WriteSet, Result<[Outcome], SyncError>) in
                guard isCurrent(facts.fingerprint) else {
                    return (WriteSet(), .failure(.definitionChanged))
                }
                if let excess = excess(of: batch, given: facts) {
                    return (WriteSet(acknowledged: acknowledged), .failure(excess))
                }
                let decided = try decide(prepared, given: facts, by: rules, author: author)
                var writes = decided.writes
                writes.acknowledged = acknowledged
                writes.outcomesExpireAt = seconds.map(now.adding)
                return (writes, .success(decided.outcomes))
            }
        }
        if need.countsOutcomesUpTo != nil, case .success = done.result {
            outcomeGauge.restart(for: caller.login)
        }
        return Pushed(outcomes: try done.result.get(), page: done.page)
    }

    /// The reason why no further outcomes are stored; nil if there is room for those of the batch,
    /// or if they were not counted. Changes that have an outcome already need none.
    private func excess(of batch: [Change], given facts: Facts) -> SyncError? {
        guard let stored = facts.outcomeAmounts else { return nil }
        let added = batch.count { facts.outcomes[$0.id] == nil }
        guard added > 0 else { return nil }
        if stored.ofDevice.rows + added > limits.outcomesOfDevice
            || stored.ofDevice.bytes >= limits.outcomeBytesOfDevice
        {
            return .tooManyUnacknowledged(
                max: limits.outcomesOfDevice, maxBytes: limits.outcomeBytesOfDevice)
        }
        if stored.ofUser.rows + added > limits.outcomesOfUser
            || stored.ofUser.bytes >= limits.outcomeBytesOfUser
        {
            return .tooManyUnacknowledged(
                max: limits.outcomesOfUser, maxBytes: limits.outcomeBytesOfUser)
        }
        return nil
    }
}

/// The result of a push.
struct Pushed {
    var outcomes: [Outcome] = []
    /// The first page of the pull, if the transaction read it.
    var page: Page?
}
