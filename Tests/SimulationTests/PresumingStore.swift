import SyncEngine
import Synchronization

/// Carries out transactions that presume absent the rows that calls expect to be absent, as the
/// stores of SQLite and PostgreSQL do. One that presumed wrongly is repeated.
final class PresumingStore: CommitStore {
    enum Retry {
        /// With all lookups.
        case looking
        /// With the same presumptions, and without writing anything.
        case believing
    }

    private let store: any Store
    private let retry: Retry
    private let mayBePurged: Bool
    private let isRepeating = Mutex(false)
    private let counts = Mutex((presumed: 0, wrong: 0))

    init(_ store: any Store, retry: Retry = .looking, mayBePurged: Bool = true) {
        self.store = store
        self.retry = retry
        self.mayBePurged = mayBePurged
    }

    /// How many transactions presumed something, and how many of them were wrong.
    var transactions: (presumed: Int, wrong: Int) { counts.withLock { $0 } }

    /// Whether calls are decided again that nothing is to be written for.
    var believes: Bool { retry == .believing && isRepeating.withLock { $0 } }

    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        do throws(StoreError) {
            return try await presuming(in: environment, deciding)
        } catch .failed {
            counts.withLock { $0.wrong += 1 }
            isRepeating.withLock { $0 = true }
            defer { isRepeating.withLock { $0 = false } }
            return switch retry {
            case .looking: try await store.commit(in: environment, deciding: deciding)
            case .believing:
                try await store.commit(in: environment) { [mayBePurged] transaction in
                    try deciding(PresumingTransaction(transaction, mayBePurged: mayBePurged))
                }
            }
        }
    }

    private func presuming(
        in environment: EnvironmentID,
        _ deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        try await store.commit(in: environment) { [self] transaction in
            let presuming = PresumingTransaction(transaction, mayBePurged: mayBePurged)
            let decided = try deciding(presuming)
            if presuming.hasPresumed { counts.withLock { $0.presumed += 1 } }
            try presuming.check(decided)
            return decided
        }
    }
}
