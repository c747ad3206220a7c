import Queues

extension FairTurns {
    /// Runs `body` in a turn. Throws the error of `full` if too much work waits, `stopping` if the
    /// server stops before, and `CancellationError` if the task is cancelled before.
    func run<Value>(
        as origin: WaitOrigin, in queue: Int = 0, orThrow full: @autoclosure () -> HTTPFailure,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do throws(Refusal) {
            try await enter(origin, in: queue)
        } catch {
            switch error {
            case .full: throw full()
            case .stopping: throw HTTPFailure.stopping()
            case .cancelled: throw CancellationError()
            }
        }
        defer { leave(origin) }
        return try await body()
    }
}
