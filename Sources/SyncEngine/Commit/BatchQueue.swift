package import DefinitionModel
import Queues
import Synchronization

/// A call that waits in a `BatchQueue`.
package protocol QueuedCall: Sendable {
    /// Its share of what one leader may carry out.
    var weight: Int { get }

    /// The user who waits for it. Users take turns, however many calls each has; a call without a
    /// user is like that of a user who has no other.
    var user: ByteKey? { get }

    /// Ends the call without carrying it out.
    func fail(_ error: StoreError)
}

/// Calls that gather while earlier ones of their environment are carried out.
///
/// One caller of each environment leads: it carries out its own call together with others that
/// wait, and then hands the lead to the next that waits. A user whose calls were carried out comes
/// after those who still wait for their first.
package final class BatchQueue<Call: QueuedCall>: Sendable {
    fileprivate struct WaitingCall {
        let ticket: WaitTicket
        let call: Call
        let caller: WaitingCaller
    }

    private struct State {
        /// By environment. One that has a leader has an entry.
        var waiting: [EnvironmentID: [WaitingCall]] = [:]
        var refusesWaiting = false
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
        let ticket = WaitTicket()
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
            handOff(
                in: environment, puttingBack: calls.waiting.dropFirst(finished),
                after: calls.waiting.prefix(finished))
            calls.answer()
            try caller.result.get()
        }
    }

    /// Fails the calls that wait with `stopping`, and from now on those that would have to wait.
    /// Calls that a leader has taken run to their end, and so do those that find no other.
    package func refuseWaiting() {
        let refused = state.withLock { state in
            state.refusesWaiting = true
            let refused = state.waiting.values.flatMap(\.self)
            state.waiting = state.waiting.mapValues { _ in [] }
            return refused
        }
        for waiting in refused { waiting.call.fail(.stopping) }
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
            // The first call is the leader's own.
            let waiting = inTurn(
                state.waiting[environment] ?? [], besides: taken, keepingFirst: taken.isEmpty)
            let calls = waiting.prefix(room).prefix { waiting in
                defer { weight += waiting.call.weight }
                return weight == 0 || weight + waiting.call.weight <= maxWeight
            }
            state.waiting[environment] = state.waiting[environment].map { _ in
                Array(waiting.dropFirst(calls.count))
            }
            return Array(calls)
        }
    }

    /// The calls that a leader carries out.
    package final class Lead: Sendable {
        private let queue: BatchQueue
        private let environment: EnvironmentID
        private let taken = Mutex<[WaitingCall]>([])
        private let answering = Mutex<(@Sendable () -> Void)?>(nil)

        fileprivate init(of queue: BatchQueue, in environment: EnvironmentID) {
            self.queue = queue
            self.environment = environment
        }

        /// Takes further calls from the queue, as far as there is room. Gives all that were taken.
        package func takeCalls() -> [Call] {
            taken.withLock { taken in
                let further = queue.take(besides: taken, from: environment)
                if taken.isEmpty { taken = further } else { taken += further }
                return taken.map { $0.call }
            }
        }

        /// Sets how the finished calls are answered, if the leader does not answer them itself:
        /// when the next call has the lead. In the other order all callers would go on before that
        /// call, and the database would wait for it.
        package func answerAfterHandOff(_ answer: @escaping @Sendable () -> Void) {
            answering.withLock { $0 = answer }
        }

        fileprivate func answer() { answering.withLock { $0 }?() }

        /// The calls that were taken so far.
        package var takenCalls: [Call] { waiting.map { $0.call } }

        package var takenCount: Int { taken.withLock { $0.count } }

        fileprivate var waiting: [WaitingCall] { taken.withLock { $0 } }
    }
}

// MARK: - Waiting

extension BatchQueue {
    private func enter(_ call: WaitingCall, in environment: EnvironmentID) {
        let leads: Bool? = state.withLock { state in
            let leads = state.waiting[environment] == nil
            guard leads || !state.refusesWaiting else { return nil }
            state.waiting[environment, default: []].append(call)
            return leads
        }
        switch leads {
        case true?: hand(to: call, in: environment)
        case false?: break
        case nil: call.call.fail(.stopping)
        }
    }

    /// A caller that has left in the same moment does not lead; the next one does.
    private func hand(to call: WaitingCall, in environment: EnvironmentID) {
        if !call.caller.lead() { handOff(in: environment) }
    }

    private func leave(_ ticket: WaitTicket, in environment: EnvironmentID) {
        let call = state.withLock { state in
            state.waiting[environment]?.firstIndex { $0.ticket == ticket }
                .flatMap { state.waiting[environment]?.remove(at: $0) }
        }
        call?.call.fail(.cancelled)
    }

    private func handOff(
        in environment: EnvironmentID, puttingBack unfinished: ArraySlice<WaitingCall> = [],
        after finished: ArraySlice<WaitingCall> = []
    ) {
        let (next, refused) = state.withLock { state in
            let waiting = inTurn(
                unfinished + (state.waiting[environment] ?? []), besides: Array(finished))
            guard !state.refusesWaiting else {
                state.waiting[environment] = nil
                return (WaitingCall?.none, waiting)
            }
            state.waiting[environment] = waiting.isEmpty ? nil : waiting
            return (waiting.first, [])
        }
        for waiting in refused { waiting.call.fail(.stopping) }
        if let next { hand(to: next, in: environment) }
    }
}

// MARK: - Turns

extension BatchQueue {
    /// Orders calls so that users take turns: first one call of each user, then a second one of
    /// each, and so on. Calls of `earlier` count as the first ones of their users.
    private func inTurn<Calls: Collection<WaitingCall>>(
        _ waiting: Calls, besides earlier: [WaitingCall], keepingFirst: Bool = false
    ) -> [WaitingCall] {
        guard waiting.count > 1, waiting.contains(where: { $0.call.user != nil }) else {
            return Array(waiting)
        }
        var counts: [ByteKey: Int] = [:]
        for call in earlier { _ = turn(of: call, after: &counts) }
        let turns = waiting.map { turn(of: $0, after: &counts) }
        // Nearly always, such as when all calls are of one user.
        guard zip(turns, turns.dropFirst()).contains(where: >) else { return Array(waiting) }
        let isFirstKept = { (place: Int) in keepingFirst && place == 0 }
        return zip(turns, waiting).enumerated().sorted { left, right in
            (isFirstKept(left.offset) ? -1 : left.element.0, left.offset)
                < (isFirstKept(right.offset) ? -1 : right.element.0, right.offset)
        }.map(\.element.1)
    }

    private func turn(of waiting: WaitingCall, after counts: inout [ByteKey: Int]) -> Int {
        guard let user = waiting.call.user else { return 0 }
        defer { counts[user, default: 0] += 1 }
        return counts[user] ?? 0
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

    init() {}

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
