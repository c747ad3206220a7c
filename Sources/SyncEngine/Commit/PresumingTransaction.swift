/// A transaction that presumes absent the rows that its calls expect to be absent, until something
/// is written.
package final class PresumingTransaction: CommitTransaction {
    private let transaction: any CommitTransaction
    /// Whether guids have to be looked for among those of purged records.
    private var mayBePurged: Bool
    private var written: [WriteBatch] = []
    private var presumed = ExpectedAbsences()

    /// - Parameter mayBePurged: Whether records of the environment may have been purged. The
    ///   environment's state, if it is read, says whether they have.
    package init(_ transaction: any CommitTransaction, mayBePurged: Bool) {
        self.transaction = transaction
        self.mayBePurged = mayBePurged
    }

    /// Whether any row was presumed absent.
    package var hasPresumed: Bool { !presumed.isEmpty }

    package var elapsedMilliseconds: Int64 { transaction.elapsedMilliseconds }
    package var totalMilliseconds: Int64 { transaction.totalMilliseconds }
    package let presumesAbsences = true

    package func read(_ request: BatchRead) throws -> BatchRows {
        let presumesOutcomes = request.areOutcomesNew && !request.outcomes.isEmpty
        guard written.isEmpty, presumesOutcomes || request.areCreated.contains(true) else {
            return try transaction.read(request)
        }
        let split = SplitRecords(of: request)
        let outcomes = presumesOutcomes ? request.outcomes : []
        presumed.add(ExpectedAbsences(guids: split.created, outcomes: outcomes))
        var asked = request
        asked.records = split.others
        if presumesOutcomes { asked.outcomes = [] }
        let looks = mayBePurged
        if looks { asked.purgedGuids = split.created }
        var rows = try transaction.read(asked)
        mayBePurged = rows.state.map { $0.moment.purgeHorizon > 0 } ?? true
        if mayBePurged, !looks { rows.purged = try arePurged(split.created) }
        rows.records = split.states(of: rows)
        rows.purged = []
        if presumesOutcomes { rows.outcomes = outcomes.map { _ in nil } }
        return rows
    }

    private func arePurged(_ guids: [String]) throws -> [Bool] {
        guard !guids.isEmpty else { return [] }
        var read = BatchRead()
        read.purgedGuids = guids
        return try transaction.read(read).purged
    }

    package func write(_ batch: WriteBatch) throws {
        written.append(batch)
        try transaction.write(batch)
    }

    /// Looks up the rows that were presumed absent and whose absence no write of the calls proves.
    /// Throws `failed` if one was stored. The calls may be written already.
    package func check(_ decided: DecidedCalls) throws {
        guard !decided.unproven.isEmpty else { return }
        let unproven = decided.unproven.shared(with: presumed)
        guard !unproven.isEmpty else { return }
        var read = BatchRead()
        read.owners = unproven.guids
        read.outcomes = unproven.outcomes
        let rows = try transaction.read(read)
        let isStored =
            rows.owners.contains { $0 != nil } || rows.outcomes.contains { $0 != nil }
            || unproven.mayBeDeleted(by: written)
        guard !isStored else { throw StoreError.failed("what a call expected absent is stored") }
    }
}

/// The records of a request that calls create, and the others.
private struct SplitRecords {
    private(set) var created: [String] = []
    private(set) var others: [String] = []
    private let areCreated: [Bool]

    init(of request: BatchRead) {
        let unknown = request.records.count - request.areCreated.count
        areCreated = request.areCreated + [Bool](repeating: false, count: unknown)
        for (guid, isCreated) in zip(request.records, areCreated) {
            if isCreated { created.append(guid) } else { others.append(guid) }
        }
    }

    /// The states of all records, up to the first one that was not read. Those that calls create
    /// are free if they were not purged.
    func states(of rows: BatchRows) -> [FoundState] {
        var (purged, others) = (rows.purged[...], rows.records[...])
        var states: [FoundState] = []
        states.reserveCapacity(areCreated.count)
        for isCreated in areCreated {
            if isCreated {
                states.append(purged.popFirst() ?? false ? .purged : .free)
            } else {
                guard let state = others.popFirst() else { break }
                states.append(state)
            }
        }
        return states
    }
}
