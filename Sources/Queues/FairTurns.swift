import Synchronization

/// Limits how much work runs at the same time. Groups, such as users, share the turns fairly.
///
/// One group has a part of the turns at most, so its work never keeps that of others waiting for
/// its end. Further work waits in a `FairQueue`. Several queues take turns, too.
package final class FairTurns: Sendable {
    /// Why work does not begin.
    package enum Refusal: Error {
        /// Too much work waits.
        case full
        case stopping
        case cancelled
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - turns: The maximum number at the same time.
    ///   - maxOfGroup: The maximum number of one group at the same time; half of the turns if it is
    ///     not given.
    ///   - maxWaiting: The maximum number that waits in each queue.
    package init(turns: Int, maxOfGroup: Int? = nil, maxWaiting: Int, queues: Int = 1) {
        state = Mutex(
            State(
                free: turns, maxOfGroup: maxOfGroup ?? max(1, turns / 2),
                queues: Array(repeating: FairQueue(maxCount: maxWaiting), count: queues)))
    }

    /// The number that waits.
    package var waitingCount: Int { state.withLock { $0.queues.reduce(0) { $0 + $1.count } } }

    package var isStopping: Bool { state.withLock(\.isStopping) }

    /// Begins a turn at once if the group may have one. Call `leave` afterwards if it did.
    package func enterIfFree(_ origin: WaitOrigin) -> Bool {
        state.withLock { $0.beginIfFree(origin.group) }
    }

    /// Waits for a turn. Call `leave` afterwards, unless this throws.
    package func enter(_ origin: WaitOrigin, in queue: Int = 0) async throws(Refusal) {
        let ticket = WaitTicket()
        let refusal = await withTaskCancellationHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let ended = state.withLock { $0.admit(waiter, ticket, of: origin, in: queue) }
                if let ended { ended.waiter.resume(returning: ended.refusal) }
            }
        } onCancel: {
            state.withLock { $0.remove(ticket) }?.resume(returning: .cancelled)
        }
        if let refusal { throw refusal }
    }

    /// Gives the turn to the next one.
    package func leave(_ origin: WaitOrigin) {
        state.withLock { $0.next(after: origin.group) }?.resume(returning: nil)
    }

    /// Refuses all work that waits, and from now on all that would have to wait.
    package func stop() {
        for waiter in state.withLock({ $0.stop() }) { waiter.resume(returning: .stopping) }
    }
}

/// Gets nil when its turn begins.
private typealias Waiter = CheckedContinuation<FairTurns.Refusal?, Never>

private struct State {
    struct Waiting: Sendable {
        let group: String
        let waiter: Waiter
    }

    var free: Int
    let maxOfGroup: Int
    var queues: [FairQueue<Waiting>]
    /// The turns of each group.
    var running: [String: Int] = [:]
    /// The queue whose turn it was.
    var lastQueue = 0
    var isStopping = false

    /// Returns the waiter that need not wait, or no longer waits: the given one, or one that
    /// gave up its place. A task that was cancelled before is detected here, because the
    /// cancellation handler could not find it.
    mutating func admit(
        _ waiter: Waiter, _ ticket: WaitTicket, of origin: WaitOrigin, in queue: Int
    ) -> (waiter: Waiter, refusal: FairTurns.Refusal?)? {
        if Task.isCancelled { return (waiter, .cancelled) }
        if beginIfFree(origin.group) { return (waiter, nil) }
        if isStopping { return (waiter, .stopping) }
        return queues[queue].append(
            Waiting(group: origin.group, waiter: waiter), ticket, of: origin
        ).map { ($0.waiter, .full) }
    }

    mutating func beginIfFree(_ group: String) -> Bool {
        guard free > 0, running[group, default: 0] < maxOfGroup else { return false }
        begin(group)
        return true
    }

    private mutating func begin(_ group: String) {
        free -= 1
        running[group, default: 0] += 1
    }

    /// Ends a turn of a group, and begins the turn of the returned waiter. There is at most one
    /// waiter whose group may have a turn now and could have none before.
    mutating func next(after group: String) -> Waiter? {
        free += 1
        let rest = running[group, default: 1] - 1
        running[group] = rest == 0 ? nil : rest
        let next = popFirst()
        if let next { begin(next.group) }
        return next?.waiter
    }

    private mutating func popFirst() -> Waiting? {
        lastQueue = (lastQueue + 1) % queues.count
        let (running, maxOfGroup) = (running, maxOfGroup)
        for offset in queues.indices {
            let next = queues[(lastQueue + offset) % queues.count].popFirst {
                running[$0.group, default: 0] < maxOfGroup
            }
            if let next { return next }
        }
        return nil
    }

    mutating func remove(_ ticket: WaitTicket) -> Waiter? {
        for index in queues.indices {
            if let found = queues[index].remove(ticket) { return found.waiter }
        }
        return nil
    }

    mutating func stop() -> [Waiter] {
        isStopping = true
        return queues.indices.flatMap { queues[$0].removeAll().map(\.waiter) }
    }
}
