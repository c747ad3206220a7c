import ChangeRules
import DefinitionModel

/// The decided but unwritten changes of calls that share a transaction.
///
/// Calls that share a transaction are decided one after the other on facts that were read before
/// the first of them was decided. An overlay adds what the earlier calls write, so that each call
/// is decided as if the earlier ones had been written when its facts were read.
package struct Overlay: Sendable {
    /// The change of a record's open conflicts.
    private struct ConflictChange {
        /// Whether the stored ones are over.
        var closesStored = false
        var opened = StoredAmount.nothing
    }

    private var records: [ByteKey: StoredRecord] = [:]
    private var history: [ByteKey: [HistoryEntry]] = [:]
    /// Entries that `history` and `guidsWithoutRecord` lack. Calls seldom ask for either.
    private var unsortedHistory: [[HistoryEntry]] = []
    /// By change id. Nil for one that is acknowledged. Some of these stay.
    private var outcomes: [DeviceByteKey: [ByteKey: StoredOutcome?]] = [:]
    private var conflicts: [ByteKey: ConflictChange] = [:]
    /// Nil for a value that is free.
    private var holders: [UniqueValue: String?] = [:]
    /// By guid, as they are stored if nothing was known of them before.
    private var claimedFiles: [ByteKey: StoredFile] = [:]
    private var changesLinks = false
    /// Models of the records.
    private var changedModels: Set<ByteKey> = []
    /// Guids with history but without a record, whose model is unknown.
    private var guidsWithoutRecord: Set<ByteKey> = []
    private var isEmpty = true

    package init() {}

    /// Adds what the next call of the transaction writes.
    package mutating func add(_ writes: WriteSet, of device: DeviceKey) {
        isEmpty = false
        add(writes.records)
        if !writes.history.isEmpty { unsortedHistory.append(writes.history) }
        for guid in writes.closedConflicts {
            conflicts[ByteKey(guid)] = ConflictChange(closesStored: true)
        }
        for conflict in writes.replacedConflicts {
            let key = ByteKey(conflict.guid)
            let opened = conflicts[key]?.opened ?? .nothing
            conflicts[key, default: ConflictChange()].opened = opened - [conflict].amount
        }
        for conflict in writes.openedConflicts {
            let key = ByteKey(conflict.guid)
            let opened = conflicts[key]?.opened ?? .nothing
            conflicts[key, default: ConflictChange()].opened = opened + [conflict].amount
        }
        for holding in writes.freedValues { holders[holding.value] = .some(nil) }
        for holding in writes.takenValues { holders[holding.value] = holding.guid }
        if !(writes.acknowledged.isEmpty && writes.outcomes.isEmpty) {
            writes.addOutcomes(to: &outcomes[DeviceByteKey(device), default: [:]])
        }
        for guid in writes.namedFiles where claimedFiles[ByteKey(guid)] == nil {
            claimedFiles[ByteKey(guid)] = StoredFile(
                guid: guid, login: device.login, at: writes.at, isNamed: true, upload: nil)
        }
        changesLinks =
            changesLinks
            || !(writes.links.isEmpty && writes.formerLinks.isEmpty && writes.endedLinks.isEmpty)
    }

    private mutating func add(_ written: [StoredRecord]) {
        var model: String?
        for record in written {
            records[ByteKey(record.guid)] = record
            if !guidsWithoutRecord.isEmpty { guidsWithoutRecord.remove(ByteKey(record.guid)) }
            if model.map({ !$0.hasSameBytes(as: record.model) }) ?? true {
                changedModels.insert(ByteKey(record.model))
                model = record.model
            }
        }
    }

    private mutating func sortHistory() {
        for entry in unsortedHistory.joined() {
            let key = ByteKey(entry.guid)
            history[key, default: []].append(entry)
            if records[key] == nil { guidsWithoutRecord.insert(key) }
        }
        unsortedHistory = []
    }

    /// The records of a call, given those that were read for it.
    package func records(
        _ read: [String: StoredRecord], for need: ReadSet
    ) -> [String: StoredRecord] {
        guard !records.isEmpty else { return read }
        var found = read
        for guid in need.guids {
            if let record = records[ByteKey(guid)] { found[guid] = record }
        }
        return found
    }

    /// The record of a guid, given what was read of it.
    func record(_ guid: String, readAs state: FoundState) -> StoredRecord? {
        if let record = records[ByteKey(guid)] { return record }
        guard case .stored(let record) = state else { return nil }
        return record
    }

    /// The facts of a call that wants to know the holders of `values`, given those that were read
    /// for it. Nil if only a store that has written the earlier calls can tell.
    ///
    /// `read` may have holders of other values.
    package mutating func facts(
        _ read: Facts, for need: ReadSet, wanting values: Set<UniqueValue>
    ) -> Facts? {
        if isEmpty || read.shortage != nil {
            var facts = read
            facts.holders = holders(read.holders, of: values)
            guard !read.owners.isEmpty else { return facts }
            let holders = Set(facts.holders.values)
            facts.owners = read.owners.filter { holders.contains($0.key) }
            return facts
        }
        let records = records(read.records, for: need)
        if !(need.baseRevisions.isEmpty && need.graphs.isEmpty && need.historySince == nil) {
            sortHistory()
        }
        guard !need.hasEquivalentTexts, !changesUnconfirmed(of: need),
            !need.graphs.contains(where: { changes($0, read) }),
            let openConflicts = openConflicts(of: records, read),
            let files = files(read.files, for: need),
            let outcomes = outcomes(read.outcomes, for: need)
        else { return nil }
        var facts = Facts(
            fingerprint: read.fingerprint, outcomes: outcomes,
            records: records, history: history(read.history, of: records, for: need),
            openConflicts: openConflicts, holders: holders(read.holders, of: values),
            purgedGuids: read.purgedGuids.filter { records[$0] == nil },
            unseenGraphs: read.unseenGraphs, files: files, unconfirmed: read.unconfirmed)
        // Those of earlier calls of the transaction are not counted: they are few.
        (facts.outcomeAmounts, facts.disputes) = (read.outcomeAmounts, read.disputes)
        guard let owners = owners(read.owners, of: facts.holders.values) else { return nil }
        facts.owners = owners
        return facts
    }
}

// MARK: - Facts

extension Overlay {
    /// Nil if an outcome is asked for that an earlier call has acknowledged.
    private func outcomes(
        _ read: [String: StoredOutcome], for need: ReadSet
    ) -> [String: StoredOutcome]? {
        guard let outcomes = outcomes[DeviceByteKey(need.device)] else { return read }
        var found = read
        for id in need.changeIDs {
            guard let known = outcomes[ByteKey(id)] else { continue }
            guard let outcome = known else { return nil }
            found[id] = outcome
        }
        return found
    }

    private func history(
        _ read: [String: [HistoryEntry]], of records: [String: StoredRecord], for need: ReadSet
    ) -> [String: [HistoryEntry]] {
        guard need.historySince == nil else { return read }
        var found: [String: [HistoryEntry]] = [:]
        for (guid, base) in need.baseRevisions {
            guard let record = records[guid], record.revision > base else { continue }
            let stored = read[guid] ?? []
            let added = (history[ByteKey(guid)] ?? []).filter { $0.revision > base }
            found[guid] = added.isEmpty ? stored : Self.inOrder(stored + added)
        }
        return found
    }

    /// By revision, and those of one revision in the order in which they were written.
    private static func inOrder(_ entries: [HistoryEntry]) -> [HistoryEntry] {
        entries.enumerated().sorted {
            ($0.element.revision, $0.offset) < ($1.element.revision, $1.offset)
        }.map(\.element)
    }

    private func holders(
        _ read: [UniqueValue: String], of values: Set<UniqueValue>
    ) -> [UniqueValue: String] {
        var found: [UniqueValue: String] = [:]
        for value in values {
            if let holder = holders[value] ?? read[value] { found[value] = holder }
        }
        return found
    }

    /// Nil if an earlier call has made a record a holder without writing it.
    private func owners(
        _ read: [String: OwnedRecord], of guids: some Collection<String>
    ) -> [String: OwnedRecord]? {
        var found: [String: OwnedRecord] = [:]
        for guid in guids {
            guard let owner = records[ByteKey(guid)].map(OwnedRecord.init(of:)) ?? read[guid]
            else { return nil }
            found[guid] = owner
        }
        return found
    }

    /// Nil if a record is conflicted that was not when it was read: then nobody has counted.
    private func openConflicts(
        of records: [String: StoredRecord], _ read: Facts
    ) -> [String: StoredAmount]? {
        var amounts: [String: StoredAmount] = [:]
        for (guid, record) in records where record.isConflicted {
            guard let stored = read.openConflicts[guid] else { return nil }
            let change = conflicts[ByteKey(guid)] ?? ConflictChange()
            amounts[guid] = (change.closesStored ? .nothing : stored) + change.opened
        }
        return amounts
    }

    /// Nil if it depends on records whether somebody is shown a file, and any was changed.
    private func files(
        _ read: [String: KnownFile?], for need: ReadSet
    ) -> [String: KnownFile?]? {
        guard !read.isEmpty else { return read }
        var found = read
        for (guid, known) in read {
            let claimed = claimedFiles[ByteKey(guid)]
            guard let file = known?.file ?? claimed else { continue }
            if !file.login.hasSameBytes(as: need.device.login) {
                guard claimed == nil, !changesRecords else { return nil }
                continue
            }
            var next = file
            if claimed != nil { next.isNamed = true }
            found[guid] = KnownFile(file: next, namedBy: known?.namedBy ?? [])
        }
        return found
    }
}

// MARK: - Unknown facts

extension Overlay {
    private var changesRecords: Bool {
        changesLinks
            || !(records.isEmpty && history.isEmpty && unsortedHistory.isEmpty && conflicts.isEmpty)
    }

    private func changes(_ guid: String) -> Bool {
        let key = ByteKey(guid)
        return records[key] != nil || history[key] != nil || conflicts[key] != nil
    }

    /// Whether what came of the call's records after the sequence it asks for is another.
    private func changesUnconfirmed(of need: ReadSet) -> Bool {
        need.historySince != nil && need.guids.contains(where: changes)
    }

    /// Whether a record of a graph may have changed, or one may have come into it or left it.
    private func changes(_ graph: GraphNeed, _ read: Facts) -> Bool {
        guard changesRecords else { return false }
        let own = read.records[graph.guid]
        let related = graph.relations.compactMap { own?.textValue(of: $0.field) }
        if ([graph.guid] + graph.targets + related).contains(where: changes) { return true }
        guard !graph.sources.isEmpty else { return false }
        return !guidsWithoutRecord.isEmpty
            || graph.sources.contains { changedModels.contains(ByteKey($0.model)) }
    }
}

extension WriteSet {
    fileprivate func addOutcomes(to ofDevice: inout [ByteKey: StoredOutcome?]) {
        for id in acknowledged { ofDevice.updateValue(nil, forKey: ByteKey(id)) }
        for outcome in outcomes { ofDevice[ByteKey(outcome.changeID)] = outcome }
    }
}

extension ReadSet {
    /// Whether it asks for two different texts that are one key of a dictionary. The data read
    /// does not tell which of them was found.
    fileprivate var hasEquivalentTexts: Bool {
        [guids, changeIDs, files.guids].contains { texts in
            // Two ASCII texts with different bytes are never equal.
            texts.contains { !$0.utf8.allSatisfy(UTF8.isASCII) }
                && Set(texts).count != Set(texts.map { ByteKey($0) }).count
        }
    }
}
