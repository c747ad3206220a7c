import CLibCurl
import Dispatch
import Synchronization

/// One call after another, on a thread of its own, since libcurl waits for the server.
actor Line {
    private nonisolated let thread = LineThread()
    private let limits: HTTPLimits
    private var handle: CurlHandle?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    func perform(_ call: HTTPCall, until end: CallEnd) -> Result<HTTPAnswer, HTTPCallFailure> {
        guard !end.hasCome else { return .failure(.isUnwanted) }
        guard let handle = handle ?? CurlHandle() else {
            return .failure(HTTPCallFailure(reason: "libcurl has no memory"))
        }
        self.handle = handle
        return handle.perform(call, limits, until: end)
    }
}

private final class LineThread: SerialExecutor {
    private let queue = DispatchQueue(label: "waggle.http")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

/// Comes when nobody waits for the answer any more.
final class CallEnd: Sendable {
    private let isHere = Atomic(false)

    func come() { isHere.store(true, ordering: .relaxed) }

    var hasCome: Bool { isHere.load(ordering: .relaxed) }
}

extension HTTPCallFailure {
    static let isUnwanted = HTTPCallFailure(reason: "nobody waits for the answer any more")

    init(reason: String) {
        self.init(reason: reason, details: reason)
    }
}
