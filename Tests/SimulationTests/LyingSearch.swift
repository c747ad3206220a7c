import SyncEngine

/// A read transaction that forwards every call to another, with what is found changed.
struct LyingSearch: SearchTransaction {
    let reads: any SearchTransaction
    let lies: LyingStore

    func currentState() throws -> CurrentState { try reads.currentState() }

    func records(_ guids: [String], maxBytes: Int) throws -> [FoundRecord?] {
        try reads.records(guids, maxBytes: maxBytes).map { $0.map(lies.found) }
    }

    func models(_ guids: [String]) throws -> [String?] { try reads.models(guids) }

    func names(_ guids: [String]) throws -> [String?] { try reads.names(guids) }

    func openConflicts(of guids: [String]) throws -> [[StoredConflict]] {
        try reads.openConflicts(of: guids)
    }

    func nextGroup(of model: String, after group: String?) throws -> String? {
        try reads.nextGroup(of: model, after: group)
    }

    func records(in run: RecordRun, atMost limit: ReadLimit) throws -> [FoundRecord] {
        try reads.records(in: run, atMost: limit).map(lies.found)
    }

    func recordCount(in run: RecordRun, upTo max: Int) throws -> Int {
        try reads.recordCount(in: run, upTo: max)
    }

    func holders(of values: [UniqueValue]) throws -> [String] { try reads.holders(of: values) }

    func disputedTombstones(
        of model: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try reads.disputedTombstones(of: model, after: guid, atMost: limit).map(lies.found)
    }

    func records(
        naming target: String, after guid: String?, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try reads.records(naming: target, after: guid, atMost: limit).map(lies.found)
    }

    func historyAmount(of guid: String) throws -> StoredAmount {
        try reads.historyAmount(of: guid)
    }

    func linkCount(to target: String, upTo max: Int) throws -> Int {
        try reads.linkCount(to: target, upTo: max)
    }

    func history(
        of guid: String, after place: HistoryPosition, atMost limit: ReadLimit
    ) throws -> [PlacedHistoryEntry] {
        lies.past(try reads.history(of: guid, after: place, atMost: limit))
    }

    func firstChange(after sequence: Int64) throws -> ChangePoint? {
        try reads.firstChange(after: sequence)
    }

    func records(
        of model: String, changedAfter sequence: Int64, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        lies.changed(
            try reads.records(of: model, changedAfter: sequence, atMost: limit).map(lies.found))
    }

    func stampedRecords(
        of model: String, changedAfter sequence: Int64, atMost count: Int, maxBytes: Int
    ) throws -> StampedRecords {
        let limit = ReadLimit(rows: count, bytes: maxBytes)
        let found = try reads.records(of: model, changedAfter: sequence, atMost: limit)
            .map(lies.found)
        var records = StampedRecords()
        for record in lies.stamped(found) { records.append(record) }
        records.hasMore = limit.isReached(by: found)
        return records
    }

    func purgedRecords(
        of model: String, deletedAfter sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [FoundRecord] {
        lies.purged(
            try reads.purgedRecords(
                of: model, deletedAfter: sequence, through: last, atMost: count))
    }

    func reassignments(
        of model: String, after sequence: Int64, through last: Int64, atMost count: Int
    ) throws -> [Reassignment] {
        lies.reassignments(
            try reads.reassignments(of: model, after: sequence, through: last, atMost: count))
    }

    func firstReassignment(after sequence: Int64, through last: Int64) throws -> ChangePoint? {
        try reads.firstReassignment(after: sequence, through: last)
    }

    func ownershipChanges(of guids: [String], after sequence: Int64) throws -> [[OwnershipChange]] {
        try reads.ownershipChanges(of: guids, after: sequence)
    }

    func readPolicyChanges(of login: String) throws -> [ReadPolicyChange] {
        lies.readPolicyChanges(try reads.readPolicyChanges(of: login))
    }
}
