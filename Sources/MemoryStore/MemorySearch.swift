import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    package func search<Result: Sendable>(
        in environment: EnvironmentID, readingNames: Bool,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Result
    ) throws(StoreError) -> Result {
        let environment = try read(environment)
        return try translating {
            try body(MemorySearch(environment: environment, readsNames: readingNames))
        }
    }
}

/// Reads that filter and sort all records of an environment.
private struct MemorySearch: SearchTransaction {
    let environment: Environment
    let readsNames: Bool

    func currentState() -> CurrentState {
        CurrentState(
            fingerprint: environment.state.fingerprint, moment: environment.moment,
            lastStamp: environment.lastStamp)
    }

    func records(_ guids: [String], maxBytes: Int) -> [FoundRecord?] {
        var (found, bytes) = ([FoundRecord?](), 0)
        for guid in guids where bytes < maxBytes {
            let record = environment.records[ByteKey(guid)].map(foundRecord)
            found.append(record)
            bytes += record?.fieldBytes ?? 0
        }
        return found
    }

    func models(_ guids: [String]) -> [String?] {
        guids.map { guid in environment.records[ByteKey(guid)]?.stored.model }
    }

    func names(_ guids: [String]) -> [String?] {
        guids.map { guid in environment.names[ByteKey(guid)] }
    }

    func openConflicts(of guids: [String]) -> [[StoredConflict]] {
        guids.map(environment.openConflicts)
    }

    func nextGroup(of model: String, after group: String?) -> String? {
        let groups = records { !$0.isGone && ByteKey($0.stored.model) == ByteKey(model) }
            .map(\.stored.group)
        return groups.filter { name in group.map { ByteKey($0) < ByteKey(name) } ?? true }
            .min { ByteKey($0) < ByteKey($1) }
    }

    func records(in run: RecordRun, atMost limit: ReadLimit) -> [FoundRecord] {
        first(limit, of: records(run.contains).sorted { RunPosition($0) < RunPosition($1) })
    }

    func recordCount(in run: RecordRun, upTo max: Int) -> Int {
        min(max, records(run.contains).count)
    }

    func holders(of values: [UniqueValue]) -> [String] {
        values.compactMap { environment.holders[$0] }
    }

    func disputedTombstones(
        of model: String, after guid: String?, atMost limit: ReadLimit
    ) -> [FoundRecord] {
        let found = records { record in
            record.stored.isDeleted && record.stored.isConflicted
                && ByteKey(record.stored.model) == ByteKey(model)
        }
        return first(limit, of: found, after: guid)
    }

    func records(
        naming target: String, after guid: String?, atMost limit: ReadLimit
    ) -> [FoundRecord] {
        first(limit, of: records(naming: target), after: guid)
    }

    func linkCount(to target: String, upTo max: Int) -> Int {
        min(max, records(naming: target).count)
    }

    private func records(naming target: String) -> [MemoryRecord] {
        environment.links.keys.filter { $0.target == ByteKey(target) }
            .compactMap { environment.records[$0.source] }
    }

    private func records(_ isWanted: (MemoryRecord) -> Bool) -> [MemoryRecord] {
        environment.records.values.filter(isWanted)
    }

    /// The first records after a guid, in the order of guids.
    private func first(
        _ limit: ReadLimit, of records: [MemoryRecord], after guid: String?
    ) -> [FoundRecord] {
        let sorted = records.sorted { ByteKey($0.stored.guid) < ByteKey($1.stored.guid) }
        let rest = sorted.filter { record in
            guid.map { ByteKey($0) < ByteKey(record.stored.guid) } ?? true
        }
        return first(limit, of: rest)
    }

    private func first(_ limit: ReadLimit, of records: [MemoryRecord]) -> [FoundRecord] {
        var (found, bytes) = ([FoundRecord](), 0)
        for record in records.prefix(limit.rows) where bytes < limit.bytes {
            found.append(foundRecord(record))
            bytes += record.stored.fieldsText.utf8.count
        }
        return found
    }
}

extension MemorySearch {
    /// The number of an entry is its place among the entries of its record.
    func history(
        of guid: String, after place: HistoryPosition, atMost limit: ReadLimit
    ) -> [PlacedHistoryEntry] {
        let entries = environment.history[ByteKey(guid)] ?? []
        let placed = entries.enumerated().map {
            PlacedHistoryEntry(number: Int64($0.offset), entry: $0.element)
        }
        let later = placed.filter {
            ($0.place.revision, $0.place.number) > (place.revision, place.number)
        }
        let sorted = later.sorted {
            ($0.place.revision, $0.place.number) < ($1.place.revision, $1.place.number)
        }
        var (found, bytes) = ([PlacedHistoryEntry](), 0)
        for next in sorted.prefix(limit.rows) where bytes < limit.bytes {
            found.append(next)
            bytes += next.entry.fieldsText.utf8.count
        }
        return found
    }

    func historyAmount(of guid: String) -> StoredAmount {
        let entries = environment.history[ByteKey(guid)] ?? []
        return StoredAmount(
            rows: entries.count, bytes: entries.reduce(0) { $0 + $1.fieldsText.utf8.count })
    }

    func firstChange(after sequence: Int64) -> ChangePoint? {
        records(changedAfter: sequence).first.map {
            ChangePoint(sequence: $0.sequence, stamp: $0.changedAt)
        }
    }

    func records(
        of model: String, changedAfter sequence: Int64, atMost limit: ReadLimit
    ) -> [FoundRecord] {
        first(
            limit,
            of: records(changedAfter: sequence).filter {
                ByteKey($0.stored.model) == ByteKey(model)
            })
    }

    private func records(changedAfter sequence: Int64) -> [MemoryRecord] {
        environment.records.values.filter { $0.sequence > sequence }
            .sorted { $0.sequence < $1.sequence }
    }

    private func foundRecord(_ record: MemoryRecord) -> FoundRecord {
        FoundRecord(
            record: record.stored, created: record.created, createdAt: record.createdAt,
            change: ChangePoint(sequence: record.sequence, stamp: record.changedAt),
            name: readsNames ? environment.names[ByteKey(record.stored.guid)] : nil)
    }
}

// MARK: - Pulls by time

extension MemorySearch {
    func purgedRecords(
        of model: String, deletedAfter sequence: Int64, through last: Int64, atMost count: Int
    ) -> [FoundRecord] {
        environment.purged.values.filter {
            $0.sequence > sequence && $0.sequence <= last
                && ByteKey($0.stored.model) == ByteKey(model)
        }.sorted { $0.sequence < $1.sequence }.prefix(count).map { record in
            var purged = record
            purged.stored.revision = 1
            return foundRecord(purged)
        }
    }

    func reassignments(
        of model: String, after sequence: Int64, through last: Int64, atMost count: Int
    ) -> [Reassignment] {
        let reassignments = environment.reassignments.filter {
            $0.change.sequence > sequence && $0.change.sequence <= last
        }.compactMap { reassignment -> Reassignment? in
            let guid = reassignment.guid
            let present = environment.records[guid] ?? environment.purged[guid]
            guard let present, ByteKey(present.stored.model) == ByteKey(model) else { return nil }
            var stored = present.stored
            (stored.revision, stored.isDeleted, stored.isConflicted) = (1, true, false)
            stored.fieldsText = "{}"
            return Reassignment(
                found: FoundRecord(
                    record: stored, created: present.created, createdAt: present.createdAt,
                    change: ChangePoint(
                        sequence: reassignment.change.sequence, stamp: reassignment.stamp),
                    name: readsNames ? environment.names[guid] : nil),
                former: reassignment.change.former)
        }
        return Array(reassignments.prefix(count))
    }

    func firstReassignment(after sequence: Int64, through last: Int64) -> ChangePoint? {
        environment.reassignments.first {
            $0.change.sequence > sequence && $0.change.sequence <= last
        }.map { ChangePoint(sequence: $0.change.sequence, stamp: $0.stamp) }
    }

    func ownershipChanges(of guids: [String], after sequence: Int64) -> [[OwnershipChange]] {
        guids.map { guid in
            (environment.ownershipChanges[ByteKey(guid)] ?? []).filter { $0.sequence > sequence }
        }
    }

    func readPolicyChanges(of login: String) -> [ReadPolicyChange] {
        environment.readPolicyChanges.filter { $0.login == nil || $0.login == ByteKey(login) }
            .map(\.change)
    }
}

extension RecordRun {
    fileprivate func contains(_ record: MemoryRecord) -> Bool {
        !record.isGone && ByteKey(record.stored.model) == ByteKey(model)
            && ByteKey(record.stored.group) == ByteKey(group)
            && includes(ByteKey(record.stored.owner)) && RunPosition(start) < RunPosition(record)
    }

    private func includes(_ owner: ByteKey) -> Bool {
        switch owners {
        case .everybody: true
        case .only(let login): owner == ByteKey(login)
        case .allBut(let login): owner != ByteKey(login)
        }
    }
}

/// A record's position in a run.
private struct RunPosition: Hashable, Comparable {
    private let owner: ByteKey
    private let created: Int64
    private let guid: ByteKey

    init(_ record: MemoryRecord) {
        owner = ByteKey(record.stored.owner)
        created = record.created
        guid = ByteKey(record.stored.guid)
    }

    init(_ start: RecordRun.Start) {
        owner = ByteKey(start.owner)
        created = start.created
        guid = ByteKey(start.guid)
    }

    static func < (left: RunPosition, right: RunPosition) -> Bool {
        (left.owner, left.created, left.guid) < (right.owner, right.created, right.guid)
    }
}
