import ChangeRules
import DefinitionModel
import JSON

/// The entries of a record's history that the author of a batch has not seen, prepared once for all
/// changes of the batch.
///
/// A device sends its changes in order, so it knew its own changes. Those of the batch are its own
/// too: no change of the batch adds to what is unseen. Preparing takes one pass over the entries,
/// and no question visits them again.
struct UnseenHistory {
    /// Revisions of the entries, without discarded ones, in ascending order.
    private var revisions: [Int64] = []
    /// The entries that took effect, oldest first.
    private var effects: [HistoryEntry] = []
    private var fields: ReplacedFields?

    /// `entries` are in the order of their revisions.
    init(_ entries: [HistoryEntry], by author: Author) {
        for entry in entries where entry.kind != .discarded && !author.made(entry) {
            revisions.append(entry.revision)
            if entry.kind.tookEffect { effects.append(entry) }
        }
    }

    /// Whether there is an entry after `base`, up to and including `revision`.
    func hasEntry(after base: Int64, upTo revision: Int64) -> Bool {
        let index = revisions.firstIndex(after: base) { $0 }
        return index < revisions.endIndex && revisions[index] <= revision
    }

    /// The first entry after a revision that took effect.
    func firstEffect(after base: Int64) -> HistoryEntry? {
        let index = effects.firstIndex(after: base, \.revision)
        return index < effects.endIndex ? effects[index] : nil
    }

    /// The last entry that took effect, if it is after the revision.
    func lastEffect(after base: Int64) -> HistoryEntry? {
        effects.last.flatMap { $0.revision > base ? $0 : nil }
    }

    mutating func replacedFields() throws(StoreError) -> ReplacedFields {
        if let fields { return fields }
        let fields = try ReplacedFields(by: effects)
        self.fields = fields
        return fields
    }
}

/// The fields that unseen entries have changed.
struct ReplacedFields {
    private struct Replaced {
        /// The revision after the entry.
        let revision: Int64
        let value: JSONValue
    }

    /// By field, oldest first.
    private var values: [String: [Replaced]] = [:]
    /// The last revision that deleted the record or changed a deleted one; 0 if there is none.
    private var lastDeletion: Int64 = 0

    fileprivate init(by effects: [HistoryEntry]) throws(StoreError) {
        for entry in effects {
            if entry.touchesDeletion { lastDeletion = entry.revision }
            for (field, value) in try JSONText.fields(entry.fieldsText) {
                values[field, default: []].append(
                    Replaced(revision: entry.revision, value: value))
            }
        }
    }

    func hasDeletion(after base: Int64) -> Bool { lastDeletion > base }

    func changes(_ field: String, after base: Int64) -> Bool {
        values[field]?.last.map { $0.revision > base } ?? false
    }

    func names(after base: Int64) -> Set<String> {
        Set(values.keys.filter { changes($0, after: base) })
    }

    /// The value that the field had at a revision; nil if no unseen entry has changed it since.
    func value(of field: String, at base: Int64) -> JSONValue? {
        guard let replaced = values[field] else { return nil }
        let index = replaced.firstIndex(after: base, \.revision)
        return index < replaced.endIndex ? replaced[index].value : nil
    }
}

extension HistoryEntry {
    /// Whether the entry deleted the record, or changed a deleted one.
    var touchesDeletion: Bool { wasDeleted || kind == .deleted }
}

extension Array {
    /// The first index whose revision is after `base`, in an array in the order of revisions.
    fileprivate func firstIndex(after base: Int64, _ revision: (Element) -> Int64) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if revision(self[middle]) > base { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
