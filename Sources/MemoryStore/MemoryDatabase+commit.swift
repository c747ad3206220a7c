package import SyncEngine

extension MemoryDatabase {
    package func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) throws(StoreError) -> CommittedCalls {
        try write(in: environment) { environment throws(StoreError) in
            let commit = MemoryCommit(environment)
            let decided = try translating {
                let decided = try deciding(commit)
                for batch in decided.writes { try commit.write(batch) }
                return decided
            }
            environment = commit.environment
            let written = environment
            return CommittedCalls(
                calls: decided, pages: decided.pageRequests.map { $0.map(written.page) })
        }
    }
}

/// A transaction on a copy of the environment.
private final class MemoryCommit: CommitTransaction {
    private(set) var environment: Environment

    /// Always 0: this store has no time limit on transactions.
    let elapsedMilliseconds: Int64 = 0

    init(_ environment: Environment) { self.environment = environment }

    func read(_ request: BatchRead) -> BatchRows { environment.rows(of: request) }

    func write(_ batch: WriteBatch) throws { try environment.write(batch) }
}
