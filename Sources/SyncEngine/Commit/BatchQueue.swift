import Synchronization

/// A call that waits in a `BatchQueue`.
package protocol QueuedCall: Sendable {
    /// Its share of what one leader may carry out.
    var weight: Int { get }

    /// Ends the call without carrying it out.
    func fail(_ error: StoreError)
}

/// Calls that gather while earlier ones of their environment are carried out.
///
/// One caller of each environment leads: it carries out its own call together with others that
/// wait, and then hands the lead to the first that still waits.
package final class BatchQueue<Call: QueuedCall>: Sendable {
    fileprivate struct WaitingCall {
        let ticket: Int
        let call: Call
        let caller: WaitingCaller
    }

    private struct State {
        /// By environment. One that has a leader has an entry.
        var waiting: [EnvironmentID: [WaitingCall]] = [:]
        var lastTicket = 0
    }

    private let maxCalls: Int
    private let maxWeight: Int
    private let state = Mutex(State())

    /// A leader gets so many calls at most, and calls of so much weight, but always one.
    package init(maxCalls: Int, maxWeight: Int) {
        self.maxCalls = maxCalls
        self.maxWeight = maxWeight
    }

    /// Queues the call that `call` makes until it is carried out or cancelled. Throws its error.
    ///
    /// Cancelling a queued call removes it; one that was taken runs to its end. `leading` takes
    /// calls, the caller's own first, and gives the number of them that are finished; the others
    /// wait on.
    package func run(
        in environment: EnvironmentID, _ call: (WaitingCaller) -> Call,
        leading lead: (Lead) async -> Int
    ) async throws(StoreError) {
        let caller = WaitingCaller()
        let ticket = nextTicket()
        let waiting = WaitingCall(ticket: ticket, call: call(caller), caller: caller)
        let turn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                caller.wait(with: continuation)
                enter(waiting, in: environment)
                // A cancellation before this line finds nothing to remove.
                if Task.isCancelled { leave(ticket, in: environment) }
            }
        } onCancel: {
            leave(ticket, in: environment)
        }
        switch turn {
        case .done(let result): try result.get()
        case .lead:
            guard !Task.isCancelled else {
                leave(ticket, in: environment)
                handOff(in: environment)
                throw .cancelled
            }
            let calls = Lead(of: self, in: environment)
            let finished = await lead(calls)
            handOff(in: environment, puttingBack: calls.waiting.dropFirst(finished))
            try caller.result.get()
        }
    }

    package var waitingCalls: Int {
        state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } }
    }

    /// Takes waiting calls while `maxCalls` and `maxWeight` leave room beside those taken before.
    private func take(
        besides taken: [WaitingCall], from environment: EnvironmentID
    ) -> [WaitingCall] {
        state.withLock { state in
            var weight = taken.reduce(0) { $0 + $1.call.weight }
            let room = max(0, maxCalls - taken.count)
            let calls = (state.waiting[environment] ?? []).prefix(room).prefix { waiting in
                defer { weight += waiting.call.weight }
                return weight == 0 || weight + waiting.call.weight <= maxWeight
            }
            state.waiting[environment]?.removeFirst(calls.count)
            return Array(calls)
        }
    }

    /// The calls that a leader carries out.
    package final class Lead: Sendable {
        private let queue: BatchQueue
        private let environment: EnvironmentID
        private let taken = Mutex<[WaitingCall]>([])

        fileprivate init(of queue: BatchQueue, in environment: EnvironmentID) {
            self.queue = queue
            self.environment = environment
        }

        /// Takes further calls from the queue, as far as there is room. Gives all that were taken.
        package func takeCalls() -> [Call] {
            taken.withLock { taken in
                let further = queue.take(besides: taken, from: environment)
                if taken.isEmpty { taken = further } else { taken += further }
                return taken.map(\.call)
            }
        }

        /// The calls that were taken so far.
        package var takenCalls: [Call] { waiting.map(\.call) }

        fileprivate var waiting: [WaitingCall] { taken.withLock { $0 } }
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
        if !call.caller.lead() { handOff(in: environment) }
    }

    private func leave(_ ticket: Int, in environment: EnvironmentID) {
        let call = state.withLock { state in
            state.waiting[environment]?.firstIndex { $0.ticket == ticket }
                .flatMap { state.waiting[environment]?.remove(at: $0) }
        }
        call?.call.fail(.cancelled)
    }

    private func handOff(
        in environment: EnvironmentID, puttingBack unfinished: ArraySlice<WaitingCall> = []
    ) {
        let next = state.withLock { state in
            state.waiting[environment]?.insert(contentsOf: unfinished, at: 0)
            let next = state.waiting[environment]?.first
            if next == nil { state.waiting[environment] = nil }
            return next
        }
        if let next { hand(to: next, in: environment) }
    }
}

/// A caller that waits for the end of its call, or for the lead.
package final class WaitingCaller: Sendable {
    fileprivate enum Turn: Sendable {
        case lead
        case done(Result<Void, StoreError>)
    }

    private struct State {
        var continuation: CheckedContinuation<Turn, Never>?
        var result: Result<Void, StoreError>?
    }

    private let state = Mutex(State())

    fileprivate init() {}

    /// The result of a call that was carried out.
    fileprivate var result: Result<Void, StoreError> {
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

    /// Ends the call.
    package func finish(_ result: Result<Void, StoreError>) {
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

/// The value of a call, which is set before the call ends.
package final class CallValue<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    package func set(_ value: Value) { self.value.withLock { $0 = value } }

    /// Throws `failed` if the call ended without a value.
    package func get() throws(StoreError) -> Value {
        guard let value = value.withLock({ $0 }) else {
            throw .failed("a call ended without a value")
        }
        return value
    }
}
