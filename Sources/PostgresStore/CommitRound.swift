import SyncEngine

/// What came of the calls of a transaction.
struct DecidedCalls: Sendable {
    /// For each call, in their order; there are fewer where the time was up.
    let answers: [CommitCall.Answer]
    /// What these calls read when all is committed.
    let pages: LittlePages
}

/// Calls of one environment that are carried out in one transaction.
///
/// What all of them need is read at once. They are decided one after the other, each as if the
/// earlier ones had been written. What they write is sent together with the commit.
struct CommitRound {
    private let calls: ArraySlice<CommitCall>
    private let environment: EnvironmentID
    private let transaction: Transaction

    private var read: ReadFacts
    /// What was decided since then, none of which is written.
    private var overlay = Overlay()
    private var writes = PendingWrites()
    private var lastSequence: Int64

    /// Locks the environment, and reads.
    init(
        of calls: ArraySlice<CommitCall>, in environment: EnvironmentID,
        _ transaction: Transaction
    ) throws {
        self.calls = calls
        self.environment = environment
        self.transaction = transaction
        let reading = ReadFacts.statements(for: calls, in: environment)
        let rows = try transaction.rows(of: [lockStatement(of: environment)] + reading)
        try checkLocked(rows[0])
        read = try ReadFacts(rows.dropFirst(), of: calls)
        lastSequence = read.state.moment.sequence
        try readHolders()
    }

    /// Decides at least the first call, and as many as there is time for.
    mutating func carryOut(within milliseconds: Int) throws -> DecidedCalls {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        var answers: [CommitCall.Answer] = []
        for index in calls.indices {
            answers.append(try decide(index))
            if ContinuousClock.now >= end { break }
        }
        try finish()
        return DecidedCalls(
            answers: answers,
            pages: LittlePages(
                calls.prefix(answers.count).map(\.pageRequest), in: environment,
                at: lastSequence))
    }

    /// A call that cannot be decided writes nothing and holds up no other one. Throws when the
    /// transaction is lost.
    private mutating func decide(_ index: Int) throws -> CommitCall.Answer {
        let call = calls[index]
        switch try facts(at: index) {
        case .success(let facts):
            do throws(StoreError) {
                let (decided, answer) = try call.deciding(facts)
                overlay.add(decided, of: call.need.device)
                lastSequence = writes.add(
                    decided, of: call.need, formerly: facts.records, after: lastSequence)
                return answer
            } catch {
                return { _ in call.fail(error) }
            }
        case .failure(let error): return { _ in call.fail(error) }
        }
    }
}

// MARK: - Reading

extension CommitRound {
    /// The result has what is wrong with the call alone.
    private mutating func facts(at index: Int) throws -> Result<Facts, StoreError> {
        if let facts = try overlaidFacts(at: index) { return facts }
        // Only a database that has the earlier writes can tell.
        try writeAndRead(from: index)
        return try overlaidFacts(at: index) ?? .failure(.failed("what a call needs was not read"))
    }

    /// Nil where the earlier calls have to be written first.
    private mutating func overlaidFacts(at index: Int) throws -> Result<Facts, StoreError>? {
        let need = calls[index].need
        let values: Set<UniqueValue>
        do throws(StoreError) {
            values = try calls[index].wanting(overlay.records(read.records(at: index), for: need))
        } catch {
            return .failure(error)
        }
        try read.readHolders(of: values, in: environment, transaction)
        let facts = try read.facts(at: index, for: need, transaction)
        return overlay.facts(facts, for: need, wanting: values).map { .success($0) }
    }

    /// Reads at once who holds the unique values that the calls ask for as things are now.
    private mutating func readHolders() throws {
        var values: Set<UniqueValue> = []
        for index in calls.indices {
            // A call that cannot say what it wants is refused when its turn comes.
            guard let wanted = try? calls[index].wanting(read.records(at: index)) else { continue }
            values.formUnion(wanted)
        }
        try read.readHolders(of: values, in: environment, transaction)
    }
}

// MARK: - Writing

extension CommitRound {
    /// Writes what was decided, and reads anew what the other calls need.
    private mutating func writeAndRead(from index: Int) throws {
        let writing = writes.statements(in: environment)
        let reading = ReadFacts.statements(for: calls[index...], in: environment)
        let rows = try transaction.rows(of: writing + reading)
        try writes.check(rows)
        read = try ReadFacts(rows.dropFirst(writing.count), of: calls[index...])
        overlay = Overlay()
        writes = PendingWrites()
    }

    /// Leaves what was decided to be sent with the commit, unless it has to be checked first.
    private mutating func finish() throws {
        let statements = writes.statements(in: environment)
        if writes.needsCheck {
            try writes.check(try transaction.rows(of: statements))
        } else {
            transaction.later(statements)
        }
    }
}
