import Queues
import Synchronization

/// Lets few pushes at once read long histories before their turn, because each keeps what it has
/// read until it is decided. Further ones wait.
///
/// One user has at most half of the places, so the long reads of one user never keep those of
/// another waiting for their end. Users take turns with what waits.
final class HistoryReaders: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct Waiting: Sendable {
        let login: String
        let waiter: Waiter
    }

    private struct State {
        var free: Int
        let maxOfOne: Int
        /// The places of each user, by login.
        var taken: [String: Int] = [:]
        var waiting: FairQueue<Waiting>

        func mayBegin(_ login: String) -> Bool { free > 0 && taken[login, default: 0] < maxOfOne }

        mutating func begin(_ login: String) {
            free -= 1
            taken[login, default: 0] += 1
        }

        mutating func end(_ login: String) {
            free += 1
            let rest = taken[login, default: 1] - 1
            taken[login] = rest == 0 ? nil : rest
        }

        /// Begins the next one whose user may have a place.
        mutating func beginNext() -> Waiter? {
            guard free > 0 else { return nil }
            let (taken, maxOfOne) = (taken, maxOfOne)
            let next = waiting.popFirst { taken[$0.login, default: 0] < maxOfOne }
            if let next { begin(next.login) }
            return next?.waiter
        }
    }

    private let state: Mutex<State>

    init(places: Int, maxWaiting: Int) {
        state = Mutex(
            State(
                free: places, maxOfOne: max(1, places / 2),
                waiting: FairQueue(maxCount: maxWaiting)))
    }

    /// The number of those that wait.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// A push's place among the readers, which ends with the last reference.
    final class Place: Sendable {
        private let readers: HistoryReaders
        private let login: String

        fileprivate init(of login: String, among readers: HistoryReaders) {
            self.login = login
            self.readers = readers
        }

        deinit { readers.leave(login) }
    }

    /// Waits for a place. Throws `busy` if too many wait, and `cancelled` if the task is cancelled.
    func place(for login: String) async throws(StoreError) -> Place {
        let ticket = WaitTicket()
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(continuation, ticket, login)
                // A cancellation before this line finds nothing to remove.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
        guard isIn else { throw Task.isCancelled ? StoreError.cancelled : .busy }
        return Place(of: login, among: self)
    }

    private func enter(_ waiter: Waiter, _ ticket: WaitTicket, _ login: String) {
        let (next, isIn) = state.withLock { state -> (Waiter?, Bool) in
            if state.mayBegin(login) {
                state.begin(login)
                return (waiter, true)
            }
            let evicted = state.waiting.append(
                Waiting(login: login, waiter: waiter), ticket,
                of: WaitOrigin(group: login, member: ""))
            return (evicted?.waiter, false)
        }
        next?.resume(returning: isIn)
    }

    private func cancel(_ ticket: WaitTicket) {
        state.withLock { $0.waiting.remove(ticket) }?.waiter.resume(returning: false)
    }

    fileprivate func leave(_ login: String) {
        let next = state.withLock { state in
            state.end(login)
            return state.beginNext()
        }
        next?.resume(returning: true)
    }
}
