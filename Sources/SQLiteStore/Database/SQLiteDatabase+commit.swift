import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        try await commits.transaction(
            in: environment, expectsPurged: false, by: ContinuousClock()
        ) { presuming throws(StoreError) in
            try await commit(in: environment, presuming, deciding: deciding)
        }
    }

    private func commit(
        in environment: EnvironmentID, _ presuming: Presuming?,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        let result: Result<CommittedCalls, StoreError> = await withCheckedContinuation { caller in
            let isQueued = writing.enqueue { db in
                caller.resume(
                    returning: Result {
                        try committed(in: environment, db) { commit in
                            try presuming?.decide(on: commit, deciding) ?? deciding(commit)
                        }
                    }.mapError { StoreError($0) })
            }
            if !isQueued { caller.resume(returning: .failure(.closed)) }
        }
        return try result.get()
    }
}

/// Runs on the writer.
private func committed(
    in environment: EnvironmentID, _ db: Database,
    deciding: (any CommitTransaction) throws -> DecidedCalls
) throws -> CommittedCalls {
    let writer = StatementCache(db)
    let decided = try inWriteTransaction(db) {
        let commit = SQLiteCommit(in: environment, writer)
        let decided = try deciding(commit)
        for batch in decided.writes { try commit.write(batch) }
        return decided
    }
    guard decided.pageRequests.contains(where: { $0 != nil }) else {
        return CommittedCalls(calls: decided, pages: nil)
    }
    // The commit is durable, whether or not the pages can be read.
    let pages = try? atOneMoment(db) {
        let moment = CommittedMoment(writer)
        return decided.pageRequests.map { $0.flatMap(moment.littlePage) }
    }
    return CommittedCalls(calls: decided, pages: pages)
}
