import Queues
import Synchronization

/// Lets few pushes at once read long histories before their turn, because each keeps what it has
/// read until it is decided. Further ones wait. Users take turns.
final class HistoryReaders: Sendable {
    private typealias Waiting = CheckedContinuation<Bool, Never>

    private struct State {
        var free: Int
        var waiting: FairQueue<Waiting>
    }

    private let state: Mutex<State>

    init(places: Int, maxWaiting: Int) {
        state = Mutex(State(free: places, waiting: FairQueue(maxCount: maxWaiting)))
    }

    /// The number of those that wait.
    var waiting: Int { state.withLock(\.waiting.count) }

    /// A push's place among the readers, which ends with the last reference.
    final class Place: Sendable {
        private let readers: HistoryReaders

        fileprivate init(among readers: HistoryReaders) { self.readers = readers }

        deinit { readers.leave() }
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
        return Place(among: self)
    }

    private func enter(_ continuation: Waiting, _ ticket: WaitTicket, _ login: String) {
        let (next, isIn) = state.withLock { state -> (Waiting?, Bool) in
            if state.free > 0 {
                state.free -= 1
                return (continuation, true)
            }
            let origin = WaitOrigin(group: login, member: "")
            return (state.waiting.append(continuation, ticket, of: origin), false)
        }
        next?.resume(returning: isIn)
    }

    private func cancel(_ ticket: WaitTicket) {
        state.withLock { $0.waiting.remove(ticket) }?.resume(returning: false)
    }

    fileprivate func leave() {
        let next = state.withLock { state -> Waiting? in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume(returning: true)
    }
}
