import SyncEngine
import Synchronization

/// Whether other processes write to an environment, as far as the transactions of this process
/// show: they found another sequence than the one before them had left.
final class OtherWriters: Sendable {
    private struct Observation {
        let leftSequence: Int64
        let othersWrote: Bool
    }

    private let observations = Mutex<[EnvironmentID: Observation]>([:])

    /// Whether another process wrote between the last two transactions of this one.
    func haveWritten(in environment: EnvironmentID) -> Bool {
        observations.withLock { $0[environment]?.othersWrote ?? false }
    }

    /// Notes the sequence that a transaction found, and the one that it leaves.
    func note(found: Int64, left: Int64, in environment: EnvironmentID) {
        observations.withLock { observations in
            let expected = observations[environment]?.leftSequence ?? found
            observations[environment] = Observation(
                leftSequence: left, othersWrote: found != expected)
        }
    }
}
