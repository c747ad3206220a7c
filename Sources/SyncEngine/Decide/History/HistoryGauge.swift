package import ChangeRules
import Synchronization

/// Tells which records have too much history.
///
/// To measure a history with every push would cost more than the push. The bytes that this process
/// adds are counted by record, and a history is measured once for each `step` of them. Small
/// entries, which are most, are counted one in sixteen.
package final class HistoryGauge: Sendable {
    /// The size of an entry without its values.
    static let entryBytes = 200
    /// Records whose added bytes are counted. Beyond them, the half to which least was added is
    /// forgotten: to let one be forgotten again and again, one has to add more to thousands.
    private static let mostRecords = 10_000
    private static let smallBytes = 4096
    private static let sampled: Int64 = 16

    private let step: Int
    /// By guid.
    private let sizes = Mutex(Sizes())

    private struct Sizes {
        var added: [String: Int] = [:]
        /// The records whose history has reached the limit. It never becomes smaller, so they are
        /// not forgotten; each holds as much storage as the limit.
        var full: Set<String> = []

        mutating func forgetSmallest(keeping count: Int) {
            let kept = added.sorted { $0.value > $1.value }.prefix(count)
            added = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
        }
    }

    init(step: Int) { self.step = step }

    /// Whether no record is known to have much history.
    var isEmpty: Bool { sizes.withLock { $0.added.isEmpty && $0.full.isEmpty } }

    /// Notes entries that are about to be written.
    package func note(_ entries: [HistoryEntry]) {
        for entry in entries {
            let bytes = Self.weight(of: entry)
            if bytes > 0 { add(bytes, to: entry.guid) }
        }
    }

    /// Entries that leave the revision as it is, or that hardly anybody makes, are all counted.
    private static func weight(of entry: HistoryEntry) -> Int {
        let bytes = entry.fieldsText.utf8.count
        if bytes >= smallBytes || !entry.kind.replacesValues { return bytes + entryBytes }
        let isSample = entry.revision & (sampled - 1) == 0
        return isSample ? (bytes + entryBytes) * Int(sampled) : 0
    }

    private func add(_ bytes: Int, to guid: String) {
        sizes.withLock { sizes in
            guard !sizes.full.contains(guid) else { return }
            if sizes.added[guid] == nil, sizes.added.count >= Self.mostRecords {
                sizes.forgetSmallest(keeping: Self.mostRecords / 2)
            }
            sizes.added[guid, default: 0] += bytes
        }
    }

    /// The records among those of a batch that are to be measured, and those known to be full.
    func state(of batch: [Change]) -> (due: Set<String>, full: Set<String>) {
        let guids = Set(batch.map(\.guid))
        return sizes.withLock { sizes in
            (
                due: guids.filter { sizes.added[$0] ?? 0 >= step },
                full: guids.intersection(sizes.full)
            )
        }
    }

    func note(_ guid: String, isFull: Bool) {
        sizes.withLock { sizes in
            sizes.added[guid] = isFull ? nil : 0
            if isFull { sizes.full.insert(guid) }
        }
    }
}

extension Engine {
    /// Returns the guids of the records of a batch that have too much history, and measures those
    /// to which much was added. Other writers continue meanwhile.
    package func fullHistories(of batch: [Change]) async throws(SyncError) -> Set<String> {
        var (due, full) = historyGauge.state(of: batch)
        for guid in due.sorted() {
            let amount = try await reading { () async throws(StoreError) in
                try await store.search(in: environment, readingNames: false) {
                    try $0.historyAmount(of: guid)
                }
            }
            let bytes = amount.bytes + HistoryGauge.entryBytes * amount.rows
            historyGauge.note(guid, isFull: bytes >= limits.historyBytes)
            if bytes >= limits.historyBytes { full.insert(guid) }
        }
        return full
    }
}
