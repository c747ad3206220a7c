import DefinitionModel
import SyncEngine

extension Environment {
    /// Writes a batch. An error leaves the environment half written; the caller must discard it.
    mutating func write(_ batch: WriteBatch) throws(StoreError) {
        for holding in batch.freedValues { try free(holding) }
        for placed in batch.ownershipChanges {
            ownershipChanges[ByteKey(placed.guid), default: []].append(placed.change)
            reassignments.append(
                MemoryReassignment(
                    guid: ByteKey(placed.guid), stamp: placed.stamp, change: placed.change))
        }
        for record in batch.records { try place(record) }
        for claim in batch.claims { self.claim(claim.guid, for: claim.login, at: claim.at) }
        for link in batch.endedLinks { links[LinkKey(link)] = nil }
        for link in batch.formerLinks { links[LinkKey(link)] = false }
        for link in batch.links { links[LinkKey(link)] = true }
        for entry in batch.history {
            let key = ByteKey(entry.entry.guid)
            history[key, default: []].append(entry.entry)
            historySequences[key, default: []].append(entry.sequence)
        }
        for guid in batch.closedConflicts { closeConflicts(of: ByteKey(guid)) }
        for conflict in batch.replacedConflicts { close(conflict) }
        for conflict in batch.openedConflicts { try open(conflict) }
        for holding in batch.takenValues { try take(holding) }
        for forgotten in batch.forgottenOutcomes { forget(forgotten) }
        let written = Set(batch.outcomes.map { OutcomeKey($0.id) })
        for device in batch.trimmedDevices { trimOutcomes(of: device, except: written) }
        for outcome in batch.outcomes { try store(outcome) }
        for name in batch.names { names[ByteKey(name.guid)] = name.name }
    }

    private mutating func place(_ placed: PlacedRecord) throws(StoreError) {
        let key = ByteKey(placed.record.guid)
        guard !placed.isNew || records[key] == nil else {
            throw .failed("the record '\(placed.record.guid)' is stored already")
        }
        (sequence, lastStamp) = (placed.sequence, placed.stamp)
        records[key] = MemoryRecord(
            stored: placed.record, sequence: placed.sequence,
            created: records[key]?.created ?? placed.sequence,
            createdAt: records[key]?.createdAt ?? placed.stamp, changedAt: placed.stamp)
    }

    private mutating func closeConflicts(of guid: ByteKey) { conflicts[guid] = nil }

    private mutating func close(_ conflict: StoredConflict) {
        let key = ByteKey(conflict.guid)
        conflicts[key]?.removeAll { $0.stored.revision == conflict.revision }
    }

    private mutating func open(_ conflict: StoredConflict) throws(StoreError) {
        let key = ByteKey(conflict.guid)
        let others = conflicts[key] ?? []
        guard !others.contains(where: { $0.stored.revision == conflict.revision }) else {
            throw .failed(
                "'\(conflict.guid)' has a conflict of revision \(conflict.revision) already")
        }
        conflicts[key] = others + [MemoryConflict(stored: conflict, isOpen: true)]
    }

    private mutating func free(_ holding: UniqueHolding) throws(StoreError) {
        guard let holder = holders[holding.value], ByteKey(holder) == ByteKey(holding.guid) else {
            throw .unreadable(
                "'\(holding.guid)' is not known to hold its '\(holding.value.field)'")
        }
        holders[holding.value] = nil
    }

    private mutating func take(_ holding: UniqueHolding) throws(StoreError) {
        guard holders[holding.value] == nil else {
            throw .failed("a record has this value of '\(holding.value.field)' already")
        }
        holders[holding.value] = holding.guid
    }

    private mutating func forget(_ forgotten: ForgottenOutcome) {
        let key = OutcomeKey(forgotten.id)
        guard let outcome = outcomes[key], outcome.isTraceless else {
            outcomes[key] = nil
            return
        }
        outcomes[key]?.expiresAt = outcome.expiresAt ?? forgotten.tracelessUntil
    }

    /// Keeps those that are written next: a call that presumes them absent must fail.
    private mutating func trimOutcomes(of device: DeviceKey, except written: Set<OutcomeKey>) {
        let own = DeviceByteKey(device)
        let kept = outcomes.filter { key, outcome in
            key.device == own && outcome.isTraceless && outcome.expiresAt != nil
        }
        guard kept.count > ForgottenOutcome.keptOfDevice else { return }
        let latest = kept.sorted { $0.value.place > $1.value.place }
        for (key, _) in latest.dropFirst(ForgottenOutcome.keptOfDevice)
        where !written.contains(key) {
            outcomes[key] = nil
        }
    }

    private mutating func store(_ outcome: ExpiringOutcome) throws(StoreError) {
        let id = outcome.id
        let key = OutcomeKey(id)
        guard outcomes[key] == nil else {
            throw .failed("the change '\(id.changeID)' has an outcome already")
        }
        outcomes[key] = outcome
    }
}

extension ExpiringOutcome {
    /// Orders outcomes by their end.
    fileprivate var place: (Int64, ByteKey) {
        (expiresAt?.milliseconds ?? 0, ByteKey(id.changeID))
    }
}
