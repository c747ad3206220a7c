import DefinitionModel

/// Rows that calls of one environment write, to be written in the order of these properties.
///
/// A batch carries the writes of several calls as long as that order gives the same as the writes
/// of one call after the other.
package struct WriteBatch: Sendable {
    /// Free before any value is taken. A value whose record does not hold it is an error: the
    /// table cannot be trusted then.
    package private(set) var freedValues: [UniqueHolding] = []
    /// Former owners and groups of records, where these change.
    package private(set) var ownershipChanges: [PlacedOwnershipChange] = []
    /// New states. A record that is there already gets its new place. One may be written twice.
    package private(set) var records: [PlacedRecord] = []
    /// Files that records name. One that is unknown belongs to the login from now on.
    package private(set) var claims: [FileClaim] = []
    /// Links that are no longer known.
    package private(set) var endedLinks: [RecordLink] = []
    /// Links that only history has.
    package private(set) var formerLinks: [RecordLink] = []
    package private(set) var links: [RecordLink] = []
    package private(set) var history: [PlacedEntry] = []
    /// Guids of records whose open conflicts are over.
    package private(set) var closedConflicts: [String] = []
    package private(set) var replacedConflicts: [StoredConflict] = []
    package private(set) var openedConflicts: [StoredConflict] = []
    package private(set) var takenValues: [UniqueHolding] = []
    package private(set) var forgottenOutcomes: [ForgottenOutcome] = []
    package private(set) var outcomes: [ExpiringOutcome] = []
    /// Opaque ids of new records.
    package private(set) var names: [RecordName] = []
    /// The environment's last change after this batch; nil if no record is written.
    package private(set) var lastChange: ChangePoint?

    /// The devices of the outcomes without a history entry. Before a store writes these, it deletes
    /// what it keeps of the devices beyond `ForgottenOutcome.keptOfDevice`.
    package var trimmedDevices: Set<DeviceKey> {
        Set(outcomes.lazy.filter(\.isTraceless).map(\.id.device))
    }

    private var contents = WriteBatchContents()

    /// Whether these writes can join the batch.
    func takes(_ writes: WriteSet, of device: DeviceKey) -> Bool {
        contents.isOrderOfNoConcern(to: writes, of: device)
    }

    /// Notes what was added, for calls that come after it.
    mutating func noteContents(of writes: WriteSet, of device: DeviceKey) {
        contents.add(writes, of: device)
    }

    /// `former` are the records before these writes, and then those after them; `last` is the
    /// environment's change before them.
    mutating func add(
        _ writes: WriteSet, of device: DeviceKey, replacing former: inout FormerRecords,
        after last: ChangePoint
    ) {
        place(writes.records, at: writes.at, replacing: &former, after: last)
        note(writes.history, of: writes.records, after: last.sequence)
        names += writes.names
        freedValues += writes.freedValues
        takenValues += writes.takenValues
        for guid in writes.namedFiles.sorted() {
            claims.append(FileClaim(guid: guid, login: device.login, at: writes.at))
        }
        links += writes.links
        formerLinks += writes.formerLinks
        endedLinks += writes.endedLinks
        closedConflicts += writes.closedConflicts
        replacedConflicts += writes.replacedConflicts
        openedConflicts += writes.openedConflicts
        for id in writes.acknowledged {
            forgottenOutcomes.append(
                ForgottenOutcome(
                    id: OutcomeID(id, of: device), tracelessUntil: writes.tracelessExpireAt))
        }
        for outcome in writes.outcomes {
            outcomes.append(
                ExpiringOutcome(
                    id: OutcomeID(outcome.changeID, of: device), text: outcome.text,
                    isTraceless: outcome.isTraceless, expiresAt: writes.outcomesExpireAt))
        }
    }

    private mutating func place(
        _ records: [StoredRecord], at moment: Instant, replacing former: inout FormerRecords,
        after last: ChangePoint
    ) {
        var last = last
        for record in records {
            last = last.next(at: moment)
            let replaced = former.replace(record)
            if let owner = replaced?.otherOwner(than: record) {
                ownershipChanges.append(
                    PlacedOwnershipChange(
                        guid: record.guid,
                        change: OwnershipChange(
                            sequence: last.sequence, revision: record.revision,
                            owner: owner.owner, group: owner.group), stamp: last.stamp))
            }
            self.records.append(
                PlacedRecord(record: record, change: last, isNew: replaced?.isMissing ?? false))
            lastChange = last
        }
    }

    /// An entry without a change of its record is part of the environment's last change.
    private mutating func note(
        _ entries: [HistoryEntry], of records: [StoredRecord], after last: Int64
    ) {
        let end = last + Int64(records.count)
        guard records.count > 1 else {
            for entry in entries { history.append(PlacedEntry(entry: entry, sequence: end)) }
            return
        }
        let sequences = Dictionary(
            zip(records.map { ByteKey($0.guid) }, (last + 1)...),
            uniquingKeysWith: { _, later in later })
        for entry in entries {
            history.append(
                PlacedEntry(entry: entry, sequence: sequences[ByteKey(entry.guid)] ?? end))
        }
    }
}

/// The state of a record after a change.
package struct PlacedRecord: Hashable, Sendable {
    package let record: StoredRecord
    package let change: ChangePoint
    /// Whether there is no record with its guid before.
    package let isNew: Bool

    package var sequence: Int64 { change.sequence }
    package var stamp: Instant { change.stamp }
}

/// The place of a change among the changes of its environment.
package struct ChangePoint: Hashable, Sendable {
    /// 1 for the first change.
    package let sequence: Int64
    /// The time of the change. Stamps ascend with the sequences and are unique, so a client that
    /// knows a stamp can ask for all later changes. A stamp is later than the clock while more than
    /// one change a millisecond is written, or after the clock was set back.
    package let stamp: Instant

    package init(sequence: Int64, stamp: Instant) {
        self.sequence = sequence
        self.stamp = stamp
    }

    /// Before the first change.
    package static let none = ChangePoint(sequence: 0, stamp: Instant(milliseconds: 0))

    /// The point of the next change, which is made at `moment` by the clock.
    func next(at moment: Instant) -> ChangePoint {
        ChangePoint(
            sequence: sequence + 1,
            stamp: Instant(milliseconds: max(moment.milliseconds, stamp.milliseconds + 1)))
    }
}

/// A record's id on wires whose ids are free texts; see `RecordNaming`.
package struct RecordName: Hashable, Sendable {
    package let guid: String
    /// 1 to 255 UTF-16 code units.
    package let name: String

    package init(guid: String, name: String) {
        self.guid = guid
        self.name = name
    }
}

/// An outcome that a store may forget after some time.
package struct ExpiringOutcome: Hashable, Sendable {
    package let id: OutcomeID
    package let text: String
    /// Whether the change has no history entry.
    package let isTraceless: Bool
    /// Nil for an outcome that is kept until its device acknowledges it.
    package var expiresAt: Instant?
}

/// An outcome that its device has acknowledged. It is deleted, or kept for some time if the change
/// has no history entry and the outcome does not expire yet.
package struct ForgottenOutcome: Hashable, Sendable {
    /// Acknowledged outcomes without a history entry that are kept of one device, at least. Those
    /// that expire first are deleted when the device gets another outcome without one. Until then
    /// it may also have those that it has acknowledged since: `outcomesOfDevice` of `Limits` at
    /// most.
    package static let keptOfDevice = 1000

    package let id: OutcomeID
    package let tracelessUntil: Instant
}

/// A change of a record's owner or group.
package struct PlacedOwnershipChange: Hashable, Sendable {
    package let guid: String
    package let change: OwnershipChange
    /// The stamp of the change.
    package let stamp: Instant
}

/// An entry of the history with the change that it is part of.
package struct PlacedEntry: Hashable, Sendable {
    package let entry: HistoryEntry
    package let sequence: Int64
}

/// Says that records name a file.
package struct FileClaim: Hashable, Sendable {
    package let guid: String
    /// The user that named it.
    package let login: String
    package let at: Instant
}

/// The contents of a batch, as far as the order of calls may matter.
private struct WriteBatchContents: Sendable {
    private var isEmpty = true
    private var freedValues: Set<UniqueValue> = []
    private var takenValues: Set<UniqueValue> = []
    private var links: Set<RecordLink> = []
    private var formerLinks: Set<RecordLink> = []
    private var disputedGuids: Set<ByteKey> = []
    /// Ids of changes by their device.
    private var outcomes: [DeviceKey: Set<ByteKey>] = [:]

    mutating func add(_ writes: WriteSet, of device: DeviceKey) {
        isEmpty = false
        freedValues.formUnion(writes.freedValues.map(\.value))
        takenValues.formUnion(writes.takenValues.map(\.value))
        links.formUnion(writes.links)
        formerLinks.formUnion(writes.formerLinks)
        disputedGuids.formUnion(writes.openedConflicts.map { ByteKey($0.guid) })
        if !writes.outcomes.isEmpty {
            outcomes[device, default: []].formUnion(writes.outcomes.map { ByteKey($0.changeID) })
        }
    }

    /// A batch frees values before it takes any, closes conflicts before it opens any, forgets
    /// outcomes before it writes any, and ends links before it writes former and then current ones.
    func isOrderOfNoConcern(to writes: WriteSet, of device: DeviceKey) -> Bool {
        if isEmpty { return true }
        let freed = writes.freedValues.map(\.value)
        return !acknowledgesOutcome(writes, of: device)
            && disputedGuids.isDisjoint(with: writes.closedConflicts.map { ByteKey($0) })
            && disputedGuids.isDisjoint(with: writes.replacedConflicts.map { ByteKey($0.guid) })
            && takenValues.isDisjoint(with: freed) && freedValues.isDisjoint(with: freed)
            && links.isDisjoint(with: writes.formerLinks + writes.endedLinks)
            && formerLinks.isDisjoint(with: writes.endedLinks)
    }

    /// Whether the writes acknowledge an outcome of the batch.
    private func acknowledgesOutcome(_ writes: WriteSet, of device: DeviceKey) -> Bool {
        guard !writes.acknowledged.isEmpty, let written = outcomes[device] else { return false }
        return !written.isDisjoint(with: writes.acknowledged.map { ByteKey($0) })
    }
}
