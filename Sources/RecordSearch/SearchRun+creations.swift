import SyncEngine

// Reading in the order of creation.

extension SearchRun {
    /// Reads the records of the scope in the order of creation and guid. A store has their places
    /// in this order for each owner, so those of all owners are merged. If there are too many
    /// owners, the search has no result.
    func readCreations(_ walk: CreationWalk) throws {
        guard var runs = try creationRuns(walk) else { return giveUp() }
        while !search.isDone {
            try readPlaces(of: &runs)
            let ready = CreationRun.takeReady(of: &runs)
            guard !ready.isEmpty else { return }
            try readRecords(ready.map(\.guid))
        }
    }

    /// Returns nil if there are too many owners.
    private func creationRuns(_ walk: CreationWalk) throws -> [CreationRun]? {
        let model = plan.scope.model
        var runs: [RecordRun] = []
        var group = try transaction.nextGroup(of: model, after: nil)
        while let name = group {
            for owner in try owners(inGroup: name, upTo: walk.maxOwners + 1 - runs.count) {
                let start = RecordRun.Start(
                    owner: owner, created: walk.start?.created ?? 0, guid: walk.start?.guid ?? "")
                runs.append(
                    RecordRun(model: model, group: name, owners: .only(owner), start: start))
            }
            guard runs.count <= walk.maxOwners else { return nil }
            try note(reading: 0)
            group = try transaction.nextGroup(of: model, after: name)
        }
        // Most owners may have few records in the page.
        let share = min(BatchSize.maxCount, max(8, search.maxPage / max(1, runs.count) + 1))
        return runs.map { CreationRun($0, firstCount: share) }
    }

    private func owners(inGroup group: String, upTo max: Int) throws -> [String] {
        guard let visible = plan.scope.owners(inGroup: group) else { return [] }
        if case .only(let login) = visible { return [login] }
        let run = RecordRun(
            model: plan.scope.model, group: group, owners: visible, start: .beginning())
        return try transaction.owners(in: run, atMost: max)
    }

    /// Those of the runs all of whose places were taken.
    private func readPlaces(of runs: inout [CreationRun]) throws {
        let empty = runs.indices.filter { runs[$0].isEmpty }
        guard !empty.isEmpty else { return }
        let found = try transaction.places(in: empty.map { (runs[$0].run, runs[$0].count) })
        for (index, places) in zip(empty, found) { runs[index].add(places) }
        try note(reading: 0)
    }
}

/// The records of one owner in one group, in the order of creation and guid.
private struct CreationRun {
    private(set) var run: RecordRun
    /// The places to read next. Each time twice as many.
    private(set) var count: Int
    /// Places that were read and are not taken yet.
    private var waiting: ArraySlice<CreationPosition> = []
    private var isAtEnd = false

    init(_ run: RecordRun, firstCount: Int) {
        self.run = run
        count = firstCount
    }

    /// Whether places must be read.
    var isEmpty: Bool { waiting.isEmpty && !isAtEnd }

    /// Adds the next `count` places, or as many as there are.
    mutating func add(_ places: [RecordRun.Start]) {
        isAtEnd = places.count < count
        if let last = places.last { run.start = last }
        waiting = places.map { CreationPosition($0.created, $0.guid) }[...]
        count = min(BatchSize.maxCount, 2 * count)
    }

    /// Takes the places that come before all that were not read, in their order.
    static func takeReady(of runs: inout [CreationRun]) -> [CreationPosition] {
        let end = runs.compactMap { $0.isAtEnd ? nil : $0.waiting.last }.min()
        var ready: [CreationPosition] = []
        for index in runs.indices {
            let taken = runs[index].waiting.prefix { place in end.map { place <= $0 } ?? true }
            ready += taken
            runs[index].waiting = runs[index].waiting.dropFirst(taken.count)
        }
        return ready.sorted()
    }
}
