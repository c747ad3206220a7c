import SyncEngine
import Synchronization

/// Decides in which environments transactions may presume absent the rows that calls expect to be
/// absent.
///
/// A wrong presumption costs a transaction: it is rolled back and repeated. After an interruption,
/// many clients repeat their changes, so nothing is presumed for a while after a wrong presumption.
final class Presumptions: Sendable {
    private let pause: Duration
    private let wrong = Mutex<[EnvironmentID: ContinuousClock.Instant]>([:])
    /// Environments whose last transaction has found that no record was purged.
    private let unpurged = Mutex<Set<EnvironmentID>>([])

    init(pause: Duration) { self.pause = pause }

    func areAllowed(
        in environment: EnvironmentID, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        wrong.withLock { wrong in wrong[environment].map { $0 + pause <= now } ?? true }
    }

    /// Whether records may have been purged, most likely.
    func mayBePurged(in environment: EnvironmentID) -> Bool {
        unpurged.withLock { !$0.contains(environment) }
    }

    func note(_ state: CurrentState, in environment: EnvironmentID) {
        unpurged.withLock { unpurged in
            if state.moment.purgeHorizon > 0 {
                unpurged.remove(environment)
            } else {
                unpurged.insert(environment)
            }
        }
    }

    func noteWrong(in environment: EnvironmentID, at now: ContinuousClock.Instant = .now) {
        wrong.withLock { $0[environment] = now }
    }
}

/// The presumptions of one transaction.
final class PresumptionUse: Sendable {
    /// Whether records may have been purged, most likely.
    let mayBePurged: Bool
    private let isUsed = Atomic(false)

    init(mayBePurged: Bool) { self.mayBePurged = mayBePurged }

    /// Whether anything was presumed.
    var hasPresumed: Bool { isUsed.load(ordering: .acquiring) }

    func note(_ hasPresumed: Bool) { isUsed.store(hasPresumed, ordering: .releasing) }
}
