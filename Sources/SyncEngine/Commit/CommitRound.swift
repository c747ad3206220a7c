/// Calls of one environment that are decided in one transaction.
///
/// The round reads what all of them need at once and decides them one after the other, each as if
/// the earlier ones had been written. The store gets their writes at the end, and before when they
/// are many.
struct CommitRound {
    private var calls: [CommitCall]
    private let transaction: any CommitTransaction
    private let limits: CommitLimits
    /// The bytes of the records that were read.
    private var recordBytes = 0
    /// Whether these leave no room for further calls.
    private var isFull = false

    private var facts: [Facts]
    private var holders = KnownHolders()
    /// The decisions made since the facts were read.
    private var overlay = Overlay()
    private var writes: [WriteBatch] = []
    /// Writes that the store has already.
    private var written: [WriteBatch] = []
    /// Those of the decided calls that their own writes do not prove.
    private var unproven = ExpectedAbsences()
    private var lastChange: ChangePoint
    /// Nil if the store did not read them.
    private let accounts: AccountsVersion?
    /// The index of the call that the first of `facts` belongs to.
    private var firstIndex = 0

    /// Reads for the calls, as far as the limit of bytes allows.
    init(
        of calls: [CommitCall], _ transaction: any CommitTransaction, _ limits: CommitLimits
    ) throws {
        self.calls = calls
        self.transaction = transaction
        self.limits = limits
        let read = try readFacts(
            for: calls.map(\.need), maxRecordBytes: limits.recordBytes, mayExceed: true,
            transaction)
        facts = read.facts
        lastChange = read.state.lastChange
        accounts = read.state.accounts.map {
            AccountsVersion(accounts: $0, deployment: read.state.moment.deployment)
        }
        keep(read, from: 0)
        if self.calls.count > 1 { try readHolders(from: 0) }
    }

    /// Leaves the calls after the last one that was read to another transaction.
    private mutating func keep(_ read: ReadFacts, from index: Int) {
        let count = index + read.facts.count
        recordBytes += read.recordBytes
        isFull = count < calls.count || recordBytes >= limits.recordBytes
        calls.removeLast(calls.count - count)
    }

    /// Whether reading took so long that other processes may have had the environment's lock.
    /// Further calls wait then, most likely.
    var hasWaited: Bool { transaction.totalMilliseconds >= 2 }

    /// Adds the calls that come after those of the round, as far as there is room.
    mutating func add(_ taken: [CommitCall]) throws {
        let first = calls.count
        guard !isFull, taken.count > first else { return }
        let read = try readFacts(
            for: taken[first...].map(\.need), maxRecordBytes: limits.recordBytes - recordBytes,
            mayExceed: false, transaction)
        calls = taken
        keep(read, from: first)
        facts += read.facts
        try readHolders(from: first)
    }

    /// Decides at least the first call, and as many as there is time for.
    mutating func decide() throws -> DecidedCalls {
        var decided = DecidedCalls()
        var index = 0
        // Fewer calls may be left after those before one were written.
        while index < calls.count, let answer = try decide(index) {
            decided.append(answer, pageRequest: calls[index].pageRequest)
            if transaction.elapsedMilliseconds >= limits.milliseconds { break }
            index += 1
        }
        decided.writes = writes
        decided.hasWritten = !written.isEmpty || !writes.isEmpty
        if !unproven.isEmpty { decided.unproven = unproven.without(provenBy: written + writes) }
        decided.lastChange = lastChange
        return decided
    }

    /// A call that cannot be decided writes nothing and fails alone. Nil for one that is left to
    /// another transaction. Throws when the transaction is lost.
    private mutating func decide(_ index: Int) throws -> CommitCall.Answer? {
        let call = calls[index]
        switch try facts(at: index) {
        case .success(let facts)?:
            let decision: (WriteSet, CommitCall.Decided)
            do throws(StoreError) {
                decision = try call.deciding(facts)
            } catch {
                noteProof(by: WriteSet(), of: call.need, facts)
                return { _ in call.fail(error) }
            }
            noteProof(by: decision.0, of: call.need, facts)
            let before = lastChange
            try add(decision.0, of: index, facts)
            return { decision.1($0, before) }
        case .failure(let error)?: return { _ in call.fail(error) }
        case nil: return nil
        }
    }
}

/// Calls that were decided and are to be committed.
package struct DecidedCalls: Sendable {
    /// For each call, in their order; fewer where the time was up.
    fileprivate(set) var answers: [CommitCall.Answer] = []
    /// The page that each call reads after the commit, if any.
    package private(set) var pageRequests: [PageRequest?] = []
    /// The writes that are still to be carried out.
    package fileprivate(set) var writes: [WriteBatch] = []
    /// The absences that the calls expected, and that no write of them proves.
    package fileprivate(set) var unproven = ExpectedAbsences()
    /// Whether the calls write anything, now or before.
    fileprivate(set) var hasWritten = false
    /// The environment's last change when these are written.
    package fileprivate(set) var lastChange = ChangePoint.none

    package init() {}

    fileprivate mutating func append(
        _ answer: @escaping CommitCall.Answer, pageRequest: PageRequest?
    ) {
        answers.append(answer)
        pageRequests.append(pageRequest)
    }
}

// MARK: - Reading

extension CommitRound {
    /// The result has what is wrong with the call alone. Nil for one that is left to another
    /// transaction.
    private mutating func facts(at index: Int) throws -> Result<Facts, StoreError>? {
        if let presumed = calls[index].need.presumed, presumed != accounts {
            return .failure(.presumptionOutdated)
        }
        if let facts = try overlaidFacts(at: index) { return facts }
        // Only a store that has written the earlier calls can tell.
        try writeAndRead(from: index)
        guard index < calls.count else { return nil }
        return try overlaidFacts(at: index)
            ?? .failure(.failed("the facts of a call were not read"))
    }

    /// Nil if the earlier calls have to be written first.
    private mutating func overlaidFacts(at index: Int) throws -> Result<Facts, StoreError>? {
        let need = calls[index].need
        var read = facts[index - firstIndex]
        let values: Set<UniqueValue>
        do throws(StoreError) {
            values = try calls[index].wanting(overlay.records(read.records, for: need))
        } catch {
            return .failure(error)
        }
        try holders.read(values, transaction)
        (read.holders, read.owners) = (holders.found, holders.owners)
        return overlay.facts(read, for: need, wanting: values).map { .success($0) }
    }

    /// Reads at once the holders of unique values that the calls ask for as things are now.
    private mutating func readHolders(from index: Int) throws {
        var values: Set<UniqueValue> = []
        for index in calls.indices[index...] {
            // A call that cannot say what it wants fails when its turn comes.
            let records = facts[index - firstIndex].records
            guard let wanted = try? calls[index].wanting(records) else { continue }
            values.formUnion(wanted)
        }
        try holders.read(values, transaction)
    }

    /// Writes what was decided, and reads anew for the other calls.
    private mutating func writeAndRead(from index: Int) throws {
        try write()
        let read = try readFacts(
            for: calls[index...].map(\.need), maxRecordBytes: limits.recordBytes,
            mayExceed: index == 0, transaction)
        (facts, firstIndex) = (read.facts, index)
        keep(read, from: index)
        (overlay, holders) = (Overlay(), KnownHolders())
        try readHolders(from: index)
    }
}

/// Holders of unique values, as far as they were asked for.
private struct KnownHolders {
    private(set) var found: [UniqueValue: String] = [:]
    /// The owners of the holders, by guid.
    private(set) var owners: [String: OwnedRecord] = [:]
    private var asked: Set<UniqueValue> = []

    mutating func read(
        _ values: Set<UniqueValue>, _ transaction: any CommitTransaction
    ) throws {
        guard !values.isEmpty else { return }
        var read = BatchRead()
        read.holders = values.filter { !asked.contains($0) }
        guard !read.isEmpty else { return }
        var guids: Set<String> = []
        for (value, holder) in zip(read.holders, try transaction.read(read).holders) {
            found[value] = holder
            if let holder { guids.insert(holder) }
        }
        asked.formUnion(read.holders)
        try readOwners(of: guids, transaction)
    }

    private mutating func readOwners(
        of guids: Set<String>, _ transaction: any CommitTransaction
    ) throws {
        guard !guids.isEmpty else { return }
        var read = BatchRead()
        read.owners = guids.filter { owners[$0] == nil }
        for (guid, owner) in zip(read.owners, try transaction.read(read).owners) {
            owners[guid] = owner
        }
    }
}

// MARK: - Writing

extension CommitRound {
    private mutating func add(_ writes: WriteSet, of index: Int, _ facts: Facts) throws {
        guard !writes.isEmpty else { return }
        let need = calls[index].need
        var former = try former(of: writes.records, need, facts)
        if self.writes.last?.takes(writes, of: need.device) != true {
            self.writes.append(WriteBatch())
        }
        self.writes[self.writes.count - 1].add(
            writes, of: need.device, replacing: &former, after: lastChange)
        lastChange = self.writes[self.writes.count - 1].lastChange ?? lastChange
        if index + 1 < calls.endIndex {
            self.writes[self.writes.count - 1].noteContents(of: writes, of: need.device)
            overlay.add(writes, of: need.device)
            let records = self.writes.reduce(0) { $0 + $1.records.count }
            if records >= limits.recordsPerWrite { try write() }
        }
    }

    /// Gives the store what was decided. The overlay still applies to the facts, which were read
    /// before.
    private mutating func write() throws {
        for batch in writes { try transaction.write(batch) }
        written += writes
        writes = []
    }

    private mutating func noteProof(by writes: WriteSet, of need: ReadSet, _ facts: Facts) {
        guard transaction.presumesAbsences else { return }
        unproven.add(ExpectedAbsences(of: need, given: facts, unprovenBy: writes))
    }

    /// A decision mostly reads what it writes. Other records are read now.
    private func former(
        of records: [StoredRecord], _ need: ReadSet, _ facts: Facts
    ) throws -> FormerRecords {
        var former = FormerRecords(need.guids, facts.records)
        guard records.contains(where: { !former.knows($0.guid) }) else { return former }
        var read = BatchRead()
        read.records = records.map(\.guid).filter { !former.knows($0) }
        for (guid, state) in zip(read.records, try transaction.read(read).records) {
            former.add(overlay.record(guid, readAs: state), of: guid)
        }
        return former
    }
}
