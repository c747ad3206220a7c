import NIOConcurrencyHelpers
import Queues

/// The turns of expensive requests, shared fairly between users.
///
/// One user has at most half of the turns, so the requests of one user never keep those of another
/// waiting for their end. Users take turns with what waits.
final class WorkQueue: Sendable {
    /// The maximum number of requests that wait.
    static let maxWaiting = 256

    private let state: NIOLockedValueBox<State>

    /// - Parameter turns: The maximum number of requests at the same time, at least 2.
    init(turns: Int, maxWaiting: Int = WorkQueue.maxWaiting) {
        state = NIOLockedValueBox(State(turns: turns, maxWaiting: maxWaiting))
    }

    /// Runs `body` when it is the user's turn. Throws `tooMuchWork` if there is no place in the
    /// queue, `stopping` if the server stops before, and `CancellationError` if the task is
    /// cancelled before.
    func withTurn<Value>(
        of user: UserKey, _ body: () async throws -> Value
    ) async throws -> Value {
        try await enter(user)
        defer { leave(user) }
        return try await body()
    }

    /// Begins a turn at once if the user may have one. Call `leave` afterwards if it did.
    func enterIfFree(_ user: UserKey) -> Bool {
        state.withLockedValue { $0.beginIfFree(user) }
    }

    /// Waits for a turn. Call `leave` afterwards, unless this throws.
    func enter(_ user: UserKey) async throws {
        let ticket = WaitTicket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                switch state.withLockedValue({ $0.admit(waiter, ticket, of: user) }) {
                case .turn: waiter.resume()
                case .refused(let error): waiter.resume(throwing: error)
                case .place(let evicted): evicted?.resume(throwing: HTTPFailure.tooMuchWork())
                }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.remove(ticket) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Gives the turn to the next one.
    func leave(_ user: UserKey) {
        for next in state.withLockedValue({ $0.next(after: user) }) { next.resume() }
    }

    /// Refuses all requests that wait, and later ones that would have to.
    func stop() {
        for waiter in state.withLockedValue({ $0.stop() }) {
            waiter.resume(throwing: HTTPFailure.stopping())
        }
    }

    var isStopping: Bool { state.withLockedValue { $0.isStopping } }

    /// The number that waits.
    var waitingCount: Int { state.withLockedValue { $0.waiting.count } }
}

private typealias Waiter = CheckedContinuation<Void, any Error>

private enum Admission {
    case turn
    case refused(any Error)
    /// A place in the queue, for which another one, or the newcomer itself, had to leave.
    case place(evicting: Waiter?)
}

private struct State {
    /// A waiting request, which counts for its user when its turn comes.
    struct Waiting: Sendable {
        let user: UserKey
        let waiter: Waiter
    }

    private var freeTurns: Int
    private let maxOfOne: Int
    private var running: [UserKey: Int] = [:]
    private(set) var waiting: FairQueue<Waiting>
    private(set) var isStopping = false

    init(turns: Int, maxWaiting: Int) {
        freeTurns = turns
        maxOfOne = max(1, turns / 2)
        waiting = FairQueue(maxCount: maxWaiting)
    }

    mutating func admit(
        _ waiter: Waiter, _ ticket: WaitTicket, of user: UserKey
    ) -> Admission {
        if Task.isCancelled { return .refused(CancellationError()) }
        if beginIfFree(user) { return .turn }
        if isStopping { return .refused(HTTPFailure.stopping()) }
        let evicted = waiting.append(
            Waiting(user: user, waiter: waiter), ticket,
            of: WaitOrigin(group: "\(user.environment) \(user.login)", member: ""))
        return .place(evicting: evicted?.waiter)
    }

    mutating func beginIfFree(_ user: UserKey) -> Bool {
        guard freeTurns > 0, running[user, default: 0] < maxOfOne else { return false }
        begin(user)
        return true
    }

    /// Ends a turn of a user, and begins those of the returned ones.
    mutating func next(after user: UserKey) -> [Waiter] {
        freeTurns += 1
        let rest = running[user, default: 1] - 1
        running[user] = rest == 0 ? nil : rest
        var next: [Waiter] = []
        while freeTurns > 0, let found = popFirst() {
            begin(found.user)
            next.append(found.waiter)
        }
        return next
    }

    /// The next one whose user may have a turn.
    private mutating func popFirst() -> Waiting? {
        let (running, maxOfOne) = (running, maxOfOne)
        return waiting.popFirst { running[$0.user, default: 0] < maxOfOne }
    }

    private mutating func begin(_ user: UserKey) {
        freeTurns -= 1
        running[user, default: 0] += 1
    }

    mutating func remove(_ ticket: WaitTicket) -> Waiter? { waiting.remove(ticket)?.waiter }

    mutating func stop() -> [Waiter] {
        isStopping = true
        var all: [Waiter] = []
        while let found = waiting.popFirst() { all.append(found.waiter) }
        return all
    }
}
