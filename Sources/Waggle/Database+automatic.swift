extension Database {
    /// Syncs now, soon after each edit, and otherwise once in each interval, until the task that it
    /// runs in is cancelled; then it returns. With an interval of zero it syncs without a pause.
    ///
    /// After a temporary failure it tries again with a growing, randomized pause: at most the
    /// interval or 300 seconds, whichever is longer, and at least as long as the server asks.
    /// Throws a failure that is not temporary, such as that nobody is logged in: see
    /// ``SyncFailure/isTemporary``.
    public func syncAutomatically(
        every interval: Duration = .seconds(60)
    ) async throws(SyncFailure) {
        var failures = 0
        while !Task.isCancelled {
            // Subscribed before the sync, so that an edit made during it starts the next one. Each
            // wait needs a new stream, since a stream ends with the task that waits for it.
            let edits = edits()
            do {
                try await sync()
                failures = 0
            } catch {
                if Task.isCancelled { return }
                guard error.isTemporary else { throw error }
                failures += 1
                await waiting(for: backoff(after: failures, error, upTo: interval), orFor: nil)
                continue
            }
            await waiting(for: interval, orFor: edits)
        }
    }

    /// The pause after a failure in seconds: it begins at one second, doubles with each failure, is
    /// randomized between half and all of that, and is at least as long as the server asks.
    private func backoff(
        after failures: Int, _ failure: SyncFailure, upTo interval: Duration
    ) -> Duration {
        let doubled = Duration.seconds(1 << min(failures - 1, 10))
        let pause = min(doubled, max(interval, .seconds(300))) * Double.random(in: 0.5...1)
        guard case .busy(let seconds) = failure else { return pause }
        return max(pause, .seconds(seconds))
    }

    private func waiting(for pause: Duration, orFor edits: AsyncStream<Void>?) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: pause) }
            if let edits {
                group.addTask {
                    for await _ in edits { return }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
