import SyncEngine

// Reading in the order of creation.

extension SearchRun {
    /// So many owners are merged whatever they have. For more of them, the look-ups of each owner
    /// take as long as to sort some records of all.
    private static let fewOwners = 100

    /// Reads the records of the scope in the order of creation and guid. A store has them in this
    /// order for each owner, so those of all owners are merged. If there are too many owners, or
    /// many of few records, the search has no result.
    func readCreations(_ walk: CreationWalk) throws {
        guard var runs = try creationRuns(walk),
            try runs.count <= Self.fewOwners || !hasScope(upTo: walk.fewRecords)
        else { return giveUp() }
        while !search.isDone {
            let limit = ReadLimit(rows: batch.count, bytes: BatchSize.maxBytes / max(1, runs.count))
            for index in runs.indices where runs[index].waiting.isEmpty {
                try runs[index].read(in: transaction, atMost: limit)
            }
            let ready = CreationRun.takeReady(of: &runs)
            guard !ready.isEmpty else { return }
            try consider(ready)
        }
    }

    /// Reads large records again, each alone.
    private func consider(_ ready: [WaitingRecord]) throws {
        var whole: [FoundRecord] = []
        for record in ready where !search.isDone {
            guard record.isLarge else {
                whole.append(record.found)
                continue
            }
            if !whole.isEmpty { try consider(whole) }
            whole = []
            try consider(
                transaction.records([record.found.record.guid]).compactMap { $0 })
        }
        if !whole.isEmpty { try consider(whole) }
    }

    /// Returns nil if there are too many owners.
    private func creationRuns(_ walk: CreationWalk) throws -> [CreationRun]? {
        let model = plan.scope.model
        var runs: [CreationRun] = []
        var group = try transaction.nextGroup(of: model, after: nil)
        while let name = group {
            for owner in try owners(inGroup: name, upTo: walk.maxOwners + 1 - runs.count) {
                let start = RecordRun.Start(
                    owner: owner, created: walk.start?.created ?? 0, guid: walk.start?.guid ?? "")
                runs.append(
                    CreationRun(
                        RecordRun(model: model, group: name, owners: .only(owner), start: start)))
            }
            guard runs.count <= walk.maxOwners else { return nil }
            group = try transaction.nextGroup(of: model, after: name)
        }
        return runs.count > Self.fewOwners ? runs.map(\.amongMany) : runs
    }

    /// Looks up the first record of each owner.
    private func owners(inGroup group: String, upTo max: Int) throws -> [String] {
        guard let visible = plan.scope.owners(inGroup: group) else { return [] }
        if case .only(let login) = visible { return [login] }
        var (owners, start) = ([String](), RecordRun.Start.beginning())
        while owners.count < max {
            let run = RecordRun(
                model: plan.scope.model, group: group, owners: visible, start: start)
            let first = try transaction.records(in: run, atMost: ReadLimit(rows: 1, bytes: 1))
            guard let owner = first.first?.record.owner else { return owners }
            owners.append(owner)
            start = RecordRun.Start(owner: owner, created: .max, guid: "")
        }
        return owners
    }
}

/// A record that was read before it is its turn.
private struct WaitingRecord {
    let found: FoundRecord
    /// Whether its fields are left out: those of all that wait would be too much.
    let isLarge: Bool

    init(_ found: FoundRecord, mostBytes: Int) {
        isLarge = found.fieldBytes > mostBytes
        self.found = isLarge ? found.withoutFields : found
    }
}

/// The records of one owner in one group, in the order of creation and guid.
private struct CreationRun {
    private static let firstCount = 8
    private static let firstCountOfMany = 4

    private var run: RecordRun
    /// Records that were read and are not taken yet.
    private(set) var waiting: ArraySlice<WaitingRecord> = []
    private var isAtEnd = false
    private var count = firstCount

    init(_ run: RecordRun) { self.run = run }

    /// The same for one of many owners, few of whom have more records in the page.
    var amongMany: CreationRun {
        var run = self
        run.count = Self.firstCountOfMany
        return run
    }

    /// Each time twice as many, since most owners may have few records in the page.
    mutating func read(in transaction: any SearchTransaction, atMost max: ReadLimit) throws {
        guard !isAtEnd else { return }
        let limit = ReadLimit(rows: min(count, max.rows), bytes: max.bytes)
        let found = try transaction.records(in: run, atMost: limit)
        isAtEnd = !limit.isReached(by: found)
        if let last = found.last { run.start = RecordRun.Start(after: last) }
        waiting = found.map { WaitingRecord($0, mostBytes: max.bytes) }[...]
        count = 2 * limit.rows
    }

    /// Takes the records that come before all that were not read, in their order.
    static func takeReady(of runs: inout [CreationRun]) -> [WaitingRecord] {
        let end = runs.compactMap { $0.isAtEnd ? nil : $0.waiting.last?.found.creationPlace }.min()
        var ready: [WaitingRecord] = []
        for index in runs.indices {
            let taken = runs[index].waiting.prefix { record in
                end.map { record.found.creationPlace <= $0 } ?? true
            }
            ready += taken
            runs[index].waiting = runs[index].waiting.dropFirst(taken.count)
        }
        return ready.sorted { $0.found.creationPlace < $1.found.creationPlace }
    }
}

extension FoundRecord {
    fileprivate var creationPlace: CreationPlace { CreationPlace(created, record.guid) }
}
