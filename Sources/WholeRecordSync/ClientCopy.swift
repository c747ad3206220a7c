import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

/// The state that a device without revisions has confirmed.
struct Confirmed {
    /// The device has confirmed everything up to this sequence that it could see.
    let sequence: Int64
    /// The rules and rights of the device at that time; nil if they are no longer known.
    let previousPolicy: PreviousReadPolicy?
}

/// The copy of a record on a device without revisions, as far as it can be determined: the state
/// that the device has confirmed, with its later changes applied.
struct ClientCopy {
    /// The revision on which the device's changes are based.
    let base: Int64
    let isDeleted: Bool
    /// The fields whose values the device knows, by name. It was told nothing of other fields.
    let fields: [String: JSONValue]
    /// The fields that the user may read, and could when the device last confirmed.
    let readable: Set<String>
    /// Whether the user may see the record.
    let isVisible: Bool
    /// Whether no other device has changed the record's values or deleted it since, and no change
    /// of another device is in conflict with it.
    let isCurrent: Bool
    /// The device's copy before it learned that another device had deleted the record; nil if the
    /// record was not deleted then or the device deleted it itself.
    let beforeDeletion: BeforeDeletion?
    /// Whether the record is hidden from the user, although the user can see other records of the
    /// model or could see this one when the device last confirmed.
    let isLost: Bool
    /// Whether the device has confirmed the last change of the record.
    let hasConfirmedAll: Bool

    struct BeforeDeletion {
        /// The revision that was deleted.
        let base: Int64
        let fields: [String: JSONValue]
    }
}

extension ClientCopy {
    /// Determines the copy. `history` must contain all entries after the confirmed state and may
    /// contain earlier ones. If a change of the device is in an open conflict, the device keeps its
    /// own values and their base.
    init(
        of record: WorkingRecord, with history: [HistoryEntry], _ unconfirmed: Unconfirmed,
        confirmed: Confirmed, by author: Author, under rules: Rules
    ) throws(StoreError) {
        guard let model = rules.model(named: record.stored.model)?.model else {
            throw .failed("no model '\(record.stored.model)'")
        }
        let entries = Array(history.suffix(unconfirmed.entries))
        let owned = unconfirmed.firstOwnershipChange?.former ?? record.stored.ownership
        var past = RecordWalk(record)
        var sent = SentValues()
        for entry in entries.reversed() {
            let fields = try JSONText.fields(entry.fieldsText)
            if author.made(entry) { sent.note(entry, naming: fields, then: past, of: model) }
            past.goBack(before: entry, replacing: fields)
        }
        let disputes = try Disputes(unconfirmed.disputes)
        let base = entries.first.map(\.revisionBefore) ?? record.stored.revision
        // Without a confirmed revision, the device has the first revision, from an answer or
        // because it created the record.
        let isConfirmed = base > 0
        let readPolicy = rules.policy.readPolicy(of: model.name, for: author.asker.role)
        let now = readPolicy.view(of: record.stored.ownership, for: author.asker)
        let former = isConfirmed ? confirmed.previousPolicy?.view(of: model.name, owned) : nil
        let view = former ?? now
        let shown = model.fields.map(\.name).filter(view.shows(field:))
        let values = Dictionary(
            uniqueKeysWithValues: shown.map { ($0, past.fields[$0] ?? .null) })
        readable = Set(shown.filter(now.shows(field:)))
        isVisible = now != .nothing
        self.base = max(disputes.base.map { min($0, base) } ?? base, 1)
        isDeleted = sent.isDeleted ?? disputes.isDeleted ?? past.isDeleted
        fields = values.merging(disputes.fields) { _, kept in kept }
            .merging(sent.fields) { _, sent in sent }
        isCurrent = entries.allSatisfy { author.made($0) || $0.leavesValues }
        let hasSeenSome = !readPolicy.seesNothing || former.map { $0 != .nothing } ?? false
        isLost = now == .nothing && hasSeenSome
        hasConfirmedAll = entries.isEmpty && unconfirmed.firstOwnershipChange == nil
        beforeDeletion =
            past.isDeleted && sent.isDeleted == nil && disputes.isDeleted == nil
            ? try BeforeDeletion(
                of: past, with: history.dropLast(entries.count), shown: shown, by: author) : nil
    }
}

extension ClientCopy.BeforeDeletion {
    /// `past` is the deleted record, and `history` ends with it.
    fileprivate init?(
        of past: RecordWalk, with history: ArraySlice<HistoryEntry>, shown: [String],
        by author: Author
    ) throws(StoreError) {
        var past = past
        for entry in history.reversed() {
            past.goBack(before: entry, replacing: try JSONText.fields(entry.fieldsText))
            guard !past.isDeleted else { continue }
            guard !author.made(entry) else { return nil }
            base = entry.revision - 1
            fields = Dictionary(
                uniqueKeysWithValues: shown.map { ($0, past.fields[$0] ?? .null) })
            return
        }
        return nil
    }
}

/// The values that a device keeps from changes in open conflicts.
private struct Disputes {
    /// The lowest base of these changes; nil if there are none.
    private(set) var base: Int64?
    private(set) var fields: [String: JSONValue] = [:]
    private(set) var isDeleted: Bool?

    init(_ conflicts: [StoredConflict]) throws(StoreError) {
        for conflict in conflicts {
            let conflict = try conflict.conflict()
            base = min(base ?? conflict.baseRevision, conflict.baseRevision)
            fields.merge(conflict.mine.fields) { _, later in later }
            isDeleted = conflict.mine.isDeleted
        }
    }
}

/// A record that is traced back through its history.
private struct RecordWalk {
    private(set) var fields: [String: JSONValue]
    private(set) var isDeleted: Bool

    init(_ record: WorkingRecord) {
        fields = record.fields
        isDeleted = record.stored.isDeleted
    }

    mutating func goBack(before entry: HistoryEntry, replacing replaced: [String: JSONValue]) {
        guard entry.kind.replacesValues else { return }
        fields.merge(replaced) { _, old in old }
        isDeleted = entry.wasDeleted
    }
}

/// The values that a device has sent for a record. Newer entries are added first.
private struct SentValues {
    private(set) var fields: [String: JSONValue] = [:]
    private(set) var isDeleted: Bool?

    /// Adds an entry. `record` is the state right after it.
    mutating func note(
        _ entry: HistoryEntry, naming named: [String: JSONValue], then record: RecordWalk,
        of model: Model
    ) {
        switch entry.kind {
        case .created:
            note(model.fields.map(\.name), from: record)
        case .updated, .deleted, .resolved:
            note(Array(named.keys), from: record)
        case .conflicted, .discarded:
            fields.merge(named) { later, _ in later }
            // A deletion names no fields; every other change does.
            isDeleted = isDeleted ?? named.isEmpty
        case .reassigned, .filled: break
        }
    }

    private mutating func note(_ names: [String], from record: RecordWalk) {
        for name in names where fields[name] == nil {
            fields[name] = record.fields[name] ?? .null
        }
        isDeleted = isDeleted ?? record.isDeleted
    }
}

extension HistoryEntry {
    fileprivate var revisionBefore: Int64 { kind == .discarded ? revision : revision - 1 }

    /// Whether nobody changes values or opens a conflict with the entry.
    fileprivate var leavesValues: Bool {
        switch kind {
        case .discarded, .reassigned, .filled: true
        case .created, .updated, .deleted, .resolved, .conflicted: false
        }
    }
}
