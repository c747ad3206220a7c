import JSON
import SyncEngine
import SyncProtocol

/// A record's history, read: what it was at any time can be told from what it is.
struct Past: Sendable {
    /// Oldest first.
    private(set) var entries: [PastEntry] = []

    /// Takes in what came since; nothing that was there can have changed.
    mutating func readOn(_ history: [HistoryEntry]) throws(StoreError) {
        for entry in history.dropFirst(entries.count) {
            entries.append(
                PastEntry(written: entry, fields: try readFields(entry.fieldsText)))
        }
    }

    /// What a change left in the history.
    func entries(of change: ChangeName) -> [PastEntry] {
        entries.filter { ChangeName($0.written) == change }
    }

    /// What took effect after a revision and before an entry, and was not done on its device.
    func foreignEffects(after revision: Int64, before entry: PastEntry) -> [PastEntry] {
        entries.prefix { $0.written != entry.written }.filter {
            $0.written.revision > revision && $0.tookEffect && !$0.isOfSameDevice(as: entry)
        }
    }

    /// A record as it was at a revision.
    func state(of record: AuditedRecord, at revision: Int64) -> PastState {
        var state = PastState(fields: record.fields, isDeleted: record.stored.isDeleted)
        for entry in entries.reversed()
        where entry.tookEffect && entry.written.revision > revision {
            state.fields.merge(entry.fields) { _, old in old }
            state.isDeleted = entry.written.wasDeleted
        }
        return state
    }
}

struct PastEntry: Hashable, Sendable {
    let written: HistoryEntry
    /// Of one that took effect: the values it replaced.
    let fields: [String: JSONValue]

    var tookEffect: Bool { written.kind.tookEffect }

    /// Whether it made a deleted record of one that was not, or the other way round.
    var touchesDeletion: Bool { written.kind == .deleted || written.wasDeleted }

    func isOfSameDevice(as other: PastEntry) -> Bool {
        written.login == other.written.login
            && written.deviceIdentifier == other.written.deviceIdentifier
    }
}

struct PastState: Hashable, Sendable {
    var fields: [String: JSONValue]
    var isDeleted: Bool

    func value(of field: String) -> JSONValue { fields[field] ?? .null }
}
