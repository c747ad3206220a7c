import SyncEngine

extension Environment {
    /// Where it throws, something is half written: whoever calls throws all of it away.
    mutating func carryOut(_ writes: Writes, of device: DeviceKey) throws(StoreError) {
        for record in writes.records { place(record, at: writes.at) }
        for guid in writes.namedFiles { claim(guid, for: device.login, at: writes.at) }
        for link in writes.endedLinks { links[LinkKey(link)] = nil }
        for link in writes.formerLinks { links[LinkKey(link)] = false }
        for link in writes.links { links[LinkKey(link)] = true }
        let changed = Set(writes.records.map { Key($0.guid) })
        for entry in writes.history {
            let key = Key(entry.guid)
            history[key, default: []].append(entry)
            historySequences[key, default: []].append(
                changed.contains(key) ? records[key]?.sequence ?? sequence : sequence)
        }
        for guid in writes.closedConflicts { closeConflicts(of: Key(guid)) }
        for conflict in writes.openedConflicts { try open(conflict) }
        for holding in writes.freedValues { try free(holding) }
        for holding in writes.takenValues { try take(holding) }
        for id in writes.acknowledged { outcomes[OutcomeKey(id, of: device)] = nil }
        for outcome in writes.outcomes { try store(outcome, of: device) }
    }

    private mutating func place(_ record: StoredRecord, at moment: Instant) {
        sequence += 1
        let key = Key(record.guid)
        let former = records[key]
        if let stored = former?.stored,
            Key(stored.owner) != Key(record.owner) || Key(stored.group) != Key(record.group)
        {
            moves[key, default: []].append(
                OwnershipMove(
                    sequence: sequence, revision: record.revision, owner: stored.owner,
                    group: stored.group))
        }
        records[key] = PlacedRecord(
            stored: record, sequence: sequence, created: former?.created ?? sequence,
            changedAt: moment)
    }

    private mutating func closeConflicts(of guid: Key) {
        conflicts[guid] = conflicts[guid]?.map { Conflict(stored: $0.stored, isOpen: false) }
    }

    private mutating func open(_ conflict: StoredConflict) throws(StoreError) {
        let key = Key(conflict.guid)
        let others = conflicts[key] ?? []
        guard !others.contains(where: { $0.stored.revision == conflict.revision }) else {
            throw .failed(
                "'\(conflict.guid)' has a conflict of revision \(conflict.revision) already")
        }
        conflicts[key] = others + [Conflict(stored: conflict, isOpen: true)]
    }

    private mutating func free(_ holding: UniqueHolding) throws(StoreError) {
        guard let holder = holders[holding.value], Key(holder) == Key(holding.guid) else {
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

    private mutating func store(
        _ outcome: StoredOutcome, of device: DeviceKey
    ) throws(StoreError) {
        let key = OutcomeKey(outcome.changeID, of: device)
        guard outcomes[key] == nil else {
            throw .failed("the change '\(outcome.changeID)' has an outcome already")
        }
        outcomes[key] = outcome
    }
}
