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
    /// nobody has acknowledged. Where histories are too long to be read inside it, they are read
    /// first, and the transaction reads what follows.
    func push(
        _ batch: [Change], prepared: PreparedBatch? = nil,
        acknowledging acknowledged: [String] = [], seen sequence: Int64,
        reading page: PageRequest? = nil, forgettingAfter seconds: Int64? = nil,
        from caller: Caller, at now: Instant, whileWanted isWanted: (@Sendable () -> Bool)? = nil,
        keeping kept: KeptDecision = .everything, tellsStamps: Bool = false
    ) async throws(SyncError) -> Pushed {
        guard !batch.isEmpty || !acknowledged.isEmpty else { return Pushed() }
        try checkOwner(of: batch, by: caller)
        var author = self.author(caller, at: now)
        if !historyGauge.isEmpty { author.fullHistories = try await fullHistories(of: batch) }
        let gauge = outcomeGauges[expiring: seconds != nil]
        var push = Push(
            batch: try changes(of: batch, prepared, by: author), author: author,
            acknowledged: acknowledged, seenSequence: sequence, page: page,
            outcomesExpireAt: seconds.map(now.adding),
            tracelessExpireAt: now.adding(seconds: limits.sessionSeconds),
            presumed: caller.presumed,
            countsOutcomesUpTo: gauge.isDue(writing: batch.count, by: author.device)
                ? gauge.maxOfUser.rows : nil,
            cancellation: batch.count > 1 ? Cancellation(whileWanted: isWanted) : nil, kept: kept,
            tellsStamps: tellsStamps)
        if batch.contains(where: { $0.action == .restore }) {
            push.relatedGuids = try await relatedGuids(ofRestoredBy: batch)
        }
        // Histories may have grown too long again meanwhile, which is not likely to happen often.
        for _ in 0..<Self.maxAttempts {
            let done = try await commit(push)
            switch done.result {
            case .decided(let outcomes, let written):
                observer?.decided(outcomes)
                return Pushed(
                    outcomes: outcomes, page: done.page,
                    stamps: done.before.flatMap { written?.stamps(after: $0) } ?? [:])
            case .refused(let error): throw error
            case .definitionChanged: throw .definitionChanged
            case .tooMuchToRead: throw .tooMuchToRead
            case .historyMissing(let guids):
                try await read(guids, for: &push, whileWanted: isWanted)
            }
        }
        throw .store(.busy)
    }

    /// Reads histories before the turn of a push, when it has a turn to.
    private func read(
        _ guids: [String], for push: inout Push, whileWanted isWanted: (@Sendable () -> Bool)?
    ) async throws(SyncError) {
        let login = push.author.asker.login
        if push.turn == nil {
            push.turn = try await reading { () async throws(StoreError) in
                try await historyReaders.turn(for: login)
            }
        }
        let known = push.known ?? KnownHistory(for: push.batch.map(\.change), by: push.author)
        push.known = try await read(
            guids, after: known, changes: push.batch.count, whileWanted: isWanted)
    }

    /// The guids of the records to which the records belong that a batch restores. A record that
    /// gets others meanwhile has changed, and is not restored.
    private func relatedGuids(ofRestoredBy batch: [Change]) async throws(SyncError) -> [String] {
        let restored = batch.filter { $0.action == .restore && isGuid($0.guid) }.map(\.guid)
        return try await reading { () async throws(StoreError) in
            let found = try await store.search(in: environment, readingNames: false) {
                try $0.records(restored)
            }
            var guids: [String] = []
            for record in found.compactMap(\.?.record) {
                guard let model = rules.model(named: record.model) else { continue }
                let fields = try JSONText.fields(record.fieldsText)
                for case (let name, .belongsTo) in model.namingFields {
                    guard case .string(let guid)? = fields[name] else { continue }
                    guids.append(guid)
                }
            }
            return guids
        }
    }

    /// An operator owns no records.
    private func checkOwner(of batch: [Change], by caller: Caller) throws(SyncError) {
        guard caller.asker.role.isOperator, caller.asker.ownershipOfNew == nil else { return }
        if batch.contains(where: { $0.action == .create }) { throw .ownerMissing }
    }

    private func changes(
        of batch: [Change], _ prepared: PreparedBatch?, by author: Author
    ) throws(SyncError) -> [PreparedChange] {
        guard let prepared else {
            return try PreparedBatch(batch, by: author, under: rules).changes
        }
        return prepared.changes
    }

    private static let maxAttempts = 8

    private func commit(_ push: Push) async throws(SyncError) -> Committed<PushDecision> {
        let (rules, batch) = (rules, push.batch.map(\.change))
        var need = need(
            of: batch, by: push.author, under: rules, environment: environment,
            seenSequence: push.seenSequence, known: push.known)
        if !push.relatedGuids.isEmpty {
            need.guids = Set(need.guids).union(push.relatedGuids).sorted()
        }
        need.areChangesNew = push.isNew
        if push.kept == .nothing { need.createdGuids = [] }
        need.countsOutcomesUpTo = push.countsOutcomesUpTo
        need.countsExpiringOutcomes = push.outcomesExpireAt != nil
        need.presumed = push.presumed
        let asked = need
        return try await cancelling(push.cancellation) { () async throws(StoreError) in
            try await store.commit(asked, reading: push.page) { records throws(StoreError) in
                try uniqueValues(of: batch, on: records, by: rules)
            } deciding: { facts throws(StoreError) -> (WriteSet, PushDecision) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), .definitionChanged) }
                if let excess = excess(of: batch, given: facts, of: push) {
                    return (push.acknowledgements, .refused(excess))
                }
                switch facts.shortage {
                case .records: return (WriteSet(), .tooMuchToRead)
                case .history: return (WriteSet(), .historyMissing(facts.guids(laterThan: asked)))
                case nil: return try decided(push, batch, given: facts)
                }
            }
        }
    }

    /// Clashes are counted here and not after the commit, so that pushes at the same moment do not
    /// get more of them. When the transaction is repeated, they are counted anew.
    private func decided(
        _ push: Push, _ batch: [Change], given facts: Facts
    ) throws(StoreError) -> (WriteSet, PushDecision) {
        let login = push.author.asker.login
        clashMeter.retract(push.clashes, by: login)
        do throws(SyncError) {
            try checkMayClash(batch, by: login, at: push.author.now)
        } catch {
            return (push.acknowledgements, .refused(error))
        }
        let decided = try push.decided(given: facts, by: rules)
        guard !decided.isTooMuch else { return (WriteSet(), .tooMuchToRead) }
        clashMeter.note(
            decided.hiddenClashes, of: push.clashes, by: login, at: push.author.now)
        historyGauge.note(decided.writes.history)
        let writes = push.writes(of: decided)
        let written = push.tellsStamps ? WrittenRecords(writes) : nil
        return (writes, .decided(decided.outcomes, written))
    }

    /// Runs a call of the store, and passes the cancellation of the task on to it.
    private func cancelling<Value: Sendable>(
        _ cancellation: Cancellation?, _ call: () async throws(StoreError) -> Value
    ) async throws(SyncError) -> Value {
        guard let cancellation else { return try await reading(call) }
        let result: Result<Value, SyncError> = await withTaskCancellationHandler {
            do throws(SyncError) {
                return .success(try await reading(call))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    /// The reason why no further outcomes are stored; nil if there is room for those of the batch,
    /// or if they were not counted. Changes that have an outcome already need none.
    fileprivate func excess(
        of batch: [Change], given facts: Facts, of push: Push
    ) -> SyncError? {
        guard let stored = facts.outcomeAmounts else { return nil }
        let added = batch.count { facts.outcomes[$0.id] == nil }
        return outcomeGauges[expiring: push.outcomesExpireAt != nil].limitExceeded(
            writing: added, by: push.author.device, given: stored
        ).map { .tooManyUnacknowledged(max: $0.rows, maxBytes: $0.bytes) }
    }
}

/// A push that is to be decided.
private struct Push: Sendable {
    let batch: [PreparedChange]
    let author: Author
    let acknowledged: [String]
    let seenSequence: Int64
    let page: PageRequest?
    let outcomesExpireAt: Instant?
    let tracelessExpireAt: Instant
    /// Nil for an author whom the database has identified.
    let presumed: AccountsVersion?
    /// Nil if the stored outcomes need not be counted.
    let countsOutcomesUpTo: Int?
    /// Nil for a push that is decided before it could be cancelled.
    let cancellation: Cancellation?
    let kept: KeptDecision
    let tellsStamps: Bool
    let clashes = PushClashes()
    /// Nil if no history was read before.
    var known: KnownHistory?
    /// The turn to hold what is known. It ends with the push.
    var turn: HistoryReaders.Turn?
    /// The guids of the records to which restored records belong.
    var relatedGuids: [String] = []

    func decided(
        given facts: Facts, by rules: Rules
    ) throws(StoreError) -> DecidedBatch {
        var author = author
        author.lacksHistory = known?.isGivenUp ?? false
        return try decide(
            batch, given: known?.joined(with: facts) ?? facts, by: rules, author: author,
            unless: cancellation)
    }

    func writes(of decided: DecidedBatch) -> WriteSet {
        var writes = decided.writes
        writes.acknowledged = acknowledged
        writes.outcomesExpireAt = outcomesExpireAt
        writes.tracelessExpireAt = tracelessExpireAt
        if kept != .everything { writes = writes.keeping(kept, of: decided.outcomes) }
        return writes
    }

    /// Whether the device most likely sends the changes for the first time, so that it has not
    /// acknowledged any, and outcomes of them are written.
    var isNew: Bool {
        switch kept {
        case .everything, .allOrNothing, .allButRefusals:
            acknowledged.isEmpty || Set(acknowledged).isDisjoint(with: batch.lazy.map(\.change.id))
        case .allButOutcomes, .nothing: false
        }
    }

    /// The writes if the changes are refused as a whole.
    var acknowledgements: WriteSet {
        var writes = WriteSet(acknowledged: acknowledged)
        writes.tracelessExpireAt = tracelessExpireAt
        return writes
    }
}

private enum PushDecision: Sendable {
    case decided([Outcome], WrittenRecords?)
    case refused(SyncError)
    case definitionChanged
    case tooMuchToRead
    /// The histories of these records are too long for the transaction.
    case historyMissing([String])
}

extension Facts {
    /// The guids of records that have changed since their bases.
    fileprivate func guids(laterThan need: ReadSet) -> [String] {
        need.baseRevisions.compactMap { guid, base in
            records[guid].flatMap { $0.revision > base ? guid : nil }
        }
    }
}

/// The records that a push writes.
private struct WrittenRecords {
    /// In the order of their changes.
    let guids: [String]
    let at: Instant

    init(_ writes: WriteSet) {
        guids = writes.records.map(\.guid)
        at = writes.at
    }

    /// The stamp of the last change of each record, by guid.
    func stamps(after last: ChangePoint) -> [String: Instant] {
        var (stamps, last) = ([String: Instant](minimumCapacity: guids.count), last)
        for guid in guids {
            last = last.next(at: at)
            stamps[guid] = last.stamp
        }
        return stamps
    }
}

/// The result of a push.
struct Pushed {
    var outcomes: [Outcome] = []
    /// The first page of the pull, if the transaction read it.
    var page: Page?
    /// The stamp of the change of each record that was written, by guid, if it was asked for.
    var stamps: [String: Instant] = [:]
}
