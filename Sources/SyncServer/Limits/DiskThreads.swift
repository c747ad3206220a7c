import NIOPosix

/// Runs blocking operations on files, on threads of the server that end with it.
package struct DiskThreads: Sendable {
    private let threads: NIOThreadPool

    init(_ threads: NIOThreadPool) {
        self.threads = threads
    }

    /// Runs `body` when a thread is free. Throws `CancellationError` if the server has stopped.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await threads.runIfActive { try body() }
    }

    /// Starts `body` and does not wait for it. Once the server has stopped, the caller runs it.
    package func start(_ body: @escaping @Sendable () -> Void) {
        threads.submit { _ in body() }
    }
}
