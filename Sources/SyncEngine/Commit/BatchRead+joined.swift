extension CommitTransaction {
    /// Carries out several requests as one. Gives the rows of each.
    func read(_ requests: [BatchRead]) throws -> [BatchRows] {
        guard requests.contains(where: { !$0.isEmpty }) else {
            return requests.map { _ in BatchRows() }
        }
        if requests.count == 1 { return [try read(requests[0])] }
        var joined = BatchRead()
        for request in requests { joined.append(request) }
        joined.areOutcomesNew = requests.allSatisfy { $0.outcomes.isEmpty || $0.areOutcomesNew }
        var rows = RowSlices(try read(joined))
        return requests.map { rows.next(for: $0) }
    }
}

extension BatchRead {
    fileprivate mutating func append(_ other: BatchRead) {
        readsState = readsState || other.readsState
        if !other.areCreated.isEmpty {
            areCreated += [Bool](repeating: false, count: records.count - areCreated.count)
            areCreated += other.areCreated
        }
        records += other.records
        maxRecordBytes = min(maxRecordBytes, other.maxRecordBytes)
        if reachingRecord.rawValue < other.reachingRecord.rawValue {
            reachingRecord = other.reachingRecord
        }
        outcomes += other.outcomes
        purgedGuids += other.purgedGuids
        history += other.history
        historyCounts += other.historyCounts
        ownershipChanges += other.ownershipChanges
        conflictAmounts += other.conflictAmounts
        conflicts += other.conflicts
        holders += other.holders
        owners += other.owners
        changes += other.changes
        changedSources += other.changedSources
        effects += other.effects
        files += other.files
        recordsNamingFiles += other.recordsNamingFiles
        outcomeAmounts += other.outcomeAmounts
        disputes += other.disputes
    }
}

/// The rows of joined requests, which are given back one request after the other.
private struct RowSlices {
    private let rows: BatchRows
    private var taken = BatchRead()

    init(_ rows: BatchRows) { self.rows = rows }

    mutating func next(for request: BatchRead) -> BatchRows {
        defer { taken.append(request) }
        var next = BatchRows()
        next.state = request.readsState ? rows.state : nil
        next.records = slice(rows.records, taken.records, request.records)
        next.outcomes = slice(rows.outcomes, taken.outcomes, request.outcomes)
        next.purged = slice(rows.purged, taken.purgedGuids, request.purgedGuids)
        next.history = slice(rows.history, taken.history, request.history)
        next.historyCounts = slice(
            rows.historyCounts, taken.historyCounts, request.historyCounts)
        next.ownershipChanges = slice(
            rows.ownershipChanges, taken.ownershipChanges, request.ownershipChanges)
        next.conflictAmounts = slice(
            rows.conflictAmounts, taken.conflictAmounts, request.conflictAmounts)
        next.conflicts = slice(rows.conflicts, taken.conflicts, request.conflicts)
        next.holders = slice(rows.holders, taken.holders, request.holders)
        next.owners = slice(rows.owners, taken.owners, request.owners)
        next.changes = slice(rows.changes, taken.changes, request.changes)
        next.changedSources = slice(
            rows.changedSources, taken.changedSources, request.changedSources)
        next.effects = slice(rows.effects, taken.effects, request.effects)
        next.files = slice(rows.files, taken.files, request.files)
        next.recordsNamingFiles = slice(
            rows.recordsNamingFiles, taken.recordsNamingFiles, request.recordsNamingFiles)
        next.outcomeAmounts = slice(
            rows.outcomeAmounts, taken.outcomeAmounts, request.outcomeAmounts)
        next.disputes = slice(rows.disputes, taken.disputes, request.disputes)
        return next
    }

    private func slice<Row, Asked>(_ rows: [Row], _ taken: [Asked], _ asked: [Asked]) -> [Row] {
        Array(rows.dropFirst(taken.count).prefix(asked.count))
    }
}
