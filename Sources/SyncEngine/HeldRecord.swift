import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// What a device has confirmed that knows no revisions.
struct Confirmed {
    /// Everything up to here, as far as it might see it.
    let sequence: Int64
    /// What it could see then; nil where that is not known any more.
    let sight: FormerSight?
}

/// What such a device has of a record, as far as can be known: what it has confirmed, and on top of
/// it what it has sent since.
struct HeldRecord {
    /// The revision that its edits are made from.
    let base: Int64
    let isDeleted: Bool
    /// By name, the fields whose values it knows. Of any other it was told nothing.
    let fields: [String: JSONValue]
    /// Whether nobody else has done anything to the record since.
    let isCurrent: Bool
    /// What it had when it was told that somebody else has deleted the record; nil where the record
    /// was not deleted then, or by itself.
    let beforeDeletion: BeforeDeletion?
    /// Whether its user cannot see the record, and can see others of its model, or could see it
    /// when the device confirmed last.
    let isLost: Bool
    /// Whether it has confirmed the last that was done to the record.
    let hasConfirmedAll: Bool

    struct BeforeDeletion {
        /// The revision that was deleted.
        let base: Int64
        let fields: [String: JSONValue]
    }
}

extension HeldRecord {
    /// `history` has the entries after what the device has confirmed, and may have those before.
    /// Where an edit of the device stands beside the record, it has kept that and what it was made
    /// from.
    init(
        of record: WorkingRecord, with history: [HistoryEntry], _ unconfirmed: Unconfirmed,
        confirmed: Confirmed, by author: Author, under rules: Rules
    ) throws(StoreError) {
        guard let model = rules.model(named: record.stored.model)?.model else {
            throw .failed("a record is of the model '\(record.stored.model)', which there is not")
        }
        let entries = Array(history.suffix(unconfirmed.entries))
        let owned = unconfirmed.firstMove?.former ?? record.stored.ownership
        var past = RecordWalk(record)
        var sent = SentValues()
        for entry in entries.reversed() {
            let fields = try JSONText.fields(entry.fieldsText)
            if author.made(entry) { sent.note(entry, naming: fields, then: past, of: model) }
            past.goBack(before: entry, replacing: fields)
        }
        let disputes = try Disputes(unconfirmed.disputes)
        let base = entries.first.map(\.revisionBefore) ?? record.stored.revision
        // Without a revision that it has confirmed, it has the first one from an answer that it
        // took, or else made it.
        let isConfirmed = base > 0
        let sight = rules.policy.sight(of: model.name, for: author.asker.role)
        let now = sight.view(of: record.stored.ownership, for: author.asker)
        let former = isConfirmed ? confirmed.sight?.view(of: model.name, owned) : nil
        let view = former ?? now
        let shown = model.fields.map(\.name).filter(view.shows(field:))
        let values = Dictionary(
            uniqueKeysWithValues: shown.map { ($0, past.fields[$0] ?? .null) })
        self.base = max(disputes.base.map { min($0, base) } ?? base, 1)
        isDeleted = sent.isDeleted ?? disputes.isDeleted ?? past.isDeleted
        fields = values.merging(disputes.fields) { _, kept in kept }
            .merging(sent.fields) { _, sent in sent }
        isCurrent = entries.allSatisfy { author.made($0) || $0.leavesValues }
        let hasSeenSome = !sight.seesNothing || former.map { $0 != .nothing } ?? false
        isLost = now == .nothing && hasSeenSome
        hasConfirmedAll = entries.isEmpty && unconfirmed.firstMove == nil
        beforeDeletion =
            past.isDeleted && sent.isDeleted == nil && disputes.isDeleted == nil
            ? try BeforeDeletion(
                of: past, with: history.dropLast(entries.count), shown: shown, by: author) : nil
    }
}

extension HeldRecord.BeforeDeletion {
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

/// What a device has kept to itself of edits that stand beside a record.
private struct Disputes {
    /// The first of the revisions that they were made from; nil where there are none.
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

/// A record on the way back through its history.
private struct RecordWalk {
    private(set) var fields: [String: JSONValue]
    private(set) var isDeleted: Bool

    init(_ record: WorkingRecord) {
        fields = record.fields
        isDeleted = record.stored.isDeleted
    }

    mutating func goBack(before entry: HistoryEntry, replacing replaced: [String: JSONValue]) {
        guard entry.kind.tookEffect else { return }
        fields.merge(replaced) { _, old in old }
        isDeleted = entry.wasDeleted
    }
}

/// What a device has sent of a record; what came last is noted first.
private struct SentValues {
    private(set) var fields: [String: JSONValue] = [:]
    private(set) var isDeleted: Bool?

    /// `then` is the record right after the entry.
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
            // A deletion names no field, and every other edit does.
            isDeleted = isDeleted ?? named.isEmpty
        case .reassigned: break
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

    /// Whether the record has after it what it had before, and nothing stands beside it.
    fileprivate var leavesValues: Bool {
        switch kind {
        case .discarded, .reassigned: true
        case .created, .updated, .deleted, .resolved, .conflicted: false
        }
    }
}
