import ChangeRules

/// Histories of records that were read before the transaction that decides a batch.
struct KnownHistory: Sendable {
    private let bases: [String: [Int64]]
    private let changeIDs: Set<String>
    private let author: Author
    /// By guid.
    private var records: [String: CondensedHistory] = [:]
    /// The kept entries of each record, by its guid.
    private var entries: [String: [HistoryEntry]] = [:]
    /// Whether more would have to be kept than one change may keep. Then nothing is known, and
    /// nothing is read.
    private(set) var isGivenUp = false

    init(for batch: [Change], by author: Author) {
        var bases: [String: [Int64]] = [:]
        for change in batch {
            if let base = change.base { bases[change.guid, default: []].append(base) }
        }
        self.bases = bases
        changeIDs = Set(batch.map(\.id))
        self.author = author
    }

    /// The size of what was kept.
    var bytes: Int { records.values.reduce(0) { $0 + $1.bytes } }

    /// The revision up to which the history of a record is known.
    func reached(_ guid: String) -> Int64 {
        records[guid]?.reached ?? (bases[guid] ?? []).lowestStart
    }

    /// Adds the next entries of a record, in the order of revisions.
    mutating func add(_ entries: [HistoryEntry], of guid: String) throws(StoreError) {
        var history =
            records.removeValue(forKey: guid)
            ?? CondensedHistory(bases: bases[guid] ?? [], changeIDs: changeIDs, by: author)
        for entry in entries { try history.add(entry) }
        records[guid] = history
    }

    /// Notes that everything up to a revision was added. Nil forgets the record, which is gone.
    mutating func end(_ guid: String, at revision: Int64?) {
        guard let revision else {
            records[guid] = nil
            entries[guid] = nil
            return
        }
        records[guid]?.reached = revision
        entries[guid] = records[guid]?.entries
    }

    var givenUp: KnownHistory {
        var known = self
        (known.records, known.entries, known.isGivenUp) = ([:], [:], true)
        return known
    }

    /// The revisions after which history is still to be read.
    func following(_ bases: [String: Int64]) -> [String: Int64] {
        isGivenUp ? [:] : bases.merging(records.mapValues(\.reached)) { max($0, $1) }
    }

    /// The facts with what is known. They have the later history.
    func joined(with facts: Facts) -> Facts {
        let known = entries.filter { facts.records[$0.key] != nil }
        return facts.with(history: known.merging(facts.history) { $0 + $1 })
    }
}

extension Facts {
    fileprivate func with(history: [String: [HistoryEntry]]) -> Facts {
        var facts = Facts(
            fingerprint: fingerprint, outcomes: outcomes, records: records, history: history,
            openConflicts: openConflicts, holders: holders, purgedGuids: purgedGuids,
            unseenGraphs: unseenGraphs, files: files, unconfirmed: unconfirmed)
        facts.owners = owners
        facts.disputes = disputes
        return facts
    }
}

extension Change {
    /// The revision after which the history of the change's record is read; 0 if the change
    /// names an earlier one, which no record has had. If a creation is stored already, the history
    /// tells whether it was this one.
    var base: Int64? { baseRevision.map { max(0, $0) } ?? (action == .create ? 0 : nil) }
}
