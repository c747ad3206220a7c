import AccessPolicy
import SyncEngine

// Pulls of clients that know a time in place of a cursor.

extension SearchRun {
    /// Reads the changes after a stamp, in their order, and with the stamps that are free for them
    /// what else a client has to hear: of records that it may hold and that the asker does not see,
    /// and of those that look different although they did not change.
    ///
    /// - A record that was given away departs with the stamp of the move. It may have changed
    ///   since, but nobody who does not see it hears of that.
    /// - A purged record departs with the stamp of its deletion.
    /// - After a change of what the asker sees come, one after the other, the records that did not
    ///   change since, and those that did and that the asker does not see. Among the former are
    ///   deleted ones that the asker sees again: a client may have passed the stamp of the deletion
    ///   while it could not hear of it.
    /// - A record that several of these would tell comes with the last one only: the client
    ///   continues to its stamp, and all of them tell the same present look.
    func readPull(after stamp: Instant) throws {
        guard let rights = search.pull else { return }
        let changes = try transaction.readPolicyChanges(of: rights.login)
        let pull = Pull(
            after: stamp, purgeHorizon: try transaction.currentState().moment.purgeHorizon,
            readingPolicies: { rights.former(changes) })
        var sequence = try transaction.sequence(atStamp: stamp, ofAllIn: plan.scope.model)
        if let last = changes.last, stamp < last.lastStamp {
            pull.looks = pull.formerPolicies.changes(after: stamp)
            for (index, change) in pull.looks {
                try readChanges(after: sequence, through: change.sequence, for: pull)
                try retellUnchanged(change, index, after: stamp, for: pull)
                try retellChanged(change, index, after: stamp, for: pull)
                sequence = max(sequence, change.sequence)
            }
        }
        try readChanges(after: sequence, through: .max, for: pull)
    }
}

private final class Pull {
    /// The time that the client knows.
    let stamp: Instant
    /// Nothing that was deleted later is purged.
    let purgeHorizon: Int64
    /// Few pulls need them.
    private(set) lazy var formerPolicies = readFormerPolicies()
    private let readFormerPolicies: () -> PreviousReadPolicies
    /// The changes of sight that the client has to hear of.
    var looks: [(index: Int, change: ReadPolicyChange)] = []

    init(
        after stamp: Instant, purgeHorizon: Int64,
        readingPolicies: @escaping () -> PreviousReadPolicies
    ) {
        self.stamp = stamp
        self.purgeHorizon = purgeHorizon
        readFormerPolicies = readingPolicies
    }
}

// MARK: - Changes

extension SearchRun {
    private func readChanges(after start: Int64, through last: Int64, for pull: Pull) throws {
        var sequence = start
        while !search.isDone, sequence < last {
            let limit = nextLimit
            var found = try records(after: sequence, atMost: limit)
            var end = Self.end(
                of: found.map(\.change.sequence), isCut: limit.isReached(by: found), through: last)
            let purged = try purged(after: sequence, through: &end, atMost: limit.rows, for: pull)
            let reassignments = try transaction.reassignments(
                of: plan.scope.model, after: sequence, through: end, atMost: limit.rows)
            end = Self.end(
                of: reassignments.map(\.found.change.sequence),
                isCut: reassignments.count == limit.rows, through: end)
            if found.last?.change.sequence ?? 0 > end {
                found.removeAll { $0.change.sequence > end }
            }
            let departed =
                purged.filter { search.view(of: $0) != .nothing }
                + reassignments.filter { hasDeparted($0, for: pull) }.map(\.found)
            // No record that is there tells the sequence of the last one told.
            try consider(
                found.filter { !comesAgain($0, for: pull) },
                with: departed.filter {
                    $0.change.sequence <= end && $0.change.stamp > pull.stamp
                })
            sequence = end
            spend((found + purged + reassignments.map(\.found)).map(\.change), through: end)
        }
    }

    /// Counts what was read up to a sequence, whether or not the asker hears of it.
    private func spend(_ read: [ChangePoint], through end: Int64) {
        let read = read.filter { $0.sequence <= end }
        spend(read.count, upTo: read.max { $0.sequence < $1.sequence }?.stamp)
    }

    private func hasDeparted(_ reassignment: Reassignment, for pull: Pull) -> Bool {
        search.view(of: reassignment.found) == .nothing
            && (search.view(of: reassignment.former) != .nothing
                || pull.formerPolicies.saw(
                    reassignment.former, since: reassignment.found.change.sequence))
    }

    private func records(
        after sequence: Int64, atMost limit: ReadLimit
    ) throws -> [FoundRecord] {
        try transaction.records(of: plan.scope.model, changedAfter: sequence, atMost: limit)
    }

    /// Sets the end to that of what is read, if more follows.
    private func purged(
        after sequence: Int64, through end: inout Int64, atMost count: Int, for pull: Pull
    ) throws -> [FoundRecord] {
        guard sequence < pull.purgeHorizon else { return [] }
        let found = try transaction.purgedRecords(
            of: plan.scope.model, deletedAfter: sequence, through: end, atMost: count)
        end = Self.end(
            of: found.map(\.change.sequence), isCut: found.count == count, through: end)
        return found
    }

    /// The last sequence of which everything was read, after a read that may have been cut.
    private static func end(
        of sequences: [Int64], isCut: Bool, through last: Int64
    ) -> Int64 {
        guard isCut, let read = sequences.last else { return last }
        return min(read, last)
    }

    /// Both in the order of their stamps.
    private func consider(_ found: [FoundRecord], with departed: [FoundRecord]) throws {
        guard !departed.isEmpty else { return try consider(found) }
        var rest = found[...]
        for record in departed.sorted(by: { $0.change.stamp < $1.change.stamp })
        where !search.isDone {
            let before = rest.prefix { $0.change.stamp < record.change.stamp }
            rest = rest.dropFirst(before.count)
            try consider(Array(before))
            if !search.isDone { depart(record) }
        }
        try consider(Array(rest))
    }
}

// MARK: - Other looks

extension SearchRun {
    /// The records that did not change since a change of sight.
    private func retellUnchanged(
        _ change: ReadPolicyChange, _ index: Int, after stamp: Instant, for pull: Pull
    ) throws {
        var sequence = change.sequence(atStamp: stamp)
        while !search.isDone, sequence < change.sequence {
            let limit = nextLimit
            let found = try records(after: sequence, atMost: limit)
            var end = Self.end(
                of: found.map(\.change.sequence), isCut: limit.isReached(by: found),
                through: change.sequence)
            let purged = try purged(after: sequence, through: &end, atMost: limit.rows, for: pull)
            let all = (found + purged).filter { $0.change.sequence <= end }
                .map { $0.changed(at: change.stamp(ofSequence: $0.change.sequence)) }
            let different = all.filter {
                isDifferent($0, since: index, for: pull)
                    && !comesAgain($0, after: index, for: pull)
            }
            try consider(different, with: all.filter { hasDeparted($0, index, for: pull) })
            sequence = end
            spend(all.map(\.change), through: end)
        }
    }

    /// Whether a record that did not change since a change of sight looks different since then, and
    /// the asker sees it.
    private func isDifferent(_ found: FoundRecord, since index: Int, for pull: Pull) -> Bool {
        let view = search.view(of: found)
        return view != .nothing && !found.record.isGone
            && pull.formerPolicies.differs(view, of: found.record.ownership, before: index)
    }

    /// Whether a later change of sight tells a record too.
    private func comesAgain(
        _ found: FoundRecord, after index: Int = -1, for pull: Pull
    ) -> Bool {
        pull.looks.contains { later, change in
            later > index && change.sequence >= found.change.sequence
                && isDifferent(found, since: later, for: pull)
        }
    }

    /// Whether a client may hold a record that did not change since a change of sight, and has to
    /// hear of it: the asker does not see it any more, or could not see how it was deleted.
    private func hasDeparted(_ found: FoundRecord, _ index: Int, for pull: Pull) -> Bool {
        let ownership = found.record.ownership
        let isHidden = search.view(of: found) == .nothing
        guard pull.formerPolicies.saw(ownership, before: index) else {
            return !isHidden && found.record.isGone
                && pull.formerPolicies.mayHaveSeen(ownership, longBefore: index)
        }
        return isHidden
    }

    /// The records that changed since a change of sight and that the asker does not see, by their
    /// creation. They have no stamps of their own after it, so all of them are looked at for each
    /// page. The search may read as much as one change of sight needs, and no more then.
    private func retellChanged(
        _ change: ReadPolicyChange, _ index: Int, after stamp: Instant, for pull: Pull
    ) throws {
        let told = change.creation(atStamp: stamp)
        guard !search.isDone, told < change.sequence else { return }
        var (departed, sequence, looked) = ([FoundRecord](), change.sequence, 0)
        while sequence < .max {
            let (found, end) = try changed(after: sequence, for: pull)
            let last = departed.count == search.maxPage ? departed.last?.created : nil
            let hidden = found.filter {
                $0.created > told && $0.created <= last ?? change.sequence
                    && search.view(of: $0) == .nothing
            }.map(\.withoutFields)
            departed += try wereSeen(hidden, before: change, index, pull)
                .map { $0.changed(at: change.stamp(ofCreation: $0.created)) }
            departed = departed.firstByStamp(atMost: search.maxPage)
            looked += found.count
            sequence = end
        }
        try consider([], with: departed)
        spend(looked, upTo: change.lastStamp)
    }

    /// The first records that changed after a sequence, also purged ones, up to the returned one.
    private func changed(
        after sequence: Int64, for pull: Pull
    ) throws -> (records: [FoundRecord], end: Int64) {
        let limit = ReadLimit(rows: BatchSize.maxCount, bytes: BatchSize.maxBytes)
        let found = try records(after: sequence, atMost: limit)
        try note(reading: found.fieldBytes)
        var end = Self.end(
            of: found.map(\.change.sequence), isCut: limit.isReached(by: found), through: .max)
        let purged = try purged(after: sequence, through: &end, atMost: limit.rows, for: pull)
        return ((found + purged).filter { $0.change.sequence <= end }, end)
    }

    /// The records that the asker saw before a change, with the owner and group that they had then.
    private func wereSeen(
        _ records: [FoundRecord], before change: ReadPolicyChange, _ index: Int, _ pull: Pull
    ) throws -> [FoundRecord] {
        guard !records.isEmpty else { return [] }
        let changes = try transaction.ownershipChanges(
            of: records.map(\.record.guid), after: change.sequence)
        return zip(records, changes).filter { record, changes in
            pull.formerPolicies.saw(changes.first?.former ?? record.record.ownership, before: index)
        }.map(\.0)
    }
}

extension StoredRecord {
    /// Whether the record is deleted without an open conflict.
    fileprivate var isGone: Bool { isDeleted && !isConflicted }
}

extension [FoundRecord] {
    /// The first ones of many, in their order, so that few are kept.
    fileprivate func firstByStamp(atMost count: Int) -> [FoundRecord] {
        guard self.count >= count else { return self }
        return Array(sorted { $0.change.stamp < $1.change.stamp }.prefix(count))
    }
}
