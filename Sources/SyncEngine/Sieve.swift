import AccessPolicy
import SyncProtocol

/// What a pull makes of each record that it comes to.
enum Delivery {
    /// The client holds it as it is, or never held it and is not to see it.
    case none
    case record(ShownRecord)
    /// The client holds it, or may hold it, and is not to see it any more.
    case drop(DroppedMessage)
}

/// Compares what a client holds with what it may see.
struct Sieve {
    let gate: Gate
    /// Of before the change of rights that the client is being told of.
    let formerSight: FormerSight?

    func delivery(
        of record: StoredRecord, _ past: RecordPast, conflicts: [StoredConflict],
        after cursor: Cursor
    ) throws(StoreError) -> Delivery {
        if holdsTheSame(of: record, past, at: cursor) { return .none }
        if let shown = try gate.shown(record, conflicts: conflicts) { return .record(shown) }
        return wasSeen(record, past, until: cursor)
            ? .drop(DroppedMessage(model: record.model, guid: record.guid)) : .none
    }

    /// Of a record that has not changed since the client's rights have: that it looks the same, or
    /// is deleted, which the client knows.
    private func holdsTheSame(
        of record: StoredRecord, _ past: RecordPast, at cursor: Cursor
    ) -> Bool {
        guard let formerSight, past.lastChanged <= cursor.heldSince else { return false }
        let view = gate.view(of: record.model, record.ownership)
        let former = formerSight.view(of: record.model, record.ownership)
        let isGone = record.isDeleted && !record.isConflicted
        return isGone || formerSight.isSame(former, as: view, of: record.model)
    }

    /// Whether the client may have been shown the record: under its present rights, or those that
    /// it had before.
    private func wasSeen(
        _ record: StoredRecord, _ past: RecordPast, until cursor: Cursor
    ) -> Bool {
        let model = record.model
        let lately = past.ownerships(
            from: cursor.heldSince, through: cursor.position, now: record.ownership)
        if lately.contains(where: { gate.view(of: model, $0) != .nothing }) { return true }
        guard case .changing(_, let since, let until) = cursor.phase, let formerSight else {
            return false
        }
        return past.ownerships(from: since, through: until, now: record.ownership)
            .contains { formerSight.view(of: model, $0) != .nothing }
    }
}
