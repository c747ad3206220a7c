import ChangeRules
import JSON
import SyncEngine
import SyncProtocol

/// The decoded history of a record, from which its state at any revision can be derived.
struct RecordTimeline: Sendable {
    /// Oldest first.
    private(set) var entries: [TimelineEntry] = []

    /// Appends new entries; earlier ones must be unchanged.
    ///
    /// - Parameter model: The lasting name.
    mutating func readOn(
        _ history: [HistoryEntry], of model: String, in words: Vocabulary
    ) throws(StoreError) {
        for entry in history.dropFirst(entries.count) {
            let fields = try readFields(entry.fieldsText, of: model, in: words)
            entries.append(TimelineEntry(written: entry, fields: fields))
        }
    }

    /// Makes whole numbers decimals, as a deployment does.
    mutating func widen(by model: ModelRules?) {
        entries = entries.map {
            TimelineEntry(written: $0.written, fields: $0.fields.widened(by: model))
        }
    }

    /// The entries of a change.
    func entries(of change: ChangeName) -> [TimelineEntry] {
        entries.filter { ChangeName($0.written) == change }
    }

    /// The effective entries of other devices after a revision and before an entry.
    func foreignEffects(after revision: Int64, before entry: TimelineEntry) -> [TimelineEntry] {
        entries.prefix { $0.written != entry.written }.filter {
            $0.written.revision > revision && $0.tookEffect && !$0.isOfSameDevice(as: entry)
        }
    }

    /// The state of a record at a revision.
    func state(of record: AuditedRecord, at revision: Int64) -> RecordState {
        var state = RecordState(fields: record.fields, isDeleted: record.stored.isDeleted)
        for entry in entries.reversed()
        where entry.written.kind.replacesValues && entry.written.revision > revision {
            state.fields.merge(entry.fields) { _, old in old }
            state.isDeleted = entry.written.wasDeleted
        }
        return state
    }
}

struct TimelineEntry: Hashable, Sendable {
    let written: HistoryEntry
    /// For an effective entry, the values that it replaced.
    let fields: [String: JSONValue]

    var tookEffect: Bool { written.kind.tookEffect }

    /// Whether the entry deleted or restored the record.
    var touchesDeletion: Bool { written.kind == .deleted || written.wasDeleted }

    func isOfSameDevice(as other: TimelineEntry) -> Bool {
        written.login == other.written.login
            && written.deviceIdentifier == other.written.deviceIdentifier
    }
}

struct RecordState: Hashable, Sendable {
    var fields: [String: JSONValue]
    var isDeleted: Bool

    func value(of field: String) -> JSONValue { fields[field] ?? .null }
}
