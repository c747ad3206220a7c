import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// Who pushes, from where, and when: the same for every change of a batch.
struct Author {
    let asker: Asker
    let deviceIdentifier: String
    let now: Instant
    let limits: Limits

    var device: DeviceKey {
        DeviceKey(login: asker.login, deviceIdentifier: deviceIdentifier)
    }

    /// Whether it was done on this very device.
    func made(_ entry: HistoryEntry) -> Bool {
        entry.login.hasSameBytes(as: asker.login)
            && entry.deviceIdentifier.hasSameBytes(as: deviceIdentifier)
    }
}

/// What becomes of each change, in the batch's order, and what is to be written for it.
struct DecidedBatch {
    let outcomes: [Outcome]
    let writes: Writes
}

/// Decides a batch on what was read. Pure, so every case of it is a line in a test.
///
/// Changes of one record follow each other in the batch's order. References and unique values are
/// looked at when all changes have been, so a record may come before the one it belongs to, and two
/// may swap their values; where a reference dangles or a value clashes, its change is refused and
/// the batch is decided again without it.
///
/// One refusal can bring the next, so there are rounds, and a batch made for it has as many as
/// changes. Others wait for the transaction: after `maxRounds` whatever refers to anything or may
/// set a unique value is refused, and what is left can neither dangle nor clash.
func decide(
    _ batch: [Change], given facts: Facts, by rules: Rules, author: Author, maxRounds: Int = 16
) throws(StoreError) -> DecidedBatch {
    try decide(
        batch.map { PreparedChange($0, by: author, under: rules) }, given: facts, by: rules,
        author: author, maxRounds: maxRounds)
}

/// The same, of what was prepared by these rules for this author before the transaction.
func decide(
    _ batch: [PreparedChange], given facts: Facts, by rules: Rules, author: Author,
    maxRounds: Int = 16
) throws(StoreError) -> DecidedBatch {
    var refused: [String: [Cause]] = [:]
    var round = 0
    while true {
        round += 1
        var state = BatchState(facts: facts, rules: rules, author: author)
        for prepared in batch {
            try state.decide(prepared, refusing: refused[prepared.change.id] ?? [])
        }
        var found = state.danglingReferences()
        if found.isEmpty { found = state.clashes() }
        if found.isEmpty {
            return DecidedBatch(outcomes: state.outcomes, writes: try state.writes())
        }
        refused.merge(round < maxRounds ? found : tooEntangled(batch)) { first, _ in
            first
        }
    }
}

/// By change id, a refusal for every change that refers to anything, or may give its record a
/// unique value, if only one that it had before it was deleted.
private func tooEntangled(_ batch: [PreparedChange]) -> [String: [Cause]] {
    let entangled = batch.filter { prepared in
        let refers = prepared.change.fields.values.contains { value in
            if case .value(.reference) = value { true } else { false }
        }
        let claims = prepared.model?.hasUniqueFields ?? false
        return refers || (claims && prepared.change.action != .delete)
    }
    return Dictionary(
        entangled.map { ($0.change.id, [Cause(.change(.tooEntangled))]) }, uniquingKeysWith: { $1 })
}

/// What must be read before a batch can be decided. Where its changes name no base revisions,
/// `isWhole` is true.
func need(
    of batch: [Change], by author: Author, under rules: Rules, environment: EnvironmentID,
    seenSequence: Int64, isWhole: Bool = false
) -> Need {
    var guids = Set(batch.map(\.guid).filter(isGuid))
    var files: Set<String> = []
    var bases: [String: Int64] = [:]
    for change in batch {
        for case .value(.reference(let guid)) in change.fields.values { guids.insert(guid) }
        for case .value(.file(let file)) in change.fields.values { files.insert(file.guid) }
        // What follows a creation that was stored before follows its first revision.
        if let base = change.baseRevision ?? (change.action == .create ? 1 : nil) {
            bases[change.guid] = min(base, bases[change.guid] ?? base)
        }
    }
    return Need(
        environment: environment,
        device: author.device,
        changeIDs: batch.map(\.id), guids: guids.sorted(), baseRevisions: bases,
        graphs: batch.compactMap(rules.graph), seenSequence: seenSequence,
        files: FileNeed(
            guids: files.sorted(), group: author.asker.group,
            limit: author.limits.namingRecords(ofFiles: files.count)),
        historySince: isWhole ? seenSequence : nil)
}
