import DefinitionModel
import MemoryStore
import Simulation
import SyncEngine
import SyncProtocol
import TestKit
import Testing

/// The engine without one of its rules, and the invariant that is violated as a result.
struct Mutant: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let mode: ConflictMode
    /// See `yard`.
    let isAnalyzed: Bool
    let breaks: Set<Invariant>
    let mutation: Mutation
    /// Whether some devices have an app of an earlier version.
    var hasEarlierApps = false
    /// Whether a deployment requires a field.
    var requiresField = false
    /// Whether the definition changes from version to version.
    var isEvolving = false
    /// Whether there are requests of several parts and imports of deleted rows.
    var hasRequests = false

    init(
        _ description: String, in mode: ConflictMode = .manual, analyzed: Bool = false,
        breaks: Set<Invariant>, _ mutation: (inout Mutation) -> Void
    ) {
        testDescription = description
        isAnalyzed = analyzed
        self.mode = mode
        self.breaks = breaks
        var violation = Mutation()
        mutation(&violation)
        self.mutation = violation
    }

    /// A mutant with a false store.
    init(
        _ description: String, in mode: ConflictMode = .manual, analyzed: Bool = false,
        breaks: Set<Invariant>, lying: @escaping @Sendable (inout LyingStore) -> Void
    ) {
        self.init(description, in: mode, analyzed: analyzed, breaks: breaks) { mutation in
            mutation.store = { referenceStore in
                var store = LyingStore(referenceStore)
                lying(&store)
                return store
            }
        }
    }

    /// A mutant with another definition.
    private init(
        _ description: String, in mode: ConflictMode = .manual, breaks: Set<Invariant>,
        reading: @escaping @Sendable (Definition) -> Definition
    ) {
        self.init(description, in: mode, breaks: breaks) { $0.definition = reading }
    }

    static let all =
        pushes + writes + pulls + rights + limits + foreign + requests + versions + fills
        + evolution
}

// MARK: - Mutations of facts

extension Mutant {
    private static let pushes = [
        Mutant("unseen changes are ignored", breaks: [.nobodyOverwritesTheUnseen]) { store in
            store.facts = { $0.with(history: $0.history(madeOn: $1.device)) }
        },
        Mutant(
            "unseen changes are ignored, to merge", in: .merge,
            breaks: [.nobodyOverwritesTheUnseen]
        ) { store in
            store.facts = { $0.with(history: $0.history(madeOn: $1.device)) }
        },
        Mutant(
            "long histories are forgotten", breaks: [.nobodyOverwritesTheUnseen]
        ) { store in
            store.past = { _ in [] }
        },
        Mutant(
            "long histories begin too late, to merge", in: .merge,
            breaks: [.nobodyOverwritesTheUnseen, .nothingAcknowledgedIsLost]
        ) { store in
            store.past = { $0.filter { $0.entry.kind != .updated } }
        },
        Mutant("wrong presumptions are believed", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.presuming = PresumingStore(store.referenceStore, retry: .believing)
        },
        Mutant("repeated changes are not recognised", breaks: [.changesTakeEffectOnce]) { store in
            store.facts = { facts, _ in
                facts.with(outcomes: [:], history: facts.historyWithoutChangeIDs)
            }
            store.writes = { writes, facts in
                var writes = writes
                writes.outcomes.removeAll { facts.outcomes[$0.changeID] != nil }
                return writes
            }
        },
        Mutant(
            "late copies are not looked up", breaks: [.changesTakeEffectOnce, .conflictsAreReal]
        ) { store in
            store.facts = { facts, _ in facts.with(history: facts.historyWithoutChangeIDs) }
        },
        Mutant(
            "changes of related records are ignored", analyzed: true,
            breaks: [.nobodyOverwritesTheUnseen]
        ) { store in
            store.facts = { facts, _ in facts.with(unseenGraphs: []) }
        },
        Mutant(
            "relations to deleted records are accepted",
            breaks: [.limitsAreKept, .conflictsAreReal]
        ) { store in
            store.facts = { facts, need in
                guard !need.device.deviceIdentifier.hasPrefix("foreign-") else { return facts }
                return facts.with(
                    records: facts.records.mapValues { record in
                        var record = record
                        if need.baseRevisions[record.guid] == nil { record.isDeleted = false }
                        return record
                    })
            }
        },
        Mutant(
            "the mode is taken for another one",
            breaks: [.nobodyOverwritesTheUnseen]
        ) { $0.changingModels { $0.changed(mode: .overwrite) } },
    ]
}

// MARK: - Mutations of writes

extension Mutant {
    private static let writes = [
        Mutant("outcomes are not stored", breaks: [.changesTakeEffectOnce]) { store in
            store.writes = { $0.changing(to: $1) { $0.outcomes = [] } }
        },
        Mutant(
            "outcomes without a trace go with their acknowledgement",
            breaks: [.changesTakeEffectOnce]
        ) { store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { writes in
                    writes.outcomes = writes.outcomes.map {
                        StoredOutcome(changeID: $0.changeID, text: $0.text)
                    }
                }
            }
        },
        Mutant("conflicts are not opened", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.writes = { $0.changing(to: $1) { $0.openedConflicts = [] } }
        },
        Mutant("any change closes conflicts", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { $0.closedConflicts += $0.records.map(\.guid) }
            }
        },
        Mutant("history is not written", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.writes = { $0.changing(to: $1) { $0.history = [] } }
        },
        Mutant("discarded edits are not kept", in: .discard, breaks: [.nothingAcknowledgedIsLost]) {
            store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { $0.history.removeAll { $0.kind == .discarded } }
            }
        },
        Mutant(
            "the last record of a batch is not written", breaks: [.nothingAcknowledgedIsLost]
        ) { store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { if !$0.records.isEmpty { $0.records.removeLast() } }
            }
        },
        Mutant("an abandoned push is written in part", breaks: [.goneCallersLeaveNothing]) {
            store in
            store.leftover = { WriteSet(records: Array($0.records.values.prefix(1))) }
        },
        Mutant("deleted records are purged at once", breaks: [.nothingAcknowledgedIsLost]) {
            store in
            store.sweep = { request in
                SweepRequest(
                    environment: request.environment, before: Instant(milliseconds: .max),
                    limit: request.limit)
            }
        },
    ]
}

// MARK: - Mutations of answers

extension Mutant {
    private static let pulls = [
        Mutant("stamps are whole seconds", breaks: [.stampsTellEveryChange]) { store in
            store.found = { found in
                let second = (found.change.stamp.milliseconds / 1000 + 1) * 1000
                return FoundRecord(
                    record: found.record, created: found.created, createdAt: found.createdAt,
                    change: ChangePoint(
                        sequence: found.change.sequence, stamp: Instant(milliseconds: second)),
                    name: found.name)
            }
        },
        Mutant("no reader is told of other rights", breaks: [.timesTellWhatIsSeen]) { store in
            store.readPolicyChanges = { _ in [] }
        },
        Mutant("no reader is told of records given away", breaks: [.timesTellWhatIsSeen]) {
            store in
            store.reassignments = { _ in [] }
        },
        Mutant("no reader is told of purged records", breaks: [.timesTellWhatIsSeen]) { store in
            store.purged = { _ in [] }
        },
        Mutant("a pull by time tells each record twice", breaks: [.timesTellOnce]) { store in
            store.changed = { $0.flatMap { [$0, $0] } }
        },
        Mutant("a page of stamps skips a record", breaks: [.stampsTellEveryChange]) { store in
            store.stamped = { $0.count < 2 ? $0 : Array($0.dropFirst()) }
        },
        Mutant(
            "a page skips a record", breaks: [.oldAndFreshAgree, .everybodyGetsWhatIsStored]
        ) { store in
            store.page = { page in
                page.records.count < 2
                    ? page : page.with(records: Array(page.records.indices.dropFirst()))
            }
        },
        Mutant(
            "the cursor goes too far", breaks: [.oldAndFreshAgree, .everybodyGetsWhatIsStored]
        ) { store in
            store.page = { page in
                page.hasMore ? page.with(records: Array(page.records.indices.dropLast())) : page
            }
        },
        Mutant("tombstones are not sent", breaks: [.oldAndFreshAgree]) { store in
            store.page = { page in
                page.with(
                    records: page.records.indices.filter {
                        !page.records[$0].isDeleted || page.records[$0].isConflicted
                    })
            }
        },
        Mutant("ownership changes are not recorded", breaks: [.oldAndFreshAgree]) { store in
            store.page = { $0.withoutMoves }
        },
        Mutant("the purge horizon is not recorded", breaks: [.oldAndFreshAgree]) { store in
            store.page = { $0.with(purgeHorizon: 0) }
            store.session = { $0.with(purgeHorizon: 0) }
        },
        Mutant(
            "conflicts are not handed out",
            breaks: [.everybodyGetsWhatIsStored]
        ) { store in
            store.page = { $0.with(conflicts: [:]) }
        },
        Mutant("no pull drops a record", breaks: [.oldAndFreshAgree]) { mutation in
            mutation.response = { response in
                var response = response
                response.dropped = []
                return response
            }
        },
        Mutant("no pull starts over", breaks: [.oldAndFreshAgree]) { mutation in
            mutation.response = { response in
                var response = response
                response.resync = false
                return response
            }
        },
        Mutant("the last change gets no outcome", breaks: [.everyRequestIsAnswered]) { mutation in
            mutation.response = { response in
                var response = response
                if response.outcomes.count > 1 { response.outcomes.removeLast() }
                return response
            }
        },
    ]
}

// MARK: - Other wires

extension Mutant {
    private static let foreign = [
        Mutant("a restored record has lost its values", breaks: [.nothingAcknowledgedIsLost]) {
            store in
            store.writes = { writes, facts in
                writes.changing(to: facts) { writes in
                    for index in writes.records.indices
                    where facts.records[writes.records[index].guid]?.isDeleted ?? false
                        && !writes.records[index].isDeleted
                    {
                        writes.records[index].fieldsText = "{}"
                    }
                }
            }
        },
        Mutant("an addition counts from nothing", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.facts = { facts, need in
                guard need.device.deviceIdentifier.hasPrefix("foreign-") else { return facts }
                return facts.with(records: facts.records.mapValues { $0.without("stars") })
            }
        },
        Mutant("an element is put into nothing", breaks: [.nothingAcknowledgedIsLost]) { store in
            store.facts = { facts, need in
                guard need.device.deviceIdentifier.hasPrefix("foreign-") else { return facts }
                return facts.with(records: facts.records.mapValues { $0.without("tags") })
            }
        },
        Mutant("a batch of all or nothing is written in part", breaks: [.wholeBatchesAreWhole]) {
            (mutation: inout Mutation) in
            mutation.keepsBatchesWhole = false
        },
    ]
}

// MARK: - Rights and limits

extension Mutant {
    private static let rights = [
        Mutant("the filter shows all fields", breaks: [.nobodyGetsWhatIsNotTheirs]) { definition in
            definition.changingFieldRights { $0.changed(read: .all) }
        },
        Mutant("the filter shows all records", breaks: [.nobodyGetsWhatIsNotTheirs]) { definition in
            definition.changingRights { $0.changed(read: .all) }
        },
        Mutant("anyone may update a record", breaks: [.rightsAreKept]) { definition in
            definition.changingRights { $0.changed(update: .all) }
        },
        Mutant("anyone may update a field", breaks: [.rightsAreKept]) { definition in
            definition.changingFieldRights { $0.changed(update: .all) }
        },
        Mutant("anyone may delete", breaks: [.rightsAreKept]) { definition in
            definition.changingRights { $0.changed(delete: .all) }
        },
        Mutant("anyone may resolve", breaks: [.rightsAreKept]) { definition in
            definition.changingRights { $0.changed(resolve: true) }
        },
        Mutant("nobody may update", breaks: [.deviceAndServerAgree]) { definition in
            definition.changingRights { $0.changed(update: AccessLevel.none) }
        },
        Mutant(
            "a group is that of the sign-in",
            breaks: [.nobodyGetsWhatIsNotTheirs, .everybodyGetsWhatIsStored, .rightsAreKept]
        ) { store in
            let memory = FirstGroups()
            store.session = { memory.recalling($0) }
        },
    ]

    private static let limits = [
        Mutant("limits are not checked", breaks: [.limitsAreKept]) { definition in
            definition.changingModels { $0.changingFields { $0.changed(isLimited: false) } }
        },
        Mutant("unique values are not checked", breaks: [.limitsAreKept]) { definition in
            definition.changingModels { $0.changingFields { $0.changed(isUnique: false) } }
        },
    ]
}
