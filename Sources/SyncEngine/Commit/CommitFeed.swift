import Synchronization

/// Announces to waiting tasks how far the commits of an environment have come.
///
/// The queue of commits announces those of this process. Those of other processes on the same
/// database are announced when `Store.announceCommits` notices them.
package final class CommitFeed: Sendable {
    private struct Followers {
        var lastSequence: Int64 = 0
        var streams: [Int: AsyncStream<Int64>.Continuation] = [:]
    }

    private struct State {
        /// By environment; only environments that somebody follows.
        var followers: [EnvironmentID: Followers] = [:]
        var lastStream = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns the sequence of the environment's last change after each commit from now on. A slow
    /// reader gets the latest one only. The stream ends when the reader stops.
    package func sequences(of environment: EnvironmentID) -> AsyncStream<Int64> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Int64.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastStream += 1
            state.followers[environment, default: Followers()].streams[state.lastStream] =
                continuation
            return state.lastStream
        }
        continuation.onTermination = { [weak self] _ in self?.remove(number, of: environment) }
        return stream
    }

    /// The environments that somebody follows.
    package var followedEnvironments: [EnvironmentID] {
        state.withLock { Array($0.followers.keys) }
    }

    /// Ignores a sequence that is not higher than an earlier one.
    package func announce(_ sequence: Int64, in environment: EnvironmentID) {
        let streams = state.withLock { state -> [AsyncStream<Int64>.Continuation] in
            guard let followers = state.followers[environment], sequence > followers.lastSequence
            else { return [] }
            state.followers[environment]?.lastSequence = sequence
            return Array(followers.streams.values)
        }
        for stream in streams { stream.yield(sequence) }
    }

    private func remove(_ number: Int, of environment: EnvironmentID) {
        state.withLock { state in
            state.followers[environment]?.streams[number] = nil
            if state.followers[environment]?.streams.isEmpty == true {
                state.followers[environment] = nil
            }
        }
    }
}

extension Store {
    /// Announces commits of other processes to those who follow them. It reads one row of each
    /// followed environment.
    package func announceCommits() async throws(StoreError) {
        for environment in commits.feed.followedEnvironments {
            let last = try await search(in: environment, readingNames: false) {
                try $0.currentState().moment.sequence
            }
            commits.feed.announce(last, in: environment)
        }
    }
}

extension Engine {
    /// Returns the sequence of the environment's last change after each commit from now on, of any
    /// process. The stream ends when the reader stops.
    package func commits() -> AsyncStream<Int64> { store.commits.feed.sequences(of: environment) }
}
