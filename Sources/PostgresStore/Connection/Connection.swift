import Dispatch

/// A connection with a thread of its own, on which everything is done that waits for the server:
/// nobody else waits for it.
actor Connection {
    private nonisolated let thread = ConnectionThread()
    private var server: PGConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Connects, and readies the connection with some statements. Throws `unreachable`, or why a
    /// statement was refused.
    func open(_ address: String, patienceSeconds: Int32, readying: [Statement]) throws {
        let server = try PGConnection(address, patienceSeconds: patienceSeconds)
        _ = try server.exchange(readying)
        self.server = server
    }

    func close() { server = nil }

    var isGood: Bool { server?.isGood ?? false }

    /// What `body` gives, and whether the connection is still good.
    func run<Value: Sendable>(
        _ body: @Sendable (PGConnection) throws -> Value
    ) -> (result: Result<Value, any Error>, isGood: Bool) {
        guard let server else {
            return (.failure(Failure.lost("it was closed")), false)
        }
        let result = Result { try body(server) }
        return (result, server.isGood)
    }
}

private final class ConnectionThread: SerialExecutor {
    private let queue = DispatchQueue(label: "waggle.postgres")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
