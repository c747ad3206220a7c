import DefinitionModel

/// Records and outcomes that most likely are not stored, because calls are about to write them.
///
/// A store may presume them absent. Their lookups are most of what it reads for new records.
/// Writing them proves that they were absent, since their keys are unique. The store has to look up
/// the others before it commits.
package struct ExpectedAbsences: Hashable, Sendable {
    package private(set) var guids: [String] = []
    package private(set) var outcomes: [OutcomeID] = []

    package init() {}

    package var isEmpty: Bool { guids.isEmpty && outcomes.isEmpty }

    /// The absences that a call expects, without those that its writes prove.
    init(of need: ReadSet, given facts: Facts, unprovenBy writes: WriteSet) {
        // Mostly, all are written.
        if writes.records.count(where: { need.creates($0, given: facts) })
            < need.createdGuids.count
        {
            let proven = writes.records.filter { need.creates($0, given: facts) }.map(\.guid)
            guids = need.createdGuids.subtracting(proven).sorted()
        }
        guard need.areChangesNew, writes.outcomes.count < need.changeIDs.count else { return }
        let written = Set(writes.outcomes.map { ByteKey($0.changeID) })
        outcomes = need.changeIDs.filter { !written.contains(ByteKey($0)) }.map {
            OutcomeID($0, of: need.device)
        }
    }

    mutating func add(_ others: ExpectedAbsences) {
        guids += others.guids
        outcomes += others.outcomes
    }

    init(guids: [String], outcomes: [OutcomeID]) {
        (self.guids, self.outcomes) = (guids, outcomes)
    }

    /// Those that the others have too.
    func shared(with others: ExpectedAbsences) -> ExpectedAbsences {
        let guidKeys = Set(others.guids.map { ByteKey($0) })
        let outcomeKeys = Set(others.outcomes.map { OutcomeKey($0) })
        return ExpectedAbsences(
            guids: guids.filter { guidKeys.contains(ByteKey($0)) },
            outcomes: outcomes.filter { outcomeKeys.contains(OutcomeKey($0)) })
    }

    /// Whether writes may have deleted one of the outcomes, so that a lookup now does not tell
    /// whether it was stored before.
    func mayBeDeleted(by writes: [WriteBatch]) -> Bool {
        let forgotten = writes.forgottenKeys
        let trimmed = Set(writes.flatMap(\.trimmedDevices).map { DeviceByteKey($0) })
        return outcomes.contains { id in
            trimmed.contains(DeviceByteKey(id.device)) || forgotten.contains(OutcomeKey(id))
        }
    }

    /// Without those that other calls of the transaction have written. An outcome that one of them
    /// forgets may be written after that, which proves nothing.
    func without(provenBy writes: [WriteBatch]) -> ExpectedAbsences {
        let created = writes.lazy.flatMap(\.records).filter(\.isNew).map(\.record.guid)
        let createdKeys = Set(created.map { ByteKey($0) })
        let writtenKeys = Set(writes.lazy.flatMap(\.outcomes).map { OutcomeKey($0.id) })
            .subtracting(writes.forgottenKeys)
        return ExpectedAbsences(
            guids: guids.filter { !createdKeys.contains(ByteKey($0)) },
            outcomes: outcomes.filter { !writtenKeys.contains(OutcomeKey($0)) })
    }
}

extension [WriteBatch] {
    fileprivate var forgottenKeys: Set<OutcomeKey> {
        Set(lazy.flatMap(\.forgottenOutcomes).map { OutcomeKey($0.id) })
    }
}

extension ReadSet {
    /// Whether a call creates a record, for which nothing was found.
    fileprivate func creates(_ record: StoredRecord, given facts: Facts) -> Bool {
        createdGuids.contains(record.guid) && facts.records[record.guid] == nil
    }
}
