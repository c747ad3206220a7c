import CLibCurl
import Queues
import Synchronization

/// Performs calls one at a time on a thread of its own, since libcurl blocks.
actor CurlWorker {
    private nonisolated let thread = WorkerThread(label: "waggle.http")
    private let limits: HTTPLimits
    private var handle: CurlHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    func perform(
        _ call: HTTPCall, until end: CallCancellation
    ) -> Result<HTTPAnswer, HTTPCallFailure> {
        guard !end.isCancelled else { return .failure(.isUnwanted) }
        guard let handle = handle ?? CurlHandle() else {
            return .failure(HTTPCallFailure(reason: "libcurl has no memory"))
        }
        self.handle = handle
        return handle.perform(call, limits, until: end)
    }
}

/// Set when the caller no longer waits for the answer.
final class CallCancellation: Sendable {
    private let flag = Atomic(false)

    func cancel() { flag.store(true, ordering: .relaxed) }

    var isCancelled: Bool { flag.load(ordering: .relaxed) }
}

extension HTTPCallFailure {
    static let isUnwanted = HTTPCallFailure(reason: "nobody waits for the answer any more")

    init(reason: String) {
        self.init(reason: reason, details: reason)
    }
}
