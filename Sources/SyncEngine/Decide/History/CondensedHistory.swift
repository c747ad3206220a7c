import DefinitionModel
import JSON

/// The entries of a record's history that can decide the changes of a batch, for a history too long
/// to be read while other writers wait.
///
/// A decision asks for the first unseen entry after a base, for the last one, and for the same of
/// each field: see `UnseenHistory`. All other entries and values are left out, so the rest is as
/// large as the record for each base of the batch, however long the history is.
struct CondensedHistory: Sendable {
    private struct Kept: Sendable {
        /// Without values: those that are left out may be as large as all that are kept.
        let entry: HistoryEntry
        let fields: [String: JSONValue]

        init(_ entry: HistoryEntry, fields: [String: JSONValue]) {
            self.entry = entry.replacing("{}")
            self.fields = fields
        }
    }

    /// The subjects of which an entry can be the last one.
    private enum Aspect: Hashable {
        case record
        case deletion
        case field(String)
    }

    private let author: Author
    /// In ascending order.
    private let bases: [Int64]
    private let changeIDs: Set<String>
    /// By the number of the entry.
    private var kept: [Int: Kept] = [:]
    private var last: [Aspect: (number: Int, kept: Kept)] = [:]
    private var lastRevisions: [Aspect: Int64] = [:]
    private var lastUnseen: Int64 = 0
    private var count = 0
    /// The size of the values that are kept.
    private(set) var bytes = 0
    /// The record's revision when its history was read to the end; before that the lowest base.
    var reached: Int64

    /// `bases` are those of the changes of the record, and `changeIDs` are of the whole batch.
    init(bases: [Int64], changeIDs: Set<String>, by author: Author) {
        self.bases = Set(bases).sorted()
        self.changeIDs = changeIDs
        self.author = author
        reached = bases.lowestStart
    }

    /// Adds the next entry, in the order of revisions.
    mutating func add(_ entry: HistoryEntry) throws(StoreError) {
        count += 1
        guard !author.made(entry) else {
            // Tells that a change of the batch has taken effect.
            if changeIDs.contains(entry.changeID) { keep(Kept(entry, fields: [:])) }
            return
        }
        guard entry.kind != .discarded else { return }
        let isFirst = follows(aBaseSince: lastUnseen, at: entry.revision)
        lastUnseen = entry.revision
        if entry.kind.tookEffect {
            try addEffect(entry, isFirst: isFirst)
        } else if isFirst {
            keep(Kept(entry, fields: [:]))
        }
    }

    private mutating func addEffect(
        _ entry: HistoryEntry, isFirst: Bool
    ) throws(StoreError) {
        var fields = try JSONText.fields(entry.fieldsText)
        var aspects: [Aspect] = [.record]
        if entry.touchesDeletion { aspects.append(.deletion) }
        var isKept = isFirst || isFirstEntry(entry.revision, of: .record)
        for name in fields.keys {
            if isFirstEntry(entry.revision, of: .field(name)) {
                isKept = true
            } else {
                fields[name] = .null
            }
            aspects.append(.field(name))
        }
        let next = Kept(entry, fields: fields)
        if isKept { keep(next) }
        for aspect in aspects {
            last[aspect] = (count, next)
            lastRevisions[aspect] = entry.revision
        }
    }

    private mutating func keep(_ next: Kept) {
        kept[count] = next
        bytes += JSONText.text(of: next.fields).utf8.count
    }

    private func isFirstEntry(_ revision: Int64, of aspect: Aspect) -> Bool {
        follows(aBaseSince: lastRevisions[aspect] ?? 0, at: revision)
    }

    /// Whether there is a base from `last` on and before `revision`: then the entry at `revision`
    /// is the first one after it, if the one before was at `last`.
    private func follows(aBaseSince last: Int64, at revision: Int64) -> Bool {
        var (low, high) = (0, bases.count)
        while low < high {
            let middle = (low + high) / 2
            if bases[middle] < last { low = middle + 1 } else { high = middle }
        }
        return low < bases.count && bases[low] < revision
    }

    /// The kept entries, in the order of revisions.
    var entries: [HistoryEntry] {
        let all = kept.merging(last.values.map { ($0.number, $0.kept) }) { kept, _ in kept }
        return all.sorted { $0.key < $1.key }.map { _, kept in
            kept.entry.replacing(JSONText.text(of: kept.fields))
        }
    }
}

extension [Int64] {
    /// The revision after which a history with these bases is read: one before the lowest base,
    /// because a discarded change leaves the revision as it was.
    var lowestStart: Int64 { Swift.max(1, self.min() ?? 1) - 1 }
}

extension HistoryEntry {
    fileprivate func replacing(_ fieldsText: String) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: kind, changeID: changeID, login: login,
            deviceCategory: deviceCategory, deviceIdentifier: deviceIdentifier, at: at,
            wasDeleted: wasDeleted, fieldsText: fieldsText)
    }
}
