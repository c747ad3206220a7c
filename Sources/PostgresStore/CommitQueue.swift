import SyncEngine
import Synchronization

/// The calls of a process that wait for their environment's lock.
///
/// The lock is held until the disk has the transaction, and that costs no more for many calls than
/// for one. So while a transaction is on its way, further calls gather here, and the next one
/// carries them out together, each in a savepoint of its own: who fails takes nobody along. Nobody
/// gets an answer before the disk has the transaction. Of those who wait one leads: it carries out
/// its own call and those of others, and then hands on.
final class CommitQueue: Sendable {
    /// Carries out a transaction that may be begun again when nothing came of it.
    typealias Writer = (
        _ body: @escaping @Sendable (Transaction) throws -> [Answer]
    ) async throws(StoreError) -> [Answer]

    private struct State {
        var waiting: [WaitingCall] = []
        var lastTicket = 0
        var hasLeader = false
    }

    private let limits: PostgresLimits
    private let state = Mutex(State())

    init(limits: PostgresLimits) { self.limits = limits }

    /// Runs `body` in a transaction that holds the environment's lock and that others may share,
    /// and gives what it returned. It may be run again, when nothing came of it.
    ///
    /// Who is cancelled while waiting is not carried out; whose turn has come is, to its end.
    func commit<Value: Sendable>(
        in environment: EnvironmentID, with write: Writer,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) async throws(StoreError) -> Value {
        let seat = Seat<Value>()
        let ticket = nextTicket()
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                seat.wait(with: continuation)
                enter(WaitingCall(ticket, environment, seat, body))
                // Until just now there was nothing that a cancellation could have found.
                if Task.isCancelled { leave(ticket) }
            }
        } onCancel: {
            leave(ticket)
        }
        switch turn {
        case .done(let result): return try result.get()
        case .lead:
            await carryOutNext(with: write)
            handOn()
            return try seat.result.get()
        }
    }
}

// MARK: - Waiting

extension CommitQueue {
    var waitingCalls: Int { state.withLock { $0.waiting.count } }

    private func nextTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func enter(_ call: WaitingCall) {
        let leads = state.withLock { state in
            state.waiting.append(call)
            defer { state.hasLeader = true }
            return !state.hasLeader
        }
        if leads { hand(to: call) }
    }

    /// Whoever has left in the same moment does not lead: then the next one does.
    private func hand(to call: WaitingCall) {
        if !call.lead() { handOn() }
    }

    private func leave(_ ticket: Int) {
        let call = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        call?.fail(StoreError(CancellationError()))
    }

    private func handOn() {
        let next = state.withLock { state in
            state.hasLeader = !state.waiting.isEmpty
            return state.waiting.first
        }
        if let next { hand(to: next) }
    }

    /// Those of one environment, which share its lock.
    private func take() -> [WaitingCall] {
        state.withLock { state in
            let environment = state.waiting.first?.environment
            let calls = Array(
                state.waiting.prefix { $0.environment == environment }
                    .prefix(limits.callsPerCommit))
            state.waiting.removeFirst(calls.count)
            return calls
        }
    }

    private func putBack(_ calls: ArraySlice<WaitingCall>) {
        state.withLock { $0.waiting.insert(contentsOf: calls, at: 0) }
    }
}

// MARK: - Leading

extension CommitQueue {
    private func carryOutNext(with write: Writer) async {
        let calls = take()
        guard let environment = calls.first?.environment else { return }
        do throws(StoreError) {
            let milliseconds = limits.commitMilliseconds
            let answers = try await write { transaction in
                try lock(environment, transaction)
                return try carryOut(calls, within: milliseconds, transaction)
            }
            for answer in answers { answer() }
            putBack(calls.dropFirst(answers.count))
        } catch {
            for call in calls { call.fail(error) }
        }
    }
}

/// In one transaction: at least the first, and as many as there is time for.
private func carryOut(
    _ calls: [WaitingCall], within milliseconds: Int, _ transaction: Transaction
) throws -> [Answer] {
    guard calls.count > 1 else { return [try calls[0].carriedOutAlone(transaction)] }
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    var answers: [Answer] = []
    for call in calls {
        answers.append(try call.carriedOut(transaction))
        if ContinuousClock.now >= end { break }
    }
    return answers
}

/// Tells whoever called what came of it.
typealias Answer = @Sendable () -> Void

/// A call before its turn.
private struct WaitingCall: Sendable {
    let ticket: Int
    let environment: EnvironmentID
    private let carryOut: @Sendable (Transaction) throws -> Answer
    let fail: @Sendable (StoreError) -> Void
    /// False when it does not wait any more.
    let lead: @Sendable () -> Bool

    init<Value: Sendable>(
        _ ticket: Int, _ environment: EnvironmentID, _ seat: Seat<Value>,
        _ body: @escaping @Sendable (Transaction) throws -> Value
    ) {
        self.ticket = ticket
        self.environment = environment
        carryOut = { transaction in
            do {
                let value = try body(transaction)
                return { seat.finish(.success(value)) }
            } catch let failure as Failure where failure.isOfTakenKey {
                throw StoreError(failure)
            }
        }
        fail = { seat.finish(.failure($0)) }
        lead = { seat.lead() }
    }

    /// What it is to be answered when the transaction is on disk.
    func carriedOutAlone(_ transaction: Transaction) throws -> Answer { try carryOut(transaction) }

    /// If it fails, all that it wrote is undone, and nothing else. Throws when the whole
    /// transaction is lost with it.
    func carriedOut(_ transaction: Transaction) throws -> Answer {
        transaction.later("SAVEPOINT call")
        do {
            let answer = try carryOut(transaction)
            transaction.later("RELEASE SAVEPOINT call")
            return answer
        } catch {
            if let failure = error as? Failure, failure.isPassing { throw error }
            transaction.later("ROLLBACK TO SAVEPOINT call")
            transaction.later("RELEASE SAVEPOINT call")
            return { [fail] in fail(StoreError(error)) }
        }
    }
}

/// Where one waits: for what came of the call, or for leading the others.
private final class Seat<Value: Sendable>: Sendable {
    enum Turn: Sendable {
        case lead
        case done(Result<Value, StoreError>)
    }

    private struct State {
        var continuation: CheckedContinuation<Turn, Never>?
        var result: Result<Value, StoreError>?
    }

    private let state = Mutex(State())

    /// Of whoever leads: its own call is the first that it carries out.
    var result: Result<Value, StoreError> {
        state.withLock { $0.result ?? .failure(.failed("a call was not carried out")) }
    }

    func wait(with continuation: CheckedContinuation<Turn, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// False when whoever waited has its result.
    func lead() -> Bool {
        guard let continuation = takeContinuation() else { return false }
        continuation.resume(returning: .lead)
        return true
    }

    func finish(_ result: Result<Value, StoreError>) {
        state.withLock { $0.result = result }
        takeContinuation()?.resume(returning: .done(result))
    }

    private func takeContinuation() -> CheckedContinuation<Turn, Never>? {
        state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
    }
}
