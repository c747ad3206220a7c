import Queues
import Synchronization

/// An HTTP client based on libcurl.
///
/// On Linux, Foundation's URL loading ends the process if a connection breaks in the middle of an
/// answer's head. Redirects are not followed, and no state is kept, cookies included.
package final class HTTPCaller: Sendable {
    private let limits: HTTPLimits
    private let turns: FairTurns
    private let idle = Mutex<[CurlWorker]>([])

    package init(_ limits: HTTPLimits) {
        self.limits = limits
        turns = FairTurns(turns: limits.calls, maxOfGroup: limits.calls, maxWaiting: .max)
    }

    /// Throws if there is no complete answer within the limits. If the task is cancelled, the call
    /// ends within about a second.
    package func call(_ call: HTTPCall) async throws(HTTPCallFailure) -> HTTPAnswer {
        do throws(FairTurns.Refusal) {
            try await turns.enter(WaitOrigin())
        } catch {
            throw .isUnwanted
        }
        defer { turns.leave(WaitOrigin()) }
        let worker = idle.withLock { $0.popLast() } ?? CurlWorker(limits)
        let end = CallCancellation()
        let result = await withTaskCancellationHandler {
            await worker.perform(call, until: end)
        } onCancel: {
            end.cancel()
        }
        idle.withLock { $0.append(worker) }
        return try result.get()
    }
}
