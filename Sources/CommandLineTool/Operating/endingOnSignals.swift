import UnixSignals

/// Runs `body`, and cancels it when the process is asked to end, so that it can tidy up.
func endingOnSignals<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    // Before anything is written.
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            for await _ in signals { break }
            return nil
        }
        var value = try await group.next() ?? nil
        group.cancelAll()
        if let value { return value }
        do {
            value = try await group.next() ?? nil
        } catch {
            throw ToolFailure(.machineFailed, "interrupted", help: "nothing was left behind")
        }
        // It had ended before it could be cancelled.
        guard let value else { throw CancellationError() }
        return value
    }
}
