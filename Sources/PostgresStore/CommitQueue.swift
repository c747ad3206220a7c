import SyncEngine

/// The commits of a process that wait for the lock of their environment.
///
/// The lock is held until the transaction has reached the disk, and that costs the same for one
/// call as for many. So while a transaction is on its way, further calls gather, and the next
/// transaction carries them out together (see `CommitRound`). None is answered before the
/// transaction has reached the disk.
struct CommitQueue: Sendable {
    let limits: PostgresLimits
    private let queue = BatchQueue<CommitCall>()

    init(limits: PostgresLimits) { self.limits = limits }

    /// Carries the call out in a transaction that others may share. It may be decided again when
    /// nothing came of it.
    func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?, on database: PostgresDatabase,
        wanting: @escaping CommitCall.Wanting,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result> {
        let environment = need.environment
        return try await queue.run(in: environment) { result in
            CommitCall(need, request, result, wanting: wanting, deciding: deciding)
        } leading: {
            let calls = queue.take(from: environment, atMost: limits.callsPerCommit)
            await carryOut(calls, in: environment, on: database)
        }
    }

    var waitingCalls: Int { queue.waitingCalls }
}

extension CommitQueue {
    /// All of the calls, in as many transactions as their time takes.
    private func carryOut(
        _ calls: [CommitCall], in environment: EnvironmentID, on database: PostgresDatabase
    ) async {
        var rest = calls[...]
        while !rest.isEmpty {
            do throws(StoreError) {
                let count = try await carryOutNext(rest, in: environment, on: database)
                rest = rest.dropFirst(count)
            } catch {
                await carryOutAlone(rest, failing: error, in: environment, on: database)
                rest = []
            }
        }
    }

    /// One transaction. Gives the number of calls it carried out, which are answered.
    private func carryOutNext(
        _ calls: ArraySlice<CommitCall>, in environment: EnvironmentID,
        on database: PostgresDatabase
    ) async throws(StoreError) -> Int {
        let milliseconds = limits.commitMilliseconds
        let answers = try await database.writeLocked(
            { transaction in
                var round = try CommitRound(of: calls, in: environment, transaction)
                return try round.carryOut(within: milliseconds)
            }, then: .pages)
        for answer in answers { answer() }
        return answers.count
    }

    /// After a transaction that could not be written. Each call then has one of its own, so that
    /// a call that cannot be written takes no other one along; what is in the way of every
    /// transaction fails all of them.
    private func carryOutAlone(
        _ calls: ArraySlice<CommitCall>, failing error: StoreError, in environment: EnvironmentID,
        on database: PostgresDatabase
    ) async {
        switch error {
        case .failed, .unreadable:
            guard calls.count > 1 else { break }
            for index in calls.indices {
                do throws(StoreError) {
                    _ = try await carryOutNext(
                        calls[index...index], in: environment, on: database)
                } catch {
                    calls[index].fail(error)
                }
            }
            return
        case .busy, .unavailable, .outOfSpace: break
        }
        for call in calls { call.fail(error) }
    }
}

/// A commit that waits for its turn.
struct CommitCall: QueuedCall {
    typealias Wanting =
        @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>

    /// Tells the caller what came of it, with the page that was read, if any.
    typealias Answer = @Sendable (Page?) -> Void

    let need: Need
    let pageRequest: PageRequest?
    let wanting: Wanting
    /// Gives what is to be written, and the answer when that has reached the disk.
    let deciding: @Sendable (Facts) throws(StoreError) -> (Writes, Answer)
    private let refuse: @Sendable (StoreError) -> Void

    init<Value: Sendable>(
        _ need: Need, _ pageRequest: PageRequest?, _ result: CallResult<Committed<Value>>,
        wanting: @escaping Wanting,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Value)
    ) {
        self.need = need
        self.pageRequest = pageRequest
        self.wanting = wanting
        self.deciding = { facts throws(StoreError) in
            let (writes, value) = try deciding(facts)
            return (writes, { result.finish(.success(Committed(result: value, page: $0))) })
        }
        refuse = { result.finish(.failure($0)) }
    }

    func fail(_ error: StoreError) { refuse(error) }
}

extension ReadAfterCommit<DecidedCalls, [@Sendable () -> Void]> {
    /// The pages that the calls ask for, with which each of them is answered.
    fileprivate static var pages: ReadAfterCommit {
        ReadAfterCommit { decided in
            decided.pages.statements
        } value: { decided, rows in
            // Whoever then reads the page alone meets the reason why it cannot be read.
            let pages = try? decided.pages.pages(in: rows?.first)
            return decided.answers.enumerated().map { index, answer in
                { answer(pages?[index] ?? nil) }
            }
        }
    }
}
