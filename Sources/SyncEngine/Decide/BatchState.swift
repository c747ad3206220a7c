import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A batch that is being decided, with the records as the changes so far have left them.
struct BatchState {
    let facts: Facts
    let rules: Rules
    let author: Author
    private(set) var outcomes: [Outcome] = []

    private var records: [String: WorkingRecord] = [:]
    private var touched: [String] = []
    private var names: [RecordName] = []
    private var history: [HistoryEntry] = []
    private var openedConflicts: [StoredConflict] = []
    /// The opened conflicts, by the record's guid.
    private var openedAmounts: [String: StoredAmount] = [:]
    private var openedConflictBytes = 0
    private var closedConflicts: [String] = []
    private var closedGuids: Set<String> = []
    private var replacedConflicts: [StoredConflict] = []
    private var fresh: [String: Outcome] = [:]
    private var references: [NamedReference] = []
    /// Files that only the history of a record names, by the record's guid.
    private var setAsideFiles: [String: Set<String>] = [:]
    private(set) var claims = UniqueClaims()
    var executedChanges = ExecutedChanges()
    /// Ids of the changes that have no history entry.
    private var tracelessChanges: Set<String> = []
    /// Ids of the changes that clash with a record which the author may not see.
    private(set) var hiddenClashes: Set<String> = []
    /// Ids of the refused changes that would have created a record, by the record's guid.
    private var refusedCreations: [String: String] = [:]
    /// The base for the next change of a record that does not name one, by the record's guid.
    private var followingBases: [String: Int64] = [:]
    /// Entries that the author has not seen, by the record's guid. Filled on demand.
    private(set) var unseen: [String: UnseenHistory]
    /// The measured sizes of large records, by guid. Filled on demand.
    var sizes: [String: RecordSizes]
    /// See `Limits.editedBytes`.
    private(set) var editedBytes = 0

    /// `unseen` and `sizes` are those of a state with the same facts.
    init(
        facts: Facts, rules: Rules, author: Author, unseen: [String: UnseenHistory],
        sizes: [String: RecordSizes]
    ) {
        self.facts = facts
        self.rules = rules
        self.author = author
        self.unseen = unseen
        self.sizes = sizes
    }

    /// Counts the present values that a change edits, and each further edit of one of them.
    mutating func countEdits(of change: Change, on record: WorkingRecord) {
        for (name, given) in change.fields {
            guard case .edited(let edits) = given else { continue }
            editedBytes += Limits.editBytes * max(0, edits.count - 1)
            if case .string(let text) = record.value(of: name) { editedBytes += text.utf8.count }
        }
    }

    /// Decides one change. Refuses it if `causes`, found when the batch was decided before, is not
    /// empty.
    mutating func decide(
        _ prepared: PreparedChange, refusing causes: [Cause]
    ) throws(StoreError) {
        let change = prepared.change
        let outcome = try outcome(of: prepared, refusing: causes)
        outcomes.append(outcome)
        if outcome.kind == .refused, change.action == .create {
            refusedCreations[change.guid] = change.id
        }
        followingBases[change.guid] = followingBase(after: change, outcome)
    }

    /// The base for the author's next change of the record.
    ///
    /// The author knows the outcome of this change, so the next change starts from its revision. If
    /// another device changed the record in between, the base stays the same.
    private mutating func followingBase(after change: Change, _ outcome: Outcome) -> Int64? {
        switch outcome.kind {
        case .accepted, .merged:
            guard let base = base(of: change), let revision = outcome.revision else {
                return outcome.revision
            }
            let isUnseen =
                unseenHistory(of: change.guid)?.hasEntry(after: base, upTo: revision) ?? false
            return isUnseen ? base : revision
        case .conflicted, .discarded, .refused: return base(of: change)
        }
    }

    private mutating func outcome(
        of prepared: PreparedChange, refusing causes: [Cause]
    ) throws(StoreError) -> Outcome {
        let change = prepared.change
        guard isLegal(changeID: change.id) else {
            return refusal(
                of: change,
                [Cause(.change(.illegalChangeID(maxBytes: author.limits.changeIDBytes)))])
        }
        if let known = try knownOutcome(of: change) {
            return known.guid.hasSameBytes(as: change.guid)
                ? known : refusal(of: change, [Cause(.change(.changeIDReused))])
        }
        if let whole = change.partOf, facts.outcomes[whole] != nil {
            let revision = try record(change.guid)?.stored.revision
            return Outcome(change, .accepted, revision: revision ?? 0)
        }
        if let executed = outcome(ofExecuted: change) { return executed }
        let entries = history.count
        let outcome =
            causes.isEmpty
            ? try decideFresh(prepared, in: &self) : refusal(of: change, causes)
        fresh[change.id] = outcome
        if history.count == entries { tracelessChanges.insert(change.id) }
        return outcome
    }

    private func knownOutcome(of change: Change) throws(StoreError) -> Outcome? {
        var known = try facts.outcomes[change.id]?.outcome()
        known?.model = change.model.shortenedName  // It may have been renamed since.
        return known ?? fresh[change.id]
    }

    func refusal(of change: Change, _ causes: [Cause]) -> Outcome {
        Outcome(refusing: change, causes)
    }
}

// MARK: - Reading and changing the state

extension BatchState {
    func base(of change: Change) -> Int64? { change.baseRevision ?? followingBases[change.guid] }

    func refusedCreation(of guid: String) -> String? { refusedCreations[guid] }

    /// An id must be visible ASCII. Swift then treats two ids as equal only if their bytes are
    /// equal.
    private func isLegal(changeID: String) -> Bool {
        guard (1...author.limits.changeIDBytes).contains(changeID.utf8.count) else { return false }
        var changeID = changeID
        return changeID.withUTF8 { bytes in
            bytes.indices.allSatisfy { bytes[$0] >= 0x21 && bytes[$0] <= 0x7E }
        }
    }

    mutating func record(_ guid: String) throws(StoreError) -> WorkingRecord? {
        if let record = records[guid] { return record }
        guard let stored = facts.records[guid] else { return nil }
        let record = WorkingRecord(stored: stored, fields: try JSONText.fields(stored.fieldsText))
        records[guid] = record
        return record
    }

    /// Whether no record has the guid and no purged record had it.
    mutating func isFree(_ guid: String) throws(StoreError) -> Bool {
        try record(guid) == nil && !facts.purgedGuids.contains(guid)
    }

    /// The entries of a record that the author has not seen; nil if no history was read.
    mutating func unseenHistory(of guid: String) -> UnseenHistory? {
        guard let entries = facts.history[guid], !entries.isEmpty else { return nil }
        if let prepared = unseen[guid] { return prepared }
        let prepared = UnseenHistory(entries, by: author)
        unseen[guid] = prepared
        return prepared
    }

    /// The fields that the author has not seen change; nil if no history was read.
    mutating func replacedFields(of guid: String) throws(StoreError) -> ReplacedFields? {
        guard unseenHistory(of: guid) != nil else { return nil }
        return try unseen[guid]?.replacedFields()
    }

    /// Whether no unseen entry took effect on a record since a base. A conflict alone does not
    /// change values. Returns false if the history that was read does not reach back to the base.
    mutating func knowsValues(of record: WorkingRecord, base: Int64) -> Bool {
        let guid = record.stored.guid
        return hasHistory(of: guid, after: base)
            && unseenHistory(of: guid)?.lastEffect(after: base) == nil
    }

    /// Whether the device has seen, or made, every change that took effect on related records.
    func knowsGraph(of record: WorkingRecord) -> Bool {
        !facts.unseenGraphs.contains(record.stored.guid)
    }

    /// Whether every entry after a revision is known, because it was read or belongs to this batch.
    func hasHistory(of guid: String, after revision: Int64) -> Bool {
        revision >= facts.records[guid]?.revision ?? 0 || facts.history[guid] != nil
    }

    /// The open conflicts of a record, including those of this batch.
    func openConflicts(of guid: String) -> StoredAmount {
        let stored = closedGuids.contains(guid) ? nil : facts.openConflicts[guid]
        return (stored ?? .nothing) + (openedAmounts[guid] ?? .nothing)
            - replacedConflicts.filter { $0.guid.hasSameBytes(as: guid) }.amount
    }

    /// The device's stored open conflicts of a record, which a whole record of the same device
    /// replaces: it contains their values too.
    func replaceableConflicts(by change: Change) -> [StoredConflict] {
        guard change.isOfWholeRecord, !closedGuids.contains(change.guid) else { return [] }
        return facts.unconfirmed[change.guid]?.disputes ?? []
    }

    mutating func replace(_ conflicts: [StoredConflict]) { replacedConflicts += conflicts }

    mutating func put(_ record: WorkingRecord, by change: Change) {
        let guid = record.stored.guid
        let earlier = records[guid]
        let (old, new) = (uniqueValues(of: earlier), uniqueValues(of: record))
        if let earlier, earlier.isTouched {
            // Values that this batch sets and then replaces remain only in the history.
            setAside(earlier.fields, of: earlier.stored.model, guid: guid)
        } else {
            touched.append(guid)
        }
        claims.note(change.id, at: outcomes.count, on: guid, from: old, to: new)
        var record = record
        record.isTouched = true
        records[guid] = record
    }

    mutating func note(_ entry: HistoryEntry) { history.append(entry) }

    mutating func noteHiddenClash(of changeID: String) { hiddenClashes.insert(changeID) }

    mutating func name(_ name: RecordName) { names.append(name) }

    mutating func open(_ conflict: StoredConflict) {
        openedConflicts.append(conflict)
        let opened = openedAmounts[conflict.guid] ?? .nothing
        openedAmounts[conflict.guid] = opened + [conflict].amount
        openedConflictBytes += conflict.text.utf8.count
    }

    mutating func closeConflicts(of guid: String) {
        closedConflicts.append(guid)
        closedGuids.insert(guid)
        guard openedAmounts.removeValue(forKey: guid) != nil else { return }
        openedConflicts.removeAll { $0.guid.hasSameBytes(as: guid) }
        openedConflictBytes = openedConflicts.reduce(0) { $0 + $1.text.utf8.count }
    }

    /// Whether the author may open another conflict.
    var mayDispute: Bool {
        let stored = facts.disputes ?? StoredAmount.nothing
        return stored.rows + openedConflicts.count < author.limits.openConflictsOfUser
            && stored.bytes + openedConflictBytes < author.limits.openConflictBytesOfUser
    }

    mutating func refer(_ reference: NamedReference) { references.append(reference) }
}

// MARK: - Finishing the batch

extension BatchState {
    /// Returns the causes for changes that refer to a missing record, by change id. If this
    /// function also invalidates the creation of that record, the cause names the creation.
    mutating func danglingReferences() -> [String: [Cause]] {
        var causes: [String: [Cause]] = [:]
        var open = references.filter { !exists($0) }
        let byTarget = Dictionary(grouping: references, by: \.guid)
        var next = open.startIndex
        while next < open.endIndex {
            let reference = open[next]
            next += 1
            let isFirst = causes[reference.change.id] == nil
            causes[reference.change.id, default: []].append(cause(of: reference))
            guard isFirst, reference.change.action == .create else { continue }
            refusedCreations[reference.change.guid] = reference.change.id
            open += (byTarget[reference.change.guid] ?? []).filter { exists($0) }
        }
        return causes
    }

    /// Whether a reference may stand. One to a deleted record may if its client cannot mend it: had
    /// the deletion come a moment later, the reference would stand as well. A record that the
    /// author may not know of counts as missing: the outcome would tell that it exists. To one that
    /// restores a record with the reference it counts as there, for the same reason. The author
    /// need not know of a record that a deployment names in place of the author.
    private func exists(_ reference: NamedReference) -> Bool {
        let isWhole = reference.change.isOfWholeRecord
        guard let stored = records[reference.guid]?.stored ?? facts.records[reference.guid] else {
            return isWhole && facts.purgedGuids.contains(reference.guid)
        }
        let isFilled = reference.change.filled[reference.field] != nil
        guard isFilled || isKnown(OwnedRecord(of: stored)) else {
            return reference.change.action == .restore
        }
        return stored.model == reference.model && (!stored.isDeleted || isWhole)
    }

    private func cause(of reference: NamedReference) -> Cause {
        let reason: Cause.Reason =
            refusedCreations[reference.guid].map { .change(.dependsOnRefused(changeID: $0)) }
            ?? .notFound(guid: reference.guid, model: reference.model)
        return Cause(reason, field: reference.field, place: reference.place)
    }

    func writes() throws(StoreError) -> WriteSet {
        var writes = WriteSet()
        writes.at = author.now
        for guid in touched {
            guard let record = records[guid] else { continue }
            var stored = record.stored
            stored.fieldsText =
                record.text
                ?? JSONText.text(ofValuesIn: record.fields, by: rules.model(named: stored.model))
            writes.records.append(stored)
            writes.link(
                guid, before: try storedTargets(of: guid),
                after: targets(of: stored, record.fields))
        }
        for (guid, files) in setAsideFiles {
            guard let record = records[guid] else { continue }
            let named = targets(of: record.stored, record.fields)
            writes.formerLinks += files.subtracting(named.all).linked(from: guid)
            writes.namedFiles.formUnion(files)
        }
        writes.names = names
        writes.history = history
        writes.openedConflicts = openedConflicts
        writes.closedConflicts = closedConflicts
        writes.replacedConflicts = replacedConflicts
        writes.freedValues = claims.freed
        writes.takenValues = claims.taken
        for (id, outcome) in fresh.sorted(by: { $0.key < $1.key }) {
            writes.outcomes.append(
                StoredOutcome(outcome, of: id, isTraceless: tracelessChanges.contains(id)))
        }
        return writes
    }
}

// MARK: - Links to files and records

extension BatchState {
    /// Keeps the files of a change that does not take effect, because its history entry names them.
    mutating func setAside(_ fields: [String: JSONValue], of model: String, guid: String) {
        guard let model = rules.model(named: model) else { return }
        let files = LinkTargets(of: model, in: fields).files
        if !files.isEmpty { setAsideFiles[guid, default: []].formUnion(files) }
    }

    private func storedTargets(of guid: String) throws(StoreError) -> LinkTargets {
        guard let stored = facts.records[guid],
            rules.model(named: stored.model)?.namingFields.isEmpty == false
        else { return LinkTargets() }
        return targets(of: stored, try JSONText.fields(stored.fieldsText))
    }

    private func targets(of record: StoredRecord, _ fields: [String: JSONValue]) -> LinkTargets {
        rules.model(named: record.model).map { LinkTargets(of: $0, in: fields) }
            ?? LinkTargets()
    }
}

/// A change's requirement that a record exists.
struct NamedReference {
    let change: Change
    let field: String
    let guid: String
    let model: String
    let place: SourcePlace
}

extension HistoryEntry.Kind {
    /// Whether somebody changed the record's values or deleted the record.
    package var tookEffect: Bool {
        switch self {
        case .created, .updated, .deleted, .resolved: true
        case .conflicted, .discarded, .reassigned, .filled: false
        }
    }

    /// Whether the fields of the entry are values that it replaced.
    package var replacesValues: Bool { tookEffect || self == .filled }
}
