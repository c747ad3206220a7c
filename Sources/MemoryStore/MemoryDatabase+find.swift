import DefinitionModel
package import SyncEngine

extension MemoryDatabase {
    /// Passes every record to the search, which ignores those outside its plan.
    package func find(_ search: Search) throws(StoreError) -> Searched {
        let environment = try read(search.plan.environment)
        var search = search
        for placed in environment.records(for: search.plan) where !search.isDone {
            let found = FoundRecord(record: placed.stored, created: placed.created)
            guard let candidate = try search.candidate(found) else { continue }
            let wanted = candidate.wanted.compactMap { guid in
                environment.records[ByteKey(guid)].map { (guid, $0.stored) }
            }
            try search.consider(candidate, with: Dictionary(uniqueKeysWithValues: wanted))
        }
        var choice = search.choice
        for guid in choice?.guids ?? [] where choice?.isFull == false {
            guard let record = environment.records[ByteKey(guid)]?.stored else { continue }
            try choice?.take(
                record,
                conflicts: record.isConflicted ? environment.openConflicts(of: guid) : [])
        }
        return Searched(fingerprint: environment.state.fingerprint, choice: choice)
    }
}

extension Environment {
    /// Returns records in the order of group, owner, creation and guid, after the plan's start.
    fileprivate func records(for plan: SearchPlan) -> [MemoryRecord] {
        let start = plan.start.map(WalkPlace.init)
        return records.values.filter { !$0.isGone }.map { (place: WalkPlace($0), record: $0) }
            .filter { entry in start.map { $0 < entry.place } ?? true }
            .sorted { $0.place < $1.place }.map(\.record)
    }
}

/// A record's position in the order in which a store walks.
private struct WalkPlace: Hashable, Comparable {
    private let group: ByteKey
    private let owner: ByteKey
    private let created: Int64
    private let guid: ByteKey

    init(_ record: MemoryRecord) {
        group = ByteKey(record.stored.group)
        owner = ByteKey(record.stored.owner)
        created = record.created
        guid = ByteKey(record.stored.guid)
    }

    init(_ start: SearchStart) {
        group = ByteKey(start.group)
        owner = ByteKey(start.owner)
        created = start.created
        guid = ByteKey(start.guid)
    }

    static func < (left: WalkPlace, right: WalkPlace) -> Bool {
        (left.group, left.owner, left.created, left.guid)
            < (right.group, right.owner, right.created, right.guid)
    }
}
