package import ChangeRules
import DefinitionModel
package import SyncEngine

/// Syncs clients that send whole records, know no revisions and confirm what they receive. The
/// confirmed state is the base of their edits.
package struct TicketEngine: Sendable {
    package let engine: Engine
    let ledger: any TicketStore

    /// `ledger` is the engine's own store.
    package init(engine: Engine, ledger: any TicketStore) {
        self.engine = engine
        self.ledger = ledger
    }

    /// Pushes records, each with another guid and at most `Limits.changes` of them. Returns the
    /// outcomes of those that differ from the device's confirmed state. A repeated push differs no
    /// more, so the push itself is not recorded.
    package func push(
        _ records: [FullRecord], from caller: Caller, at now: Instant
    ) async throws(SyncError) -> [Outcome] {
        let max = engine.limits.changes
        guard records.count <= max else {
            throw .tooManyChanges(count: records.count, max: max)
        }
        let token = try await change(of: caller) { progress in
            var next = progress ?? DeviceProgress()
            next.holdsRecords = next.holdsRecords || !records.isEmpty
            return (next == progress ? nil : next, next.confirmed)
        }
        let confirmed = engine.confirmed(token, by: caller)
        let taken = try await engine.push(records, confirmed: confirmed, from: caller, at: now)
        if taken.tellsLosses, let token { try await lookBack(from: token, for: caller) }
        return taken.outcomes
    }

    /// Moves the confirmed cursor back, so that the next answer reports every record that has a new
    /// sequence and that the user could once see, however long ago that right was lost.
    private func lookBack(from token: String, for caller: Caller) async throws(SyncError) {
        guard var cursor = engine.seal.value(of: token, as: Cursor.self) else { return }
        cursor.phase = .following(since: 0)
        let earlier = try engine.token(of: cursor)
        try await change(of: caller) { progress in
            guard var progress, progress.confirmed == token else { return (nil, ()) }
            progress.confirmed = earlier
            return (progress, ())
        }
    }

    /// Records a sync of the device, which replaces the last one. `text` must be unique among all
    /// tickets. A sync with a `rejection` delivers nothing.
    package func open(
        _ text: String, startsOver: Bool, rejection: String?, for caller: Caller
    ) async throws(SyncError) {
        try await change(of: caller) { progress in
            var progress = progress ?? DeviceProgress()
            progress.ticket = SyncTicket(text: text, startsOver: startsOver, rejection: rejection)
            return (progress, ())
        }
    }

    /// Returns the reason why a sync delivers nothing; nil if it delivers. Throws `unknown` if the
    /// device has no such ticket.
    package func rejection(
        of text: String, for caller: Caller
    ) async throws(SyncError) -> String? {
        let ticket = try await change(of: caller) { (nil, $0?.ticket(named: text)) }
        guard let ticket else { throw .ticket(.unknown) }
        return ticket.rejection
    }

    /// Records that the device has stored the delivered answer. Throws `unknown` or `undelivered`.
    package func confirm(_ text: String, by caller: Caller) async throws(SyncError) {
        let refusal: TicketRefusal? = try await change(of: caller) { progress in
            guard var progress, let ticket = progress.ticket(named: text) else {
                return (nil, .unknown)
            }
            guard let delivered = ticket.delivered else { return (nil, .undelivered) }
            progress.confirmed = delivered
            return (progress, nil)
        }
        if let refusal { throw .ticket(refusal) }
    }

    func change<Result: Sendable>(
        of caller: Caller,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(SyncError) -> Result {
        try await engine.reading { () async throws(StoreError) in
            try await ledger.changeProgress(
                of: caller.device, in: engine.environment, deciding: deciding)
        }
    }
}

extension DeviceProgress {
    func ticket(named text: String) -> SyncTicket? {
        ticket.flatMap { $0.text.hasSameBytes(as: text) ? $0 : nil }
    }
}

extension Engine {
    /// Returns a device's confirmed cursor. A cursor of another database, of another instance or
    /// from the future of a restored copy confirms nothing: these clients cannot start over by
    /// themselves, and would fail at every synchronization.
    func confirmedCursor(_ token: String?, of caller: Caller) -> Cursor? {
        guard let token, let cursor = seal.value(of: token, as: Cursor.self),
            cursor.instance.hasSameBytes(as: instance), cursor.position <= caller.sequence
        else { return nil }
        return cursor
    }

    /// Returns the state at the device's confirmed cursor.
    fileprivate func confirmed(_ token: String?, by caller: Caller) -> Confirmed {
        guard let cursor = confirmedCursor(token, of: caller) else {
            return Confirmed(sequence: 0, sight: nil)
        }
        let former = rules(ofVersion: cursor.rights.fingerprint)
        return Confirmed(
            sequence: cursor.position,
            sight: former.map { PreviousReadPolicy(of: cursor.rights, under: $0, now: rules) })
    }

    fileprivate func push(
        _ records: [FullRecord], confirmed: Confirmed, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> FullPushResult {
        guard !records.isEmpty else { return FullPushResult() }
        let rules = rules
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        let broadest = records.map(\.broadest)
        let need = need(
            of: broadest, by: author, under: rules, environment: environment,
            seenSequence: confirmed.sequence, isWhole: true)
        let taken: FullPushResult? = try await reading { () async throws(StoreError) in
            try await store.commit(need) { records throws(StoreError) in
                try uniqueValues(of: broadest, on: records, by: rules)
            } deciding: { facts throws(StoreError) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), nil) }
                var wishes: [String: PlannedChanges] = [:]
                var batch: [Change] = []
                for record in records {
                    let wish = try wish(
                        of: record, given: facts, confirmed: confirmed, by: author, under: rules)
                    wishes[record.guid] = wish
                    batch += wish.changes
                }
                let decided = try decide(batch, given: facts, by: rules, author: author)
                return (
                    writes(of: decided, wishing: wishes, given: facts),
                    FullPushResult(
                        outcomes: decided.outcomes,
                        tellsLosses: wishes.values.contains { $0.isLost && $0.isToldAgain })
                )
            }
        }
        guard let taken else { throw .definitionChanged }
        return taken
    }
}

private struct FullPushResult: Sendable {
    var outcomes: [Outcome] = []
    /// Whether the device must be told again of records that its user may no longer see.
    var tellsLosses = false
}

/// Returns the writes of a batch without outcomes: repetitions are recognised by the history. A
/// record that the device must be sent again gets a new sequence, unless it was changed or refused.
private func writes(
    of decided: DecidedBatch, wishing wishes: [String: PlannedChanges], given facts: Facts
) -> WriteSet {
    var writes = decided.writes
    writes.outcomes = []
    let refused = decided.outcomes.filter { $0.kind == .refused }.map(\.guid)
    let again = Set(wishes.filter(\.value.isToldAgain).keys)
        .subtracting(refused).subtracting(writes.records.map(\.guid))
    writes.records += again.sorted().compactMap { facts.records[$0] }
    return writes
}
