package import ChangeRules
import DefinitionModel
package import SyncEngine

/// The result of pushing records.
package struct FullPushResult: Sendable {
    /// The outcomes of the changes that the records led to.
    package fileprivate(set) var outcomes: [Outcome] = []
    /// The refused data.
    package fileprivate(set) var refusals: [RefusedInput] = []
    /// The refused data that could not be kept, because the user's list is full. Only the client
    /// has it, and must not be told that all is well.
    package fileprivate(set) var unkept: [RefusedInput] = []
    /// Guids of files in refused values.
    package fileprivate(set) var refusedFiles: Set<String> = []
    /// Whether the device must be told again of records that its user may no longer see.
    fileprivate var tellsLosses = false

    package init() {}

    fileprivate mutating func append(_ other: FullPushResult) {
        outcomes += other.outcomes
        refusals += other.refusals
        unkept += other.unkept
        refusedFiles.formUnion(other.refusedFiles)
        tellsLosses = tellsLosses || other.tellsLosses
    }
}

extension TicketEngine {
    /// Pushes records, each with another guid and at most `Limits.changes` of them. Returns the
    /// outcomes of those that differ from the device's confirmed state. A repeated push differs no
    /// more, so the push itself is not recorded.
    ///
    /// Everything that can be taken in takes effect. The rest is kept in the list of refusals, and
    /// in the history of a record that the user may see, before anything takes effect; the device
    /// is sent the standing record.
    ///
    /// If `isWanted` becomes false while records are decided, throws `cancelled`: some of them may
    /// have taken effect.
    package func push(
        _ records: [FullRecord], from caller: Caller, at now: Instant,
        whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> FullPushResult {
        let max = engine.limits.changes
        guard records.count <= max else {
            throw .tooManyChanges(count: records.count, max: max)
        }
        let token = try await change(of: caller) { progress in
            var next = progress ?? DeviceProgress()
            next.holdsRecords = next.holdsRecords || !records.isEmpty
            return (next == progress ? nil : next, next.confirmed)
        }
        guard !records.isEmpty else { return FullPushResult() }
        let noted = try await notingAwaitedFiles(in: records, of: caller)
        let pushed = try await push(
            noted.map(RepairedRecord.init), confirmed: engine.confirmed(token, by: caller),
            from: caller, at: now, unless: Cancellation(whileWanted: isWanted))
        if pushed.tellsLosses, let token { try await lookBack(from: token, for: caller) }
        return pushed
    }

    /// Divides records into parts for `push`. Other writers wait while the texts of a part are
    /// matched against their patterns, so those of several records take at most
    /// `Limits.wholePatternSteps`. This needs no I/O, but may take long.
    package func parts(of records: [FullRecord]) -> [[FullRecord]] {
        var parts: [[FullRecord]] = []
        var steps = 0
        for record in records {
            let needed = engine.rules.patternSteps(of: record.broadest)
            steps += needed
            if parts.isEmpty || steps > engine.limits.wholePatternSteps {
                parts.append([record])
                steps = needed
            } else {
                parts[parts.count - 1].append(record)
            }
        }
        return parts
    }

    /// Keeps data that is part of no record. Returns false if the user's list is full.
    package func keep(
        _ refusals: [RefusedInput], of caller: Caller, at now: Instant
    ) async throws(SyncError) -> Bool {
        guard !refusals.isEmpty else { return true }
        return try await added(refusals, of: caller, at: now) != nil
    }

    /// Returns the refusals that were not in the list; nil if the list is full.
    private func added(
        _ refusals: [RefusedInput], of caller: Caller, at now: Instant
    ) async throws(SyncError) -> [RefusedInput]? {
        let limits = RefusalLimits(
            count: engine.limits.refusalsOfUser, bytes: engine.limits.refusalBytesOfUser,
            contentBytes: engine.limits.looseFileBytes)
        return try await engine.reading { () async throws(StoreError) in
            try await store.keep(
                refusals, of: caller.login, in: engine.environment, at: now, limits: limits)
        }
    }

    /// Removes refusals from before a moment. Returns their number.
    package func sweepRefusals(before moment: Instant) async throws(SyncError) -> Int {
        let request = SweepRequest(environment: engine.environment, before: moment, limit: 1000)
        return try await engine.reading { () async throws(StoreError) in
            try await request.repeated(store.sweepRefusals)
        }
    }

    /// Decides, keeps what would be refused, and decides again: what others write in between may
    /// lead to other refusals. If they cannot be kept, the device keeps them.
    private func push(
        _ records: [RepairedRecord], confirmed: Confirmed, from caller: Caller, at now: Instant,
        unless cancellation: Cancellation
    ) async throws(SyncError) -> FullPushResult {
        var (kept, added): (Set<RefusedInput>, Set<RefusedInput>) = ([], [])
        var isFull = false
        for _ in 0..<Self.maxAttempts {
            let step = try await engine.commit(
                FullPush(
                    records: records, confirmed: confirmed, kept: kept, added: added,
                    keepsAll: !isFull, cancellation: cancellation),
                from: caller, at: now)
            switch step {
            case .done(let pushed): return pushed
            case .tooMuchToRead(let isErased):
                guard records.count > 1 else {
                    return try await refuse(
                        records[0], withoutValues: isErased, from: caller, at: now)
                }
                return try await pushHalves(
                    of: records, confirmed: confirmed, from: caller, at: now,
                    unless: cancellation)
            case .unkept(let refusals, let owedRecords):
                guard let new = try await self.added(refusals, of: caller, at: now) else {
                    isFull = true
                    continue
                }
                added.formUnion(new)
                kept.formUnion(refusals)
                try await owe(owedRecords, to: caller)
            }
        }
        throw .store(.busy)
    }

    private func pushHalves(
        of records: [RepairedRecord], confirmed: Confirmed, from caller: Caller, at now: Instant,
        unless cancellation: Cancellation
    ) async throws(SyncError) -> FullPushResult {
        let half = records.count / 2
        var pushed = FullPushResult()
        for part in [records[..<half], records[half...]] {
            pushed.append(
                try await push(
                    Array(part), confirmed: confirmed, from: caller, at: now,
                    unless: cancellation))
        }
        return pushed
    }

    /// Keeps a record whose history is too long to be read while other writers wait, in the list of
    /// refusals. The device is sent the standing record.
    ///
    /// - Parameter withoutValues: For a record that may have been erased: the list would keep what
    ///   was erased.
    private func refuse(
        _ repaired: RepairedRecord, withoutValues: Bool, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> FullPushResult {
        let record = repaired.record
        let cause = Cause(
            .recorded(
                RecordedReason(
                    code: "historyTooLong",
                    message: "too much has happened to the record since its client last knew it",
                    argument: nil)))
        let refusal = RefusedInput(
            of: record.broadest, withoutValues ? [:] : repaired.sent(record.fields),
            by: caller.device, [cause])
        var pushed = FullPushResult()
        pushed.outcomes = [Outcome(refusing: record.broadest, [cause])]
        pushed.refusals = [refusal]
        pushed.refusedFiles = record.fields.fileGuids
        if try await added([refusal], of: caller, at: now) == nil { pushed.unkept = [refusal] }
        try await owe([record.guid], to: caller)
        return pushed
    }

    /// Has the next answer contain records that have not changed.
    private func owe(_ records: [String], to caller: Caller) async throws(SyncError) {
        guard !records.isEmpty else { return }
        try await change(of: caller) { progress in
            guard var progress, progress.owedRecords.count < Self.maxOwedRecords else {
                return (nil, ())
            }
            for guid in records { progress.owedRecords[guid] = "" }
            return (progress, ())
        }
    }

    private static let maxAttempts = 8
    /// The limit for one device. Beyond it, the device keeps its own values of a record until the
    /// record changes.
    private static let maxOwedRecords = 10_000
}

/// An attempt to push records.
private struct FullPush: Sendable {
    let records: [RepairedRecord]
    let confirmed: Confirmed
    /// The refusals that are in the list.
    let kept: Set<RefusedInput>
    /// The refusals that were not there before this push.
    let added: Set<RefusedInput>
    /// Whether every refusal must be in the list.
    let keepsAll: Bool
    let cancellation: Cancellation
    let clashes = PushClashes()
}

private enum FullPushStep: Sendable {
    case done(FullPushResult)
    /// Nothing was decided, because that would take more than one request may read. `isErased`
    /// tells whether one of the records may have been erased.
    case tooMuchToRead(isErased: Bool)
    /// Nothing is written before these are kept, and the device is owed these records.
    case unkept([RefusedInput], owedRecords: [String])
}

extension Engine {
    private func author(
        of batch: [Change], from caller: Caller, at now: Instant
    ) async throws(SyncError) -> Author {
        var author = Author(
            asker: caller.asker, deviceIdentifier: caller.deviceIdentifier, now: now,
            limits: limits)
        author.fullHistories = try await fullHistories(of: batch)
        return author
    }

    fileprivate func commit(
        _ push: FullPush, from caller: Caller, at now: Instant
    ) async throws(SyncError) -> FullPushStep {
        let rules = rules
        let broadest = push.records.map(\.record.broadest)
        let author = try await author(of: broadest, from: caller, at: now)
        try checkMayClash(broadest, by: caller.login, at: now)
        let need = need(
            of: broadest, by: author, under: rules, environment: environment,
            seenSequence: push.confirmed.sequence, isWhole: true)
        let step: FullPushStep? = try await reading { () async throws(StoreError) in
            try await store.commit(need) { records throws(StoreError) in
                try uniqueValues(of: broadest, on: records, by: rules)
            } deciding: { facts throws(StoreError) in
                guard isCurrent(facts.fingerprint) else { return (WriteSet(), nil) }
                guard facts.shortage == nil else {
                    let isErased = facts.records.values.contains(where: \.isErased)
                    return (WriteSet(), .tooMuchToRead(isErased: isErased))
                }
                let batch = try FullBatch(
                    push.records, given: facts, confirmed: push.confirmed, by: author,
                    under: rules, unless: push.cancellation)
                let unkept = batch.refusals.filter { !push.kept.contains($0) }
                guard unkept.isEmpty || !push.keepsAll else {
                    return (WriteSet(), .unkept(unkept, owedRecords: batch.owedRecords))
                }
                clashMeter.note(batch.hiddenClashes, of: push.clashes, by: caller.login, at: now)
                var pushed = FullPushResult()
                pushed.outcomes = batch.outcomes
                pushed.refusals = batch.refusals
                pushed.unkept = unkept
                pushed.refusedFiles = batch.refusedFiles
                pushed.tellsLosses = batch.tellsLosses
                let writes = try batch.writes(noting: push.added)
                historyGauge.note(writes.history)
                return (writes, .done(pushed))
            }
        }
        guard let step else { throw .definitionChanged }
        return step
    }
}
