import SyncEngine
import Synchronization

/// How long transactions wait for other processes that write to the same environment, as far as the
/// transactions of this process show.
final class OtherWriters: Sendable {
    /// What the last transaction showed.
    private struct Observation {
        /// The sequence that it left.
        let sequence: Int64
        /// How long it took to get the environment's lock, with the time to gather calls. Zero if
        /// no other process has written since the transaction before.
        let wait: Duration
    }

    private static let longestGathering = Duration.milliseconds(4)

    private let observations = Mutex<[EnvironmentID: Observation]>([:])

    /// How long calls may gather before a transaction asks for the lock: half of the time that the
    /// last one had to wait for it. Calls that come later are read separately, under the lock.
    func gatheringTime(in environment: EnvironmentID) -> Duration {
        let wait = observations.withLock { $0[environment]?.wait ?? .zero }
        return min(wait / 2, Self.longestGathering)
    }

    /// Notes the sequence that a transaction found, the one that it leaves, and how long it took to
    /// get the lock.
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
