import SyncEngine
import Synchronization

/// A call that waits in a `BatchQueue`.
protocol QueuedCall: Sendable {
    /// Ends the call without carrying it out.
    func fail(_ error: StoreError)
}

/// Calls that gather while earlier ones of their environment are carried out.
///
/// One caller of each environment leads: it carries out its own call together with others that
/// wait, and then hands the lead to the first that still waits.
final class BatchQueue<Call: QueuedCall>: Sendable {
    private struct WaitingCall {
        let ticket: Int
        let call: Call
        /// False when the caller no longer waits.
        let lead: @Sendable () -> Bool
    }

    private struct State {
        /// By environment. One that has a leader has an entry.
        var waiting: [EnvironmentID: [WaitingCall]] = [:]
        var lastTicket = 0
    }

    private let state = Mutex(State())

    /// Queues the call that `call` makes, until it is carried out or cancelled, and gives its result.
    ///
    /// Cancelling a queued call removes it; one that was taken runs to its end. `leading` takes
    /// calls from the queue, the caller's own first, and finishes them.
    func run<Value: Sendable>(
        in environment: EnvironmentID, _ call: (CallResult<Value>) -> Call,
        leading lead: () async -> Void
    ) async throws(StoreError) -> Value {
        let result = CallResult<Value>()
        let ticket = nextTicket()
        let waiting = WaitingCall(ticket: ticket, call: call(result)) { result.lead() }
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                result.wait(with: continuation)
                enter(waiting, in: environment)
                // A cancellation before this line finds nothing to remove.
                if Task.isCancelled { leave(ticket, in: environment) }
            }
        } onCancel: {
            leave(ticket, in: environment)
        }
        switch turn {
        case .done(let result): return try result.get()
        case .lead:
            await lead()
            handOff(in: environment)
            return try result.value.get()
        }
    }

    var waitingCalls: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

    /// Removes the first calls from the queue, for the leader to carry out.
    func take(from environment: EnvironmentID, atMost count: Int) -> [Call] {
        state.withLock { state in
            let calls = (state.waiting[environment] ?? []).prefix(count)
            state.waiting[environment]?.removeFirst(calls.count)
            return calls.map(\.call)
        }
    }
}

// MARK: - Waiting

extension BatchQueue {
    private func nextTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func enter(_ call: WaitingCall, in environment: EnvironmentID) {
        let leads = state.withLock { state in
            defer { state.waiting[environment, default: []].append(call) }
            return state.waiting[environment] == nil
        }
        if leads { hand(to: call, in: environment) }
    }

    /// A caller that has left in the same moment does not lead; the next one does.
    private func hand(to call: WaitingCall, in environment: EnvironmentID) {
        if !call.lead() { handOff(in: environment) }
    }

    private func leave(_ ticket: Int, in environment: EnvironmentID) {
        let call = state.withLock { state in
            state.waiting[environment]?.firstIndex { $0.ticket == ticket }
                .flatMap { state.waiting[environment]?.remove(at: $0) }
        }
        call?.call.fail(StoreError(CancellationError()))
    }

    private func handOff(in environment: EnvironmentID) {
        let next = state.withLock { state in
            let next = state.waiting[environment]?.first
            if next == nil { state.waiting[environment] = nil }
            return next
        }
        if let next { hand(to: next, in: environment) }
    }
}

/// Where a caller waits: for the result of its call, or for the lead.
final class CallResult<Value: Sendable>: Sendable {
    enum Turn: Sendable {
        case lead
        case done(Result<Value, StoreError>)
    }

    private struct State {
        var continuation: CheckedContinuation<Turn, Never>?
        var result: Result<Value, StoreError>?
    }

    private let state = Mutex(State())

    fileprivate init() {}

    /// Of a leader, once its call was carried out.
    fileprivate var value: Result<Value, StoreError> {
        state.withLock { $0.result ?? .failure(.failed("a call was not carried out")) }
    }

    fileprivate func wait(with continuation: CheckedContinuation<Turn, Never>) {
        state.withLock { $0.continuation = continuation }
    }

    /// False when the caller has its result.
    fileprivate func lead() -> Bool {
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
