import DefinitionModel
package import SyncEngine

/// Syncs clients that send whole records, know no revisions and confirm what they receive. The
/// confirmed state is the base of their edits.
package struct TicketEngine: Sendable {
    package let engine: Engine
    let store: any TicketStore

    /// `store` is the engine's own store.
    package init(engine: Engine, store: any TicketStore) {
        self.engine = engine
        self.store = store
    }

    /// The same engine, whose long reads each wait for a turn; see `Engine.taking`.
    package func taking(_ turns: any ReadTurns) -> TicketEngine {
        TicketEngine(engine: engine.taking(turns), store: store)
    }

    /// Moves the confirmed cursor back, so that the next answer reports every record that has a new
    /// sequence and that the user could once see, however long ago that right was lost.
    func lookBack(from token: String, for caller: Caller) async throws(SyncError) {
        guard var cursor = engine.seal.value(of: token, as: Cursor.self) else { return }
        cursor.phase = .following(since: 0)
        // The device knows of no later change than it did.
        let earlier = try engine.token(of: cursor, knowing: 0)
        try await change(of: caller) { progress in
            guard var progress, progress.confirmed == token else { return (nil, ()) }
            progress.confirmed = earlier
            return (progress, ())
        }
    }

    /// Records a sync of the device, which replaces the one before the last. `text` must be unique
    /// among all tickets. A sync with a `rejection` delivers nothing.
    package func open(
        _ text: String, startsOver: Bool, rejection: SyncRejection?, for caller: Caller
    ) async throws(SyncError) {
        try await change(of: caller) { progress in
            var progress = progress ?? DeviceProgress()
            progress.formerTicket = progress.ticket
            progress.ticket = SyncTicket(text: text, startsOver: startsOver, rejection: rejection)
            return (progress, ())
        }
    }

    /// Returns the reason why a sync delivers nothing; nil if it delivers. Throws `unknown` if the
    /// device has no such ticket.
    package func rejection(
        of text: String, for caller: Caller
    ) async throws(SyncError) -> SyncRejection? {
        let ticket = try await change(of: caller) { (nil, $0?.ticket(named: text)) }
        guard let ticket else { throw .ticket(.unknown) }
        return ticket.rejection
    }

    /// Records that the device has stored the delivered answer. Throws `unknown` or `undelivered`.
    ///
    /// If two syncs run at once, the one that was delivered later counts.
    package func confirm(_ text: String, by caller: Caller) async throws(SyncError) {
        let engine = engine
        let refusal: TicketRefusal? = try await change(of: caller) { progress in
            guard var progress, let ticket = progress.ticket(named: text) else {
                return (nil, .unknown)
            }
            guard let delivered = ticket.delivered else { return (nil, .undelivered) }
            progress.owedRecords = progress.owedRecords.filter {
                !$0.value.hasSameBytes(as: text)
            }
            let isCurrent = progress.ticket == ticket
            guard isCurrent || engine.isLater(delivered, than: progress.confirmed)
            else { return (progress, nil) }
            progress.confirmed = delivered
            return (progress, nil)
        }
        if let refusal { throw .ticket(refusal) }
        guard engine.hasFileFields else { return }
        try await engine.reading { () async throws(StoreError) in
            try await store.settleDeviceFiles(
                of: caller.device, ticket: text, in: engine.environment)
        }
    }

    func change<Result: Sendable>(
        of caller: Caller,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(SyncError) -> Result {
        try await engine.reading { () async throws(StoreError) in
            try await store.changeProgress(
                of: caller.device, in: engine.environment, deciding: deciding)
        }
    }
}

extension DeviceProgress {
    func ticket(named text: String) -> SyncTicket? {
        [ticket, formerTicket].lazy.compactMap(\.self).first { $0.text.hasSameBytes(as: text) }
    }

    /// Replaces the ticket with the same text.
    mutating func update(_ changed: SyncTicket) {
        if ticket?.text.hasSameBytes(as: changed.text) ?? true {
            ticket = changed
        } else {
            formerTicket = changed
        }
    }
}

extension Engine {
    /// Returns a device's confirmed cursor. A cursor of another database, of another instance or
    /// from the future of a restored copy confirms nothing: these clients cannot start over by
    /// themselves, and would fail at every synchronization.
    func confirmedCursor(_ token: String?, of caller: Caller) -> Cursor? {
        guard let token, let cursor = seal.value(of: token, as: Cursor.self),
            isOfPast(cursor, of: caller)
        else { return nil }
        return cursor
    }

    /// Whether a cursor is of a later state than the confirmed one.
    fileprivate func isLater(_ token: String, than confirmed: String?) -> Bool {
        guard let present = seal.value(of: confirmed ?? "", as: Cursor.self) else { return true }
        return seal.value(of: token, as: Cursor.self).map { $0.position > present.position }
            ?? false
    }

    /// Returns the state at the device's confirmed cursor.
    func confirmed(_ token: String?, by caller: Caller) -> Confirmed {
        guard let cursor = confirmedCursor(token, of: caller) else {
            return Confirmed(sequence: 0, previousPolicy: nil)
        }
        let former = rules(ofVersion: cursor.rights.fingerprint)
        return Confirmed(
            sequence: cursor.position,
            previousPolicy: former.map { previousPolicy(of: cursor.rights, under: $0) })
    }
}
