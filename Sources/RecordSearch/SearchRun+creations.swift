import SyncEngine

// Reading in the order of creation.

extension SearchRun {
    /// Maximum number of owners whose records are merged.
    private static let maxOwners = 100

    /// Reads the records of the scope in the order of creation and guid. A store has them in this
    /// order for each owner, so those of all owners are merged. If there are too many owners, the
    /// search has no result.
    func readCreations(after place: CreationPlace?) throws {
        guard var runs = try creationRuns(after: place) else { return giveUp() }
        while !search.isDone {
            for index in runs.indices where runs[index].waiting.isEmpty {
                try runs[index].read(in: transaction, atMost: batch.count)
            }
            let ready = CreationRun.takeReady(of: &runs)
            guard !ready.isEmpty else { return }
            try consider(ready)
        }
    }

    /// Returns nil if there are too many owners.
    private func creationRuns(after place: CreationPlace?) throws -> [CreationRun]? {
        let model = plan.scope.model
        var runs: [CreationRun] = []
        var group = try transaction.nextGroup(of: model, after: nil)
        while let name = group {
            for owner in try owners(inGroup: name, upTo: Self.maxOwners + 1 - runs.count) {
                let start = RecordRun.Start(
                    owner: owner, created: place?.created ?? 0, guid: place?.guid ?? "")
                runs.append(
                    CreationRun(
                        RecordRun(model: model, group: name, owners: .only(owner), start: start)))
            }
            guard runs.count <= Self.maxOwners else { return nil }
            group = try transaction.nextGroup(of: model, after: name)
        }
        return runs
    }

    /// Looks up the first record of each owner.
    private func owners(inGroup group: String, upTo max: Int) throws -> [String] {
        guard let visible = plan.scope.owners(inGroup: group) else { return [] }
        if case .only(let login) = visible { return [login] }
        var (owners, start) = ([String](), RecordRun.Start.beginning())
        while owners.count < max {
            let run = RecordRun(
                model: plan.scope.model, group: group, owners: visible, start: start)
            guard let owner = try transaction.records(in: run, atMost: 1).first?.record.owner
            else { return owners }
            owners.append(owner)
            start = RecordRun.Start(owner: owner, created: .max, guid: "")
        }
        return owners
    }
}

/// The records of one owner in one group, in the order of creation and guid.
private struct CreationRun {
    private static let firstCount = 8

    private var run: RecordRun
    /// Records that were read and are not taken yet.
    private(set) var waiting: ArraySlice<FoundRecord> = []
    private var isAtEnd = false
    private var count = firstCount

    init(_ run: RecordRun) { self.run = run }

    /// Each time twice as many, since most owners may have few records.
    mutating func read(in transaction: any SearchTransaction, atMost max: Int) throws {
        guard !isAtEnd else { return }
        let wanted = min(count, max)
        let found = try transaction.records(in: run, atMost: wanted)
        isAtEnd = found.count < wanted
        if let last = found.last { run.start = RecordRun.Start(after: last) }
        waiting = found[...]
        count = 2 * wanted
    }

    /// Takes the records that come before all that were not read, in their order.
    static func takeReady(of runs: inout [CreationRun]) -> [FoundRecord] {
        let end = runs.compactMap { $0.isAtEnd ? nil : $0.waiting.last?.creationPlace }.min()
        var ready: [FoundRecord] = []
        for index in runs.indices {
            let taken = runs[index].waiting.prefix { record in
                end.map { record.creationPlace <= $0 } ?? true
            }
            ready += taken
            runs[index].waiting = runs[index].waiting.dropFirst(taken.count)
        }
        return ready.sorted { $0.creationPlace < $1.creationPlace }
    }
}

extension FoundRecord {
    fileprivate var creationPlace: CreationPlace { CreationPlace(created, record.guid) }
}
