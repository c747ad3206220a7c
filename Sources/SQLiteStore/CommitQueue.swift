import GRDB
import SyncEngine
import Synchronization

/// How much one transaction may carry, so that no answer waits long for those of others.
package struct CommitLimits: Hashable, Sendable {
    /// Calls in one transaction.
    package var calls = 64
    /// A transaction that has lasted so long begins no further call.
    package var milliseconds = 50

    package init() {}
}

/// The calls that wait for the one writer.
///
/// To reach the disk is most of what a small commit costs, and it costs no more for many. So while
/// a transaction is on its way there, further calls gather here, and the next one carries them out
/// together; who fails takes nobody along. Nobody gets an answer before the disk has the
/// transaction, and when that fails, all of them get the error.
///
/// Who writes otherwise takes turns with these transactions: the next one is lined up only when one
/// is done.
final class CommitQueue: Sendable {
    private struct State {
        var waiting: [WaitingCall] = []
        var lastTicket = 0
        /// The writer will look in here.
        var isLinedUp = false
        var isClosed = false
    }

    private let pool: DatabasePool
    private let limits: CommitLimits
    private let state = Mutex(State())

    init(pool: DatabasePool, limits: CommitLimits) {
        self.pool = pool
        self.limits = limits
    }

    /// Runs `body` in a transaction, which others may share. When it is on disk, gives what `then`
    /// makes of what that returned and of the moment, which is nil where nothing can be read.
    ///
    /// Who is cancelled while waiting is not carried out; whose turn has come is, to its end.
    func commit<Written: Sendable, Value: Sendable>(
        _ body: @escaping @Sendable (Writer) throws -> Written,
        then: @escaping @Sendable (Written, CommittedMoment?) -> Value
    ) async throws(StoreError) -> Value {
        let ticket = nextTicket()
        let result: Result<Value, StoreError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(WaitingCall(ticket, body, then) { continuation.resume(returning: $0) })
                // Until just now there was nothing that a cancellation could have found.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
        return try result.get()
    }

    /// Carries out what waits, and refuses what comes after.
    func close() {
        state.withLock { $0.isClosed = true }
        pool.writeWithoutTransaction { db in
            while waitingCalls > 0 { carryOutNext(db) }
        }
    }

    var waitingCalls: Int { state.withLock { $0.waiting.count } }

    var isClosed: Bool { state.withLock { $0.isClosed } }
}

// MARK: - Waiting

extension CommitQueue {
    private func nextTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func enter(_ call: WaitingCall) {
        let isClosed = state.withLock { state in
            guard !state.isClosed else { return true }
            state.waiting.append(call)
            lineUp(&state)
            return false
        }
        if isClosed { call.fail(.failed("the database is closed")) }
    }

    private func leave(_ ticket: Int) {
        let call = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        call?.fail(StoreError(CancellationError()))
    }

    /// Under the lock, so that nothing is lined up behind the end of `close`.
    private func lineUp(_ state: inout State) {
        guard !state.waiting.isEmpty, !state.isLinedUp, !state.isClosed else { return }
        state.isLinedUp = true
        pool.asyncWriteWithoutTransaction { [self] db in
            carryOutNext(db)
            self.state.withLock { state in
                state.isLinedUp = false
                lineUp(&state)
            }
        }
    }
}

// MARK: - On the writer

extension CommitQueue {
    private func carryOutNext(_ db: Database) {
        let calls = take()
        guard !calls.isEmpty else { return }
        let writer = Writer(db)
        do {
            let answers = try carryOut(calls, writer)
            tell(answers, writer)
            putBack(calls.dropFirst(answers.count))
        } catch {
            for call in calls { call.fail(StoreError(error)) }
        }
    }

    private func tell(_ answers: [Answer], _ writer: Writer) {
        do {
            try atOneMoment(writer.db) {
                let moment = CommittedMoment(writer)
                for answer in answers { answer(moment) }
            }
        } catch {
            // What they wrote is on disk, whether or not it can be read now.
            for answer in answers { answer(nil) }
        }
    }

    /// Whose call fails has mostly written nothing. For the rest, all is undone and done once more,
    /// with a savepoint for each call: to have one costs a copy of every page that is changed.
    private func carryOut(_ calls: [WaitingCall], _ writer: Writer) throws -> [Answer] {
        let attempted = try commit(calls, writer) { try $0.attempted(writer) }
        return try attempted ?? commit(calls, writer) { try $0.carriedOut(writer) } ?? []
    }

    /// In one transaction: at least the first, and as many as there is time for. Nil, and nothing
    /// is written, where there is no answer for one of them.
    private func commit(
        _ calls: [WaitingCall], _ writer: Writer, _ carryOut: (WaitingCall) throws -> Answer?
    ) throws -> [Answer]? {
        let end = ContinuousClock.now + .milliseconds(limits.milliseconds)
        var answers: [Answer]? = []
        try writer.db.inTransaction {
            for call in calls {
                guard let answer = try carryOut(call) else {
                    answers = nil
                    return .rollback
                }
                answers?.append(answer)
                if ContinuousClock.now >= end { break }
            }
            return .commit
        }
        return answers
    }

    private func take() -> [WaitingCall] {
        state.withLock { state in
            let calls = Array(state.waiting.prefix(limits.calls))
            state.waiting.removeFirst(calls.count)
            return calls
        }
    }

    private func putBack(_ calls: ArraySlice<WaitingCall>) {
        state.withLock { $0.waiting.insert(contentsOf: calls, at: 0) }
    }
}

/// Tells whoever called what came of it.
private typealias Answer = @Sendable (CommittedMoment?) -> Void

/// A call before its turn.
private struct WaitingCall: Sendable {
    let ticket: Int
    private let carryOut: @Sendable (Writer) throws -> Answer
    let fail: @Sendable (StoreError) -> Void

    init<Written: Sendable, Value: Sendable>(
        _ ticket: Int, _ body: @escaping @Sendable (Writer) throws -> Written,
        _ then: @escaping @Sendable (Written, CommittedMoment?) -> Value,
        answering answer: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        self.ticket = ticket
        carryOut = { writer in
            let written = try body(writer)
            return { moment in answer(.success(then(written, moment))) }
        }
        fail = { answer(.failure($0)) }
    }

    /// What it is to be answered when the transaction is on disk. Nil where it fails and has
    /// written something already. Throws when the whole transaction is lost with it.
    func attempted(_ writer: Writer) throws -> Answer? {
        let db = writer.db
        let changes = db.totalChangesCount
        do {
            return try carryOut(writer)
        } catch {
            // A disk that fails, for one, has ended the transaction already.
            guard db.isInsideTransaction else { throw error }
            guard db.totalChangesCount == changes else { return nil }
            return { _ in fail(StoreError(error)) }
        }
    }

    /// The same; if it fails, all that it wrote is undone, and nothing else.
    func carriedOut(_ writer: Writer) throws -> Answer {
        switch try inSavepoint(writer.db, { try carryOut(writer) }) {
        case .success(let answer): answer
        case .failure(let error): { _ in fail(StoreError(error)) }
        }
    }
}
