import NIOConcurrencyHelpers
import Queues

/// The sign-ins that wait for their turn, because verifying a password is slow by design.
///
/// Users on devices that have signed in before have places of their own, and every second turn, so
/// a flood of sign-ins by strangers delays them only a little. The places of all others are divided
/// fairly between addresses, and those of an address between logins: a flood from one address
/// refuses none from another.
final class PasswordQueue: Sendable {
    /// A user or a stranger who waits.
    enum Applicant: Hashable {
        /// A user on a device that has signed in before.
        case user(String)
        case address(String, user: String)
    }

    /// The maximum number that waits, of known devices and of others.
    static let maxWaiting = 256

    private let state: NIOLockedValueBox<State>

    /// - Parameter turns: The maximum number of sign-ins at the same time.
    init(turns: Int, maxWaiting: Int = PasswordQueue.maxWaiting) {
        state = NIOLockedValueBox(State(turns: turns, maxWaiting: maxWaiting))
    }

    /// Waits for a turn. Throws `overloaded` if there is no place, `stopping` if the server stops
    /// before, and `CancellationError` if the task is cancelled. Call `leave` afterwards, unless
    /// this throws.
    func enter(_ applicant: Applicant) async throws {
        let ticket = WaitTicket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                switch state.withLockedValue({ $0.admit(waiter, ticket, as: applicant) }) {
                case .turn: waiter.resume()
                case .refused(let error): waiter.resume(throwing: error)
                case .place(let evicted):
                    evicted?.resume(throwing: HTTPFailure.overloaded(retryAfterSeconds: 1))
                }
            }
        } onCancel: {
            let waiter = state.withLockedValue { $0.remove(ticket) }
            waiter?.resume(throwing: CancellationError())
        }
    }

    /// Gives the turn to the next one.
    func leave() {
        let next = state.withLockedValue { $0.next() }
        next?.resume()
    }

    /// Refuses all sign-ins that wait, and later ones that would have to.
    func stop() {
        for waiter in state.withLockedValue({ $0.stop() }) {
            waiter.resume(throwing: HTTPFailure.stopping())
        }
    }

    /// The number that waits.
    var waitingCount: Int {
        state.withLockedValue { $0.known.count + $0.others.count }
    }
}

private typealias Waiter = CheckedContinuation<Void, any Error>

private enum Admission {
    case turn
    case refused(any Error)
    /// A place in the queue, for which another one, or the newcomer itself, had to leave.
    case place(evicting: Waiter?)
}

private struct State {
    var freeTurns: Int
    var known: FairQueue<Waiter>
    var others: FairQueue<Waiter>
    private var isTurnOfOthers = false
    private var isStopping = false

    init(turns: Int, maxWaiting: Int) {
        freeTurns = turns
        known = FairQueue(maxCount: maxWaiting)
        others = FairQueue(maxCount: maxWaiting)
    }

    mutating func admit(
        _ waiter: Waiter, _ ticket: WaitTicket, as applicant: PasswordQueue.Applicant
    ) -> Admission {
        if Task.isCancelled { return .refused(CancellationError()) }
        guard freeTurns == 0 else {
            freeTurns -= 1
            return .turn
        }
        if isStopping { return .refused(HTTPFailure.stopping()) }
        return switch applicant {
        case .user(let user):
            .place(
                evicting: known.append(waiter, ticket, of: WaitOrigin(group: user, member: "")))
        case .address(let address, let user):
            .place(
                evicting: others.append(
                    waiter, ticket, of: WaitOrigin(group: address, member: user)))
        }
    }

    /// The one that takes over a turn; nil if nobody waits.
    mutating func next() -> Waiter? {
        isTurnOfOthers.toggle()
        let next =
            isTurnOfOthers
            ? others.popFirst() ?? known.popFirst() : known.popFirst() ?? others.popFirst()
        if next == nil { freeTurns += 1 }
        return next
    }

    mutating func stop() -> [Waiter] {
        isStopping = true
        var all: [Waiter] = []
        while let found = known.popFirst() ?? others.popFirst() { all.append(found) }
        return all
    }

    mutating func remove(_ ticket: WaitTicket) -> Waiter? {
        known.remove(ticket) ?? others.remove(ticket)
    }
}
