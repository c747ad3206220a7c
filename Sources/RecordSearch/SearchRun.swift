import DefinitionModel
import SyncEngine

extension SearchEvaluation {
    /// Reads the candidates, and the records that the search chooses, from one snapshot.
    func result(
        in transaction: any SearchTransaction, counting memory: SearchMemory
    ) throws -> Searched {
        let run = SearchRun(self, transaction, memory)
        try run.readCandidates()
        var choice = run.search.choice
        try choice?.readRecords(
            in: transaction, holding: run.search.shownHeldBytes, counting: memory)
        return Searched(
            fingerprint: try transaction.currentState().fingerprint, choice: choice)
    }
}

/// Passes the records of a search's plan to the search, until it is done or no more follow.
final class SearchRun {
    private(set) var search: SearchEvaluation
    let plan: SearchPlan
    let transaction: any SearchTransaction
    private let memory: SearchMemory
    private(set) var batch = BatchSize()
    /// The records that may still be read in the order of changes.
    private var rest: Int

    init(
        _ search: SearchEvaluation, _ transaction: any SearchTransaction, _ memory: SearchMemory
    ) {
        self.search = search
        self.memory = memory
        rest = search.maxRecords
        self.transaction = transaction
        plan = search.plan
    }

    /// With a narrowing, reads the lists, or the scope if it is smaller. Without one, reads the
    /// plan's source in its order.
    func readCandidates() throws {
        guard let narrowing = plan.narrowing, try !isScopeSmaller(than: narrowing) else {
            switch plan.source {
            case .scope(let start): return try readScope(after: start)
            case .creations(let walk): return try readCreations(walk)
            case .changes(let stamp): return try readChanges(after: stamp)
            case .pull(let stamp): return try readPull(after: stamp)
            }
        }
        try readRecords(narrowing.guids)
        try readHolders(of: narrowing.values)
        for target in narrowing.targets {
            try readBatches { last, limit in
                try transaction.records(
                    naming: target, after: last?.record.guid, atMost: limit)
            }
        }
    }

    // MARK: - Lists

    func readRecords(_ guids: [String]) throws {
        var rest = guids[...]
        while !search.isDone, !rest.isEmpty {
            let found = try transaction.records(
                Array(rest.prefix(batch.count)), maxBytes: BatchSize.maxBytes)
            rest = rest.dropFirst(found.count)
            try consider(found.compactMap { $0 })
        }
    }

    /// A deleted record in conflict has a value without being its registered holder.
    private func readHolders(of values: [UniqueValue]) throws {
        guard !values.isEmpty else { return }
        try readRecords(transaction.holders(of: values))
        try readBatches { last, limit in
            try transaction.disputedTombstones(
                of: plan.scope.model, after: last?.record.guid, atMost: limit)
        }
    }

    // MARK: - Scope

    /// Stops after exactly `maxRecords` records, whatever the size of the batches: it depends on
    /// values that the asker may not see.
    private func readChanges(after stamp: Instant) throws {
        var sequence = try transaction.sequence(atStamp: stamp)
        while !search.isDone {
            let limit = nextLimit
            let found = try transaction.records(
                of: plan.scope.model, changedAfter: sequence, atMost: limit)
            try consider(found)
            guard limit.isReached(by: found), let last = found.last else { return }
            sequence = last.change.sequence
            spend(found.count, upTo: last.change.stamp)
        }
    }

    /// The records to read next.
    var nextLimit: ReadLimit {
        ReadLimit(rows: min(batch.count, max(1, rest)), bytes: BatchSize.maxBytes)
    }

    /// Stops if so many records were read in the order of changes that no more may follow.
    func spend(_ count: Int, upTo stamp: Instant?) {
        rest -= count
        if rest <= 0, !search.isDone, let stamp { search.stop(at: stamp) }
    }

    func depart(_ record: FoundRecord) { search.depart(record) }

    /// Ends the search without a result.
    func giveUp() { search.giveUp() }

    /// In the order of group, owner, creation and guid.
    private func readScope(after start: SearchStart?) throws {
        guard !search.siftsTexts else { return try siftScope() }
        try forEachRun(after: start) { run in
            var run = run
            try readBatches { last, limit in
                if let last { run.start = RecordRun.Start(after: last) }
                return try transaction.records(in: run, atMost: limit)
            }
            return !search.isDone
        }
    }

    private func siftScope() throws {
        var (rows, bytes) = (0, 0)
        try forEachRun(after: nil) { run in
            try transaction.forEachText(in: run) { text in
                (rows, bytes) = (rows + 1, bytes + text.fields.count)
                if rows == BatchSize.maxCount || bytes >= BatchSize.maxBytes {
                    try note(reading: bytes)
                    (rows, bytes) = (0, 0)
                }
                try search.sift(text)
                return !search.isDone
            }
            return !search.isDone
        }
        try note(reading: bytes)
    }

    /// Whether the scope has few records while a target has many links, so that reading the scope
    /// is faster than following the links of the narrowing.
    private func isScopeSmaller(than narrowing: Narrowing) throws -> Bool {
        guard case .scope = plan.source else { return false }
        let few = 1000
        let hasManyLinks = try narrowing.targets.contains {
            try transaction.linkCount(to: $0, upTo: few + 1) > few
        }
        guard hasManyLinks else { return false }
        var count = 0
        try forEachRun(after: nil) { run in
            count += try transaction.recordCount(in: run, upTo: few + 1)
            return count <= few
        }
        return count <= few
    }

    /// Calls `visit` with each run of the scope, until it returns false. There are few groups, so
    /// each is looked up on its own.
    private func forEachRun(
        after start: SearchStart?, _ visit: (RecordRun) throws -> Bool
    ) throws {
        let model = plan.scope.model
        var group = try start?.group ?? transaction.nextGroup(of: model, after: nil)
        while let name = group {
            if let run = plan.scope.run(inGroup: name, after: start), try !visit(run) { return }
            group = try transaction.nextGroup(of: model, after: name)
        }
    }

    // MARK: - Batches

    /// Considers batches until the search is done or no more follow. `read` gets the last record of
    /// the previous batch, and the limit of the next one.
    private func readBatches(
        _ read: (_ last: FoundRecord?, _ limit: ReadLimit) throws -> [FoundRecord]
    ) throws {
        var last: FoundRecord?
        while !search.isDone {
            let limit = batch.limit
            let found = try read(last, limit)
            try consider(found)
            guard limit.isReached(by: found) else { return }
            last = found.last
        }
    }

    /// Counts bytes that were read. Throws if nobody waits for the result any more.
    func note(reading bytes: Int) throws { try memory.note(reading: bytes) }

    func consider(_ found: [FoundRecord]) throws {
        let bytes = found.fieldBytes
        try note(reading: bytes)
        try memory.hold(search.shownHeldBytes)
        guard search.readsRelatedRecords else {
            for record in found where !search.isDone {
                if let candidate = try search.candidate(record) {
                    try search.consider(candidate, with: [:])
                }
            }
            return batch.adjust(after: bytes)
        }
        let candidates = try found.compactMap { try search.candidate($0) }
        batch.adjust(after: bytes + (try considerWithRelated(candidates)))
    }

    /// Considers candidates, as many at once as their related records fit into a batch. Returns the
    /// bytes of the related records.
    private func considerWithRelated(_ candidates: [Candidate]) throws -> Int {
        var (rest, relatedBytes) = (candidates[...], 0)
        while !rest.isEmpty, !search.isDone {
            let related = try relatedRecords(of: rest)
            try note(reading: related.bytes)
            try memory.hold(search.shownHeldBytes)
            // They keep what is known now, which the search may forget on the way.
            let ready = search.complete(rest, having: related.looked)
            for candidate in ready where !search.isDone {
                try search.consider(candidate, with: related.records)
            }
            rest = rest.dropFirst(ready.count)
            relatedBytes += related.bytes
        }
        return relatedBytes
    }

    /// Reads the related records that the candidates want and the search does not know, in their
    /// order, until they are as many bytes as a batch: those of the first candidate all the same.
    private func relatedRecords(of candidates: ArraySlice<Candidate>) throws -> RelatedBatch {
        var related = RelatedBatch()
        let unknown = candidates.map { $0.wanted.filter { !search.knows($0) } }
        var wanted = Self.distinct(unknown.joined())[...]
        while !wanted.isEmpty,
            related.bytes < BatchSize.maxBytes || related.looked.count < (unknown.first?.count ?? 0)
        {
            let found = try transaction.records(
                Array(wanted), maxBytes: max(1, BatchSize.maxBytes - related.bytes))
            for (guid, record) in zip(wanted, found) { related.add(record?.record, for: guid) }
            wanted = wanted.dropFirst(found.count)
        }
        return related
    }

    private static func distinct(_ guids: some Sequence<String>) -> [String] {
        var known: Set<ByteKey> = []
        return guids.filter { known.insert(ByteKey($0)).inserted }
    }
}

/// Related records that were read together.
private struct RelatedBatch {
    private(set) var records: [ByteKey: StoredRecord] = [:]
    /// The guids that were looked up, also of records that are not there.
    private(set) var looked: Set<ByteKey> = []
    private(set) var bytes = 0

    mutating func add(_ record: StoredRecord?, for guid: String) {
        looked.insert(ByteKey(guid))
        records[ByteKey(guid)] = record
        bytes += record?.fieldsText.utf8.count ?? 0
    }
}

extension SearchScope {
    /// Returns nil if the scope has no records in the group, or none after the start.
    fileprivate func run(inGroup group: String, after start: SearchStart?) -> RecordRun? {
        let start = start.flatMap { $0.group.hasSameBytes(as: group) ? $0.place : nil }
        switch owners(inGroup: group) {
        case nil: return nil
        case .only(let login)?:
            let beginning = RecordRun.Start.beginning(ofOwner: login)
            guard let start, !start.owner.hasSameBytes(as: login) else {
                return run(of: .only(login), inGroup: group, after: start ?? beginning)
            }
            guard ByteKey(login) > ByteKey(start.owner) else { return nil }
            return run(of: .only(login), inGroup: group, after: beginning)
        case let owners?:
            return run(of: owners, inGroup: group, after: start ?? .beginning())
        }
    }

    private func run(
        of owners: RecordRun.Owners, inGroup group: String, after start: RecordRun.Start
    ) -> RecordRun {
        RecordRun(model: model, group: group, owners: owners, start: start)
    }
}

// MARK: - Result

extension Choice {
    /// Reads records until the page is full, but for those that the search holds. The asker sees
    /// `heldBytes` of these.
    fileprivate mutating func readRecords(
        in transaction: any SearchTransaction, holding heldBytes: Int, counting memory: SearchMemory
    ) throws {
        var (batch, place) = (BatchSize(), 0)
        // The search holds the record after the page too.
        let heldCount = min(held.count, guids.count)
        while !isFull, place < guids.count {
            let found: [FoundRecord]
            if place < heldCount {
                found = Array(held[place..<min(place + batch.count, heldCount)])
                place += found.count
            } else {
                let places = place..<min(place + batch.count, guids.count)
                (found, place) = try read(places, in: transaction)
            }
            try memory.note(reading: found.fieldBytes)
            for record in found where !isFull {
                try take(record, conflicts: try openConflicts(of: record, in: transaction))
            }
            if memory.counts(heldBytes + takenBytes) { try measure() }
            try memory.hold(heldBytes + takenBytes)
            batch.adjust(after: found.fieldBytes)
        }
    }

    /// They may be much larger than the record, so those of one record are read at a time.
    private func openConflicts(
        of found: FoundRecord, in transaction: any SearchTransaction
    ) throws -> [StoredConflict] {
        let record = found.record
        guard record.isConflicted, departed[record.guid] == nil else { return [] }
        return try transaction.openConflicts(of: [record.guid]).first ?? []
    }

    /// With the stamps under which the search found them, and the place of the next one.
    private func read(
        _ places: Range<Int>, in transaction: any SearchTransaction
    ) throws -> ([FoundRecord], next: Int) {
        let records = try transaction.records(
            Array(guids[places]), maxBytes: BatchSize.maxBytes)
        let found = zip(places, records).compactMap { place, record -> FoundRecord? in
            guard let found = departed[guids[place]] ?? record else { return nil }
            guard isPull, case .date(let stamp)? = positions[place].keys.first else {
                return found
            }
            return found.changed(at: Instant(milliseconds: stamp))
        }
        return (found, places.lowerBound + records.count)
    }
}
