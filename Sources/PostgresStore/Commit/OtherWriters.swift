import SyncEngine
import Synchronization

/// Other processes that write to the same environments, and how long transactions wait for them, as
/// far as the transactions of this process show.
final class OtherWriters: Sendable {
    /// The last transaction of an environment.
    private struct Observation {
        /// The sequence that it left.
        let sequence: Int64
        /// The time until it had the environment's lock, gathering included. Zero if no other
        /// process had written since the transaction before.
        let wait: Duration
    }

    private static let longestGathering = Duration.milliseconds(4)

    private let observations = Mutex<[EnvironmentID: Observation]>([:])

    /// The time for which calls gather before a transaction asks for the lock: half of the time
    /// that the last one needed to get it, and at most 4 ms. Calls that come later are read
    /// separately, under the lock.
    func gatheringTime(in environment: EnvironmentID) -> Duration {
        let wait = observations.withLock { $0[environment]?.wait ?? .zero }
        return min(wait / 2, Self.longestGathering)
    }

    /// Notes the sequence that a transaction found, the one that it leaves, and the time until it
    /// had the lock.
    func note(
        found: Int64, left: Int64, after wait: Duration, in environment: EnvironmentID
    ) {
        observations.withLock { observations in
            let expected = observations[environment]?.sequence ?? found
            observations[environment] = Observation(
                sequence: left, wait: found == expected ? .zero : wait)
        }
    }
}
