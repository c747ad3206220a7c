import Dispatch

/// A connection with a thread of its own, on which everything is done that waits for the server:
/// nobody else waits for it.
actor Connection {
    private nonisolated let thread = ConnectionThread()
    private var link: Link?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Connects, and readies the connection with some statements. Throws `unreachable`, or why a
    /// statement was refused.
    func open(_ address: String, patienceSeconds: Int32, readying: [Statement]) throws {
        let link = try Link(address, patienceSeconds: patienceSeconds)
        _ = try link.exchange(readying)
        self.link = link
    }

    func close() { link = nil }

    var isGood: Bool { link?.isGood ?? false }

    /// What `body` gives, and whether the connection is still good.
    func run<Value: Sendable>(
        _ body: @Sendable (Link) throws -> Value
    ) -> (result: Result<Value, any Error>, isGood: Bool) {
        guard let link else {
            return (.failure(Failure.lost("it was closed")), false)
        }
        let result = Result { try body(link) }
        return (result, link.isGood)
    }
}

private final class ConnectionThread: SerialExecutor {
    private let queue = DispatchQueue(label: "waggle.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
