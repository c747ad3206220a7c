package import AccessPolicy
package import ChangeRules
import DefinitionModel
import JSON

/// The user and device that push, and the time; the same for every change of a batch.
package struct Author: Sendable {
    package let asker: Asker
    package let deviceIdentifier: String
    package let now: Instant
    let limits: Limits
    /// Nil for an engine without opaque ids.
    let naming: RecordNaming?
    /// Guids of records that have too much history.
    package var fullHistories: Set<String> = []
    /// Whether the histories are too large to be read. A change of an earlier state is refused.
    var lacksHistory = false
    /// By model, the fields that the client cannot know to be required: see `RulesView`.
    let fillable: [String: Set<String>]

    package init(
        asker: Asker, deviceIdentifier: String, now: Instant, limits: Limits,
        naming: RecordNaming? = nil, fillable: [String: Set<String>] = [:]
    ) {
        self.fillable = fillable
        self.asker = asker
        self.deviceIdentifier = deviceIdentifier
        self.now = now
        self.limits = limits
        self.naming = naming
    }

    package var device: DeviceKey {
        DeviceKey(login: asker.login, deviceIdentifier: deviceIdentifier)
    }

    /// The change with what the rules of deployments add to it.
    func completed(_ change: Change, under rules: Rules) -> Change {
        guard let names = fillable[change.model], let model = rules.model(named: change.model)
        else { return change }
        return change.filling(names, by: rules.fills, in: model)
    }

    /// Whether the entry was made on this device.
    package func made(_ entry: HistoryEntry) -> Bool {
        entry.login.hasSameBytes(as: asker.login)
            && entry.deviceIdentifier.hasSameBytes(as: deviceIdentifier)
    }
}

/// The outcome of each change, in the order of the batch, and the writes.
package struct DecidedBatch: Sendable {
    package let outcomes: [Outcome]
    package let writes: WriteSet
    /// The number of changes that were refused because of a record which the author may not see:
    /// each tells the author that it exists.
    package let hiddenClashes: Int
    /// Whether the batch exceeds `Limits.editedBytes`. Then nothing was decided.
    var isTooMuch = false

    fileprivate static let tooMuch = {
        var batch = DecidedBatch(outcomes: [], writes: WriteSet(), hiddenClashes: 0)
        batch.isTooMuch = true
        return batch
    }()
}

/// Decides a batch on the data that was read. The function is pure.
///
/// Changes of one record apply in the order of the batch. References and unique values are checked
/// after all changes, so a record may precede the one that it belongs to, and two records may swap
/// values. A change with a dangling reference or a clashing value is refused, and the batch is
/// decided again without it.
///
/// One refusal can cause another, so this repeats; a crafted batch can need as many rounds as it
/// has changes. Other writers wait meanwhile: after `maxRounds(of:)`, every change with a reference
/// or a possible unique value is refused. The remaining changes can neither dangle nor clash.
///
/// Throws `cancelled` between two changes if nobody waits for the result any more.
package func decide(
    _ batch: [Change], given facts: Facts, by rules: Rules, author: Author,
    unless cancellation: Cancellation? = nil
) throws(StoreError) -> DecidedBatch {
    var patternSteps = 0
    let prepared = batch.map {
        PreparedChange($0, by: author, under: rules, patternSteps: &patternSteps)
    }
    return try decide(
        prepared, given: facts, by: rules, author: author, unless: cancellation)
}

/// Decides a batch that was prepared before the transaction, under the same rules and for the same
/// author.
func decide(
    _ batch: [PreparedChange], given facts: Facts, by rules: Rules, author: Author,
    unless cancellation: Cancellation? = nil
) throws(StoreError) -> DecidedBatch {
    var refused: [String: [Cause]] = [:]
    var unseen: [String: UnseenHistory] = [:]
    var sizes: [String: RecordSizes] = [:]
    var hiddenClashes: Set<String> = []
    var round = 0
    while true {
        round += 1
        var state = BatchState(
            facts: facts, rules: rules, author: author, unseen: unseen, sizes: sizes)
        for prepared in batch {
            if let cancellation, cancellation.isCancelled { throw .cancelled }
            try state.decide(prepared, refusing: refused[prepared.change.id] ?? [])
            if batch.count > 1, state.editedBytes > author.limits.editedBytes { return .tooMuch }
        }
        var found = state.danglingReferences()
        if found.isEmpty { found = state.clashes() }
        if !state.hiddenClashes.isEmpty { hiddenClashes.formUnion(state.hiddenClashes) }
        if found.isEmpty {
            return DecidedBatch(
                outcomes: state.outcomes, writes: try state.writes(),
                hiddenClashes: hiddenClashes.count)
        }
        (unseen, sizes) = (state.unseen, state.sizes)
        let next = round < maxRounds(of: batch.count) ? found : tooEntangled(batch)
        refused.merge(next) { first, _ in first }
    }
}

/// How often a batch is decided before the changes that depend on each other are refused, and the
/// rest is decided a last time. A large batch gets fewer rounds, since other writers wait: those
/// before the last decide at most 2,000 changes.
private func maxRounds(of changes: Int) -> Int { min(16, max(2, 2000 / max(1, changes))) }

/// Returns a refusal, by change id, of every change that has a reference or may give its record a
/// unique value, even one that the record had before its deletion.
private func tooEntangled(_ batch: [PreparedChange]) -> [String: [Cause]] {
    let entangled = batch.filter { prepared in
        let refers = prepared.change.fields.values.contains { value in
            if case .value(.reference) = value { true } else { false }
        }
        let claims = prepared.model?.hasUniqueFields ?? false
        let restores = prepared.change.action == .restore
        return refers || restores || (claims && prepared.change.action != .delete)
    }
    return Dictionary(
        entangled.map { ($0.change.id, [Cause(.change(.tooEntangled))]) }, uniquingKeysWith: { $1 })
}

/// Returns the data that a batch needs before it can be decided. `isWhole` is true if its changes
/// have no base revisions.
package func need(
    of batch: [Change], by author: Author, under rules: Rules, environment: EnvironmentID,
    seenSequence: Int64, isWhole: Bool = false
) -> ReadSet {
    need(
        of: batch, by: author, under: rules, environment: environment,
        seenSequence: seenSequence, isWhole: isWhole, known: nil)
}

/// History that is `known` is not needed again.
func need(
    of batch: [Change], by author: Author, under rules: Rules, environment: EnvironmentID,
    seenSequence: Int64, isWhole: Bool = false, known: KnownHistory?
) -> ReadSet {
    var guids = Set<String>(minimumCapacity: batch.count)
    var created: Set<String> = []
    var files: Set<String> = []
    var bases: [String: Int64] = [:]
    for change in batch {
        if isGuid(change.guid) {
            guids.insert(change.guid)
            if change.action == .create, !isWhole { created.insert(change.guid) }
        }
        for case .value(.reference(let guid)) in change.values.values { guids.insert(guid) }
        for case .value(.file(let file)) in change.fields.values { files.insert(file.guid) }
        if let base = change.base {
            bases[change.guid] = min(base, bases[change.guid] ?? base)
        }
    }
    let graphs = rules.graphs(of: batch, by: author.asker)
    if !graphs.isEmpty { rules.includeDiscards(of: batch, in: &bases) }
    var need = ReadSet(
        environment: environment,
        device: author.device,
        changeIDs: batch.map(\.id), guids: guids.sorted(),
        baseRevisions: known?.following(bases) ?? bases,
        graphs: graphs, seenSequence: seenSequence,
        files: FileNeed(
            guids: files.sorted(), group: author.asker.group,
            limit: author.limits.namingInPush(ofFiles: files.count)),
        historySince: isWhole ? seenSequence : nil,
        budget: isWhole
            ? author.limits.budget(ofWholeRecords: batch.count)
            : author.limits.budget(ofChanges: batch.count))
    need.createdGuids = created
    need.countsDisputesUpTo = author.limits.openConflictsOfUser
    need.changeBytes = batch.reduce(0) { $0 + $1.leastBytes }
    return need
}

extension Rules {
    /// Sets bases back to before the entries that the changes have if they were discarded earlier.
    ///
    /// A discarded change leaves the revision of its record, so after an unseen change of a related
    /// record its entry has the base revision itself.
    fileprivate func includeDiscards(of batch: [Change], in bases: inout [String: Int64]) {
        for change in batch {
            guard let base = change.baseRevision, base > 0, graph(of: change) != nil,
                model(named: change.model)?.model.conflictMode == .discard
            else { continue }
            bases[change.guid] = min(base - 1, bases[change.guid] ?? base)
        }
    }
}
