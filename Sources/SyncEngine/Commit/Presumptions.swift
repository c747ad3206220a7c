import Synchronization

/// Decides in which environments transactions may presume absent the rows that calls expect to be
/// absent.
///
/// A wrong presumption costs a transaction: it is rolled back and repeated with all lookups. After
/// an interruption, many clients repeat their changes, so nothing is presumed for a while after a
/// wrong presumption.
package final class Presumptions: Sendable {
    private let pause: Duration
    private let wrong = Mutex<[EnvironmentID: ContinuousClock.Instant]>([:])
    /// Environments whose last transaction has found that no record was purged.
    private let unpurged = Mutex<Set<EnvironmentID>>([])

    /// - Parameter pause: See `CommitLimits.presumptionPause`.
    package init(pause: Duration) { self.pause = pause }

    package func areAllowed(
        in environment: EnvironmentID, at now: ContinuousClock.Instant
    ) -> Bool {
        wrong.withLock { wrong in wrong[environment].map { $0 + pause <= now } ?? true }
    }

    /// Notes whether a transaction has found that records were purged.
    package func note(_ state: CurrentState, in environment: EnvironmentID) {
        unpurged.withLock { unpurged in
            if state.moment.purgeHorizon > 0 {
                unpurged.remove(environment)
            } else {
                unpurged.insert(environment)
            }
        }
    }

    package func noteWrong(in environment: EnvironmentID, at now: ContinuousClock.Instant) {
        wrong.withLock { $0[environment] = now }
    }

    fileprivate func presuming(
        in environment: EnvironmentID, expectsPurged: Bool, at now: ContinuousClock.Instant
    ) -> Presuming? {
        guard areAllowed(in: environment, at: now) else { return nil }
        return Presuming(
            mayBePurged: expectsPurged && unpurged.withLock { !$0.contains(environment) })
    }
}

extension CommitQueue {
    /// Carries out a store's transaction, which decides by the `Presuming` it is given, and repeats
    /// it without one if it presumed wrongly. Tells the observer how long it took.
    ///
    /// - Parameter expectsPurged: Whether to look for purged records before the state of the
    ///   environment tells whether there are any, unless none was found before. It saves a store
    ///   for which each read takes long a second one.
    package func transaction(
        in environment: EnvironmentID, expectsPurged: Bool, by clock: ContinuousClock,
        _ transaction: (Presuming?) async throws(StoreError) -> CommittedCalls
    ) async throws(StoreError) -> CommittedCalls {
        let start = clock.now
        defer { observer?.committed(in: start.duration(to: clock.now)) }
        let presuming = presumptions.presuming(
            in: environment, expectsPurged: expectsPurged, at: start)
        do throws(StoreError) {
            return try await transaction(presuming)
        } catch .failed where presuming?.hasPresumed == true {
            presumptions.noteWrong(in: environment, at: clock.now)
            return try await transaction(nil)
        }
    }
}

/// How one transaction presumes.
package final class Presuming: Sendable {
    private let mayBePurged: Bool
    private let isUsed = Atomic(false)

    fileprivate init(mayBePurged: Bool) { self.mayBePurged = mayBePurged }

    /// Whether anything was presumed.
    fileprivate var hasPresumed: Bool { isUsed.load(ordering: .acquiring) }

    /// Decides, and presumes absent the rows that calls expect to be absent. Throws `failed` if one
    /// of them was stored and nothing that the calls write shows it.
    package func decide(
        on transaction: any CommitTransaction,
        _ deciding: (any CommitTransaction) throws -> DecidedCalls
    ) throws -> DecidedCalls {
        let presuming = PresumingTransaction(transaction, mayBePurged: mayBePurged)
        defer { isUsed.store(presuming.hasPresumed, ordering: .releasing) }
        let decided = try deciding(presuming)
        try presuming.check(decided)
        return decided
    }
}
