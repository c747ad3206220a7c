import Queues

/// A connection with its own thread for all blocking calls.
actor Connection {
    private nonisolated let thread = WorkerThread(label: "waggle.postgres")
    private var server: PGConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Connects and runs statements that prepare the connection. Throws `unreachable`, or the
    /// refusal of a statement.
    func open(_ address: String, patienceSeconds: Int32, readying: [Statement]) throws {
        let server = try PGConnection(address, patienceSeconds: patienceSeconds)
        _ = try server.exchange(readying)
        self.server = server
    }

    func close() { server = nil }

    var isGood: Bool { server?.isGood ?? false }

    /// Returns the result of `body`, and whether the connection is still usable.
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
