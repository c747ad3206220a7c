package import ChangeRules
package import SyncEngine

/// One page of the records that a device is sent.
package struct DeliveredPage: Sendable {
    package let records: [DeliveredRecord]
    /// Records that the device may no longer see.
    package let dropped: [RecordKey]
}

/// A record as a device sees it.
package struct DeliveredRecord: Hashable, Sendable {
    package let view: RecordView
    /// Whether an open conflict of the record contains an edit of this device.
    package let isDisputedHere: Bool

    package init(view: RecordView, isDisputedHere: Bool) {
        self.view = view
        self.isDisputedHere = isDisputedHere
    }
}

extension TicketEngine {
    /// Delivers everything that is new to the device, or every record if the sync starts over, one
    /// page at a time in the order of changes. `taking` must store its page before it returns. The
    /// position is recorded after the last page.
    ///
    /// Throws `absentTooLong` if it is not known any more what was deleted since the device's last
    /// sync: then the device must start over.
    package func deliver(
        _ text: String, to caller: Caller,
        taking: (DeliveredPage) async throws -> Void
    ) async throws {
        let (ticket, before) = try await beginDelivery(of: text, to: caller)
        let start = try start(of: ticket, after: before, for: caller)
        var next = start
        while true {
            guard case .pulled(let pulled) = try await engine.pull(from: next, to: caller) else {
                throw SyncError.ticket(.absentTooLong)
            }
            try await taking(
                try DeliveredPage(pulled, to: caller, startsOver: ticket.startsOver))
            next = PullPosition(
                cursor: pulled.cursor, isResync: false, formerSight: start.formerSight)
            guard pulled.hasMore else { break }
        }
        try await endDelivery(ticket, at: try engine.token(of: next.cursor), to: caller)
    }

    private func start(
        of ticket: SyncTicket, after before: DeviceProgress, for caller: Caller
    ) throws(SyncError) -> PullPosition {
        guard before.holdsRecords, !ticket.startsOver else {
            return engine.startingOver(for: caller, at: caller.sequence, isResync: false)
        }
        let start =
            engine.confirmedCursor(before.confirmed, of: caller) == nil
            ? engine.startFromNothingConfirmed(for: caller)
            : try engine.start(at: before.confirmed, from: caller)
        guard !start.isResync else { throw .ticket(.absentTooLong) }
        return start
    }

    /// Returns the ticket and the device's progress before the delivery.
    private func beginDelivery(
        of text: String, to caller: Caller
    ) async throws(SyncError) -> (SyncTicket, DeviceProgress) {
        typealias Begun = Result<(SyncTicket, DeviceProgress), TicketRefusal>
        let begun: Begun = try await change(of: caller) { progress in
            guard let before = progress, var ticket = before.ticket(named: text) else {
                return (nil, .failure(.unknown))
            }
            guard ticket.rejection == nil else { return (nil, .failure(.rejected)) }
            ticket.deliveries += 1
            var next = before
            next.ticket = ticket
            next.holdsRecords = true
            return (next, .success((ticket, before)))
        }
        switch begun {
        case .success(let begun): return begun
        case .failure(let refusal): throw .ticket(refusal)
        }
    }

    /// Records the position unless a later delivery has started. The device then has that one, or
    /// an earlier complete one until it completes.
    private func endDelivery(
        _ ticket: SyncTicket, at cursor: String, to caller: Caller
    ) async throws(SyncError) {
        try await change(of: caller) { progress in
            guard var progress, var present = progress.ticket(named: ticket.text),
                present.deliveries == ticket.deliveries
            else { return (nil, ()) }
            present.delivered = cursor
            progress.ticket = present
            return (progress, ())
        }
    }
}

extension DeliveredPage {
    /// A device that starts over may have lost its own edits.
    fileprivate init(
        _ pulled: Pulled, to caller: Caller, startsOver: Bool
    ) throws(SyncError) {
        do {
            records = try pulled.views().map { view in
                DeliveredRecord(
                    view: view,
                    isDisputedHere: !startsOver && view.isConflicted
                        && pulled.disputes(of: view.guid).contains(caller.device))
            }
        } catch {
            throw .store(error)
        }
        dropped = pulled.dropped
    }
}
