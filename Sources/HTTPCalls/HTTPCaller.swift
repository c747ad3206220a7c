import Queues
import Synchronization

/// An HTTP client based on libcurl.
///
/// On Linux, Foundation's URL loading ends the process if a connection breaks in the middle of an
/// answer's head. Redirects are not followed, and no state is kept, cookies included.
package final class HTTPCaller: Sendable {
    private let lines: CurlWorkerPool

    package init(_ limits: HTTPLimits) {
        lines = CurlWorkerPool(limits)
    }

    /// Throws if there is no complete answer within the limits. If the task is cancelled, the call
    /// ends within about a second.
    package func call(_ call: HTTPCall) async throws(HTTPCallFailure) -> HTTPAnswer {
        guard let line = await lines.take() else { throw .isUnwanted }
        let end = CallCancellation()
        let result = await withTaskCancellationHandler {
            await line.perform(call, until: end)
        } onCancel: {
            end.cancel()
        }
        lines.release(line)
        return try result.get()
    }
}

/// A pool of at most `calls` workers.
private final class CurlWorkerPool: Sendable {
    private typealias Waiter = CheckedContinuation<CurlWorker?, Never>

    private struct State {
        var idle: [CurlWorker] = []
        /// Including workers in use.
        var count = 0
        var waiting = WaitQueue<Waiter>()
    }

    private enum Turn {
        case take(CurlWorker?)
        case wait
    }

    private let limits: HTTPLimits
    private let state = Mutex(State())

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    /// Nil if the task is cancelled.
    func take() async -> CurlWorker? {
        let ticket = WaitTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                switch state.withLock({ next(&$0, ticket, continuation) }) {
                case .take(let line): continuation.resume(returning: line)
                case .wait: break
                }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// A task that was cancelled before it is queued is detected here, because the cancellation
    /// handler could not find it.
    private func next(
        _ state: inout State, _ ticket: WaitTicket,
        _ continuation: Waiter
    ) -> Turn {
        if Task.isCancelled { return .take(nil) }
        if let line = state.idle.popLast() { return .take(line) }
        guard state.count >= limits.calls else {
            state.count += 1
            return .take(CurlWorker(limits))
        }
        state.waiting.append(continuation, ticket)
        return .wait
    }

    private func cancel(_ ticket: WaitTicket) {
        state.withLock { $0.waiting.remove(ticket) }?.resume(returning: nil)
    }

    func release(_ line: CurlWorker) {
        let turn = state.withLock { state -> Waiter? in
            let next = state.waiting.popFirst()
            if next == nil { state.idle.append(line) }
            return next
        }
        turn?.resume(returning: line)
    }
}
