import GRDB
package import SyncEngine

extension SQLiteDatabase {
    package func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        let start = commits.observer.map { _ in ContinuousClock.now }
        let result: Result<CommittedCalls, StoreError> = await withCheckedContinuation { caller in
            let isQueued = writing.enqueue { db in
                caller.resume(
                    returning: Result {
                        try committed(in: environment, db, deciding: deciding)
                    }.mapError { StoreError($0) })
            }
            if !isQueued { caller.resume(returning: .failure(.closed)) }
        }
        if let start { commits.observer?.committed(in: start.duration(to: .now)) }
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
