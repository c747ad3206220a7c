package import SyncEngine

extension MemoryDatabase {
    /// Goes through all records, whatever a search could be narrowed to: it looks at each of them
    /// itself.
    package func find(_ search: Search) throws(StoreError) -> Searched {
        let environment = try read(search.plan.environment)
        var search = search
        for record in environment.records(for: search.plan) where !search.isDone {
            guard let candidate = try search.candidate(record) else { continue }
            try search.consider(candidate, with: environment.records(candidate.wanted))
        }
        var choice = search.choice
        for guid in choice?.guids ?? [] where choice?.isFull == false {
            guard let record = environment.records[Key(guid)]?.stored else { continue }
            try choice?.take(
                record,
                conflicts: record.isConflicted ? environment.openConflicts(of: guid) : [])
        }
        return Searched(fingerprint: environment.state.fingerprint, choice: choice)
    }
}

extension Environment {
    /// By group, owner and guid, from after the plan's start on.
    fileprivate func records(for plan: SearchPlan) -> [StoredRecord] {
        let start = plan.start.map { [Key($0.group), Key($0.owner), Key($0.guid)] }
        return records.values.filter { !$0.isGone }.map(\.stored)
            .map { (place: [Key($0.group), Key($0.owner), Key($0.guid)], record: $0) }
            .filter { entry in start.map { $0.lexicographicallyPrecedes(entry.place) } ?? true }
            .sorted { $0.place.lexicographicallyPrecedes($1.place) }.map(\.record)
    }
}
