import DefinitionModel
import SyncEngine

extension SearchEvaluation {
    /// Reads the candidates, and the records that the search chooses, from one snapshot.
    func result(in transaction: any SearchTransaction) throws -> Searched {
        let run = SearchRun(self, transaction)
        try run.readCandidates()
        var choice = run.search.choice
        try choice?.readRecords(in: transaction)
        return Searched(
            fingerprint: try transaction.currentState().fingerprint, choice: choice)
    }
}

/// Passes the records of a search's plan to the search, until it is done or no more follow.
final class SearchRun {
    private(set) var search: SearchEvaluation
    let plan: SearchPlan
    let transaction: any SearchTransaction
    private(set) var batch = BatchSize()
    /// The records that may still be read in the order of changes.
    private var rest: Int

    init(_ search: SearchEvaluation, _ transaction: any SearchTransaction) {
        self.search = search
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
            case .creations(let place): return try readCreations(after: place)
            case .changes(let stamp): return try readChanges(after: stamp)
            case .pull(let stamp): return try readPull(after: stamp)
            }
        }
        try readRecords(narrowing.guids)
        try readHolders(of: narrowing.values)
        for target in narrowing.targets {
            try readBatches { last, count in
                try transaction.records(
                    naming: target, after: last?.record.guid, atMost: count)
            }
        }
    }

    // MARK: - Lists

    private func readRecords(_ guids: [String]) throws {
        var rest = guids[...]
        while !search.isDone, !rest.isEmpty {
            let some = Array(rest.prefix(batch.count))
            rest = rest.dropFirst(some.count)
            try consider(transaction.records(some).compactMap { $0 })
        }
    }

    /// A deleted record in conflict has a value without being its registered holder.
    private func readHolders(of values: [UniqueValue]) throws {
        guard !values.isEmpty else { return }
        try readRecords(transaction.holders(of: values))
        try readBatches { last, count in
            try transaction.disputedTombstones(
                of: plan.scope.model, after: last?.record.guid, atMost: count)
        }
    }

    // MARK: - Scope

    /// Stops after exactly `maxRecords` records, whatever the size of the batches: it depends on
    /// values that the asker may not see.
    private func readChanges(after stamp: Instant) throws {
        var sequence = try transaction.sequence(atStamp: stamp)
        while !search.isDone {
            let count = nextCount
            let found = try transaction.records(
                of: plan.scope.model, changedAfter: sequence, atMost: count)
            try consider(found)
            guard found.count == count, let last = found.last else { return }
            sequence = last.change.sequence
            spend(count, upTo: last)
        }
    }

    /// The number of records to read next.
    var nextCount: Int { min(batch.count, max(1, rest)) }

    /// Stops if so many records were read in the order of changes that no more may follow.
    func spend(_ count: Int, upTo last: FoundRecord?) {
        rest -= count
        if rest <= 0, !search.isDone, let last { search.stop(after: last) }
    }

    func depart(_ record: FoundRecord) { search.depart(record) }

    /// Ends the search without a result.
    func giveUp() { search.giveUp() }

    /// In the order of group, owner, creation and guid.
    private func readScope(after start: SearchStart?) throws {
        try forEachRun(after: start) { run in
            var run = run
            try readBatches { last, count in
                if let last { run.start = RecordRun.Start(after: last) }
                return try transaction.records(in: run, atMost: count)
            }
            return !search.isDone
        }
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
    /// the previous batch, and the maximum number of records.
    private func readBatches(
        _ read: (_ last: FoundRecord?, _ count: Int) throws -> [FoundRecord]
    ) throws {
        var last: FoundRecord?
        while !search.isDone {
            let count = batch.count
            let found = try read(last, count)
            try consider(found)
            guard found.count == count else { return }
            last = found.last
        }
    }

    func consider(_ found: [FoundRecord]) throws {
        guard search.readsRelatedRecords else {
            for record in found where !search.isDone {
                if let candidate = try search.candidate(record) {
                    try search.consider(candidate, with: [:])
                }
            }
            return batch.adjust(after: found.fieldBytes)
        }
        let candidates = try found.compactMap { try search.candidate($0) }
        let related = try relatedRecords(of: candidates)
        for candidate in candidates where !search.isDone {
            try search.consider(candidate, with: related)
        }
        let relatedBytes = related.values.reduce(0) { $0 + $1.fieldsText.utf8.count }
        batch.adjust(after: found.fieldBytes + relatedBytes)
    }

    /// Reads the related records that the candidates want, by guid.
    private func relatedRecords(of candidates: [Candidate]) throws -> [ByteKey: StoredRecord] {
        var wanted: [ByteKey: String] = [:]
        for guid in candidates.flatMap(\.wanted) { wanted[ByteKey(guid)] = guid }
        guard !wanted.isEmpty else { return [:] }
        let found = try transaction.records(Array(wanted.values)).compactMap { $0?.record }
        return Dictionary(found.map { (ByteKey($0.guid), $0) }) { first, _ in first }
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
    /// Reads records until the page is full, but for those that the search holds.
    fileprivate mutating func readRecords(in transaction: any SearchTransaction) throws {
        var (batch, place) = (BatchSize(), 0)
        while !isFull, place < guids.count {
            let places = place..<min(place + batch.count, guids.count)
            let found =
                places.upperBound <= held.count
                ? Array(held[places])
                : try read(places, in: transaction)
            place = places.upperBound
            let disputed = found.map(\.record)
                .filter { $0.isConflicted && departed[$0.guid] == nil }.map(\.guid)
            var conflicts =
                try disputed.isEmpty ? [] : transaction.openConflicts(of: disputed)[...]
            for record in found where !isFull {
                let isDisputed =
                    record.record.isConflicted && departed[record.record.guid] == nil
                try take(record, conflicts: isDisputed ? conflicts.popFirst() ?? [] : [])
            }
            batch.adjust(after: found.fieldBytes)
        }
    }

    /// With the stamps under which the search found them.
    private func read(
        _ places: Range<Int>, in transaction: any SearchTransaction
    ) throws -> [FoundRecord] {
        let records = try transaction.records(Array(guids[places]))
        return zip(places, records).compactMap { place, record in
            guard let found = departed[guids[place]] ?? record else { return nil }
            guard isPull, case .date(let stamp)? = positions[place].keys.first else {
                return found
            }
            return found.changed(at: Instant(milliseconds: stamp))
        }
    }
}

extension [FoundRecord] {
    /// The size of the fields, in bytes.
    fileprivate var fieldBytes: Int { reduce(0) { $0 + $1.record.fieldsText.utf8.count } }
}
