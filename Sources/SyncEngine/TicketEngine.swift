package import ChangeRules
import DefinitionModel

/// Serves clients that send whole records, know no revisions and confirm what they were sent: what
/// one has confirmed is what its edits are made from.
package struct TicketEngine: Sendable {
    package let engine: Engine
    let ledger: any TicketLedger

    /// `ledger` is the engine's own store.
    package init(engine: Engine, ledger: any TicketLedger) {
        self.engine = engine
        self.ledger = ledger
    }

    /// Takes in at most as many records as a batch may have changes, each of another guid, and
    /// answers what became of those that differ from what the device has. Sent again, they differ
    /// no more, so nothing has to be remembered of the sending.
    package func push(
        _ records: [WholeRecord], from caller: Caller, at now: Instant
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
        let confirmed = try engine.confirmed(token, by: caller)
        let taken = try await engine.push(records, confirmed: confirmed, from: caller, at: now)
        if taken.tellsLosses, let token { try await lookBack(from: token, for: caller) }
        return taken.outcomes
    }

    /// With the next answer the device is told of what was once its user's to see and has got a
    /// new sequence, however long ago it was taken away.
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

    /// Notes a sync of the device, in place of the one before. `text` is one that no other ticket
    /// has. A sync that is refused, for `rejection`, has nothing to deliver.
    package func open(
        _ text: String, startsOver: Bool, rejection: String?, for caller: Caller
    ) async throws(SyncError) {
        try await change(of: caller) { progress in
            var progress = progress ?? DeviceProgress()
            progress.ticket = SyncTicket(text: text, startsOver: startsOver, rejection: rejection)
            return (progress, ())
        }
    }

    /// Why nothing comes of a sync; nil when its answer can be had.
    package func rejection(
        of text: String, for caller: Caller
    ) async throws(SyncError) -> String? {
        let ticket = try await change(of: caller) { (nil, $0?.ticket(named: text)) }
        guard let ticket else { throw .ticket(.unknown) }
        return ticket.rejection
    }

    /// From now on the device has what it was sent.
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
    /// By the cursor that the device has confirmed. Nothing is confirmed of another database.
    fileprivate func confirmed(
        _ token: String?, by caller: Caller
    ) throws(SyncError) -> Confirmed {
        guard let token, let cursor = seal.value(of: token, as: Cursor.self),
            cursor.instance == instance
        else { return Confirmed(sequence: 0, sight: nil) }
        let former = rules(ofVersion: cursor.rights.fingerprint)
        return Confirmed(
            sequence: cursor.position,
            sight: former.map { FormerSight(of: cursor.rights, under: $0, now: rules) })
    }

    fileprivate func push(
        _ records: [WholeRecord], confirmed: Confirmed, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> Taken {
        guard !records.isEmpty else { return Taken() }
        let rules = rules
        let author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        let broadest = records.map(\.broadest)
        let need = need(
            of: broadest, by: author, under: rules, environment: environment,
            seenSequence: confirmed.sequence, isWhole: true)
        let taken: Taken? = try await reading { () async throws(StoreError) in
            try await store.commit(need) { records throws(StoreError) in
                try uniqueValues(of: broadest, on: records, by: rules)
            } deciding: { facts throws(StoreError) in
                guard isCurrent(facts.fingerprint) else { return (Writes(), nil) }
                var wishes: [String: Wish] = [:]
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
                    Taken(
                        outcomes: decided.outcomes,
                        tellsLosses: wishes.values.contains { $0.isLost && $0.isToldAgain })
                )
            }
        }
        guard let taken else { throw .definitionChanged }
        return taken
    }
}

private struct Taken: Sendable {
    var outcomes: [Outcome] = []
    /// Whether records that are not the user's to see any more are to be told of again.
    var tellsLosses = false
}

/// Repeats are known by the history, so no outcome is kept. What has to be told again, and was
/// neither changed nor refused, gets a new sequence.
private func writes(
    of decided: DecidedBatch, wishing wishes: [String: Wish], given facts: Facts
) -> Writes {
    var writes = decided.writes
    writes.outcomes = []
    let refused = decided.outcomes.filter { $0.kind == .refused }.map(\.guid)
    let again = Set(wishes.filter(\.value.isToldAgain).keys)
        .subtracting(refused).subtracting(writes.records.map(\.guid))
    writes.records += again.sorted().compactMap { facts.records[$0] }
    return writes
}
