import Foundation
package import SyncEngine

/// A transaction that locks its environment. Writes do not wait for the server: a read or the
/// commit throws its refusal.
final class PostgresCommit: CommitTransaction {
    private let environment: EnvironmentID
    private let transaction: PGTransaction
    /// Whether it probably waits for other processes.
    private let expectsWait: Bool
    private let beginning = ContinuousClock.now
    private var isLocked = false
    /// The time until it had the lock and the rows of the first read; zero before.
    private(set) var wait = Duration.zero
    /// Nil before the lock, and once something was written.
    private var unchangedState: CurrentState?
    /// Nil until it was read with the lock, which keeps it as it is.
    private var accounts: Int64?
    private var unsent: [WriteBatch] = []
    /// The environment's state when it was first read.
    private(set) var foundState: CurrentState?

    init(
        in environment: EnvironmentID, _ transaction: PGTransaction, expectsWait: Bool
    ) {
        self.environment = environment
        self.transaction = transaction
        self.expectsWait = expectsWait
    }

    var totalMilliseconds: Int64 {
        Int64((ContinuousClock.now - beginning) / Duration.milliseconds(1))
    }

    /// The first read counts if it probably did not wait.
    var elapsedMilliseconds: Int64 {
        totalMilliseconds - (expectsWait ? Int64(wait / Duration.milliseconds(1)) : 0)
    }

    /// Takes one round trip, and more only for `recordsNamingFiles`.
    func read(_ request: BatchRead) throws -> BatchRows {
        var asked = request
        let isUnchanged = unsent.isEmpty && (unchangedState != nil || !isLocked)
        if isUnchanged { asked.readsState = false }
        let queries = asked.queries(in: environment)
        var results = try exchange(queries.flatMap(\.statements))[...]
        var rows = BatchRows()
        if isUnchanged, request.readsState { rows.state = unchangedState }
        for query in queries {
            try query.take(Array(results.prefix(query.statements.count)), &rows)
            results = results.dropFirst(query.statements.count)
        }
        rows.state?.accounts = accounts
        foundState = foundState ?? rows.state
        rows.recordsNamingFiles = try recordsNaming(
            request.recordsNamingFiles, in: environment, transaction)
        return rows
    }

    /// The server begins to write at once, unless a result must be checked first.
    func write(_ batch: WriteBatch) throws {
        unsent.append(batch)
        guard isLocked, !needsCheck else { return }
        try transaction.begin(unsentStatements)
        noteSent()
    }

    /// Defers the last writes to the commit, unless a result must be checked first.
    func finish(_ batches: [WriteBatch]) throws {
        unsent += batches
        guard isLocked, !needsCheck else {
            _ = try exchange([])
            return
        }
        transaction.later(unsentStatements)
    }

    /// Locks the environment first, and sends deferred writes.
    private func exchange(_ statements: [Statement]) throws -> [Rows] {
        let locking = isLocked ? [] : [lockAndState(of: environment)]
        let writing = unsentStatements
        let rows = try transaction.rows(of: locking + writing + statements)
        if !isLocked { try noteLocked(rows[0]) }
        try checkFreedValues(rows.dropFirst(locking.count))
        noteSent()
        return Array(rows.dropFirst(locking.count + writing.count))
    }

    private var needsCheck: Bool { unsent.contains { !$0.freedValues.isEmpty } }

    private func noteSent() {
        if !unsent.isEmpty { unchangedState = nil }
        unsent = []
    }

    private func noteLocked(_ rows: Rows) throws {
        guard var row = rows.first else { throw StoreError.environmentGone }
        isLocked = true
        wait = ContinuousClock.now - beginning
        try transaction.note(number: try row.int64())
        unchangedState = try CurrentState(optional: &row)
        if unchangedState == nil {
            let rows = try transaction.rows(of: [currentState(of: environment)])
            unchangedState = try CurrentState(rows[0])
        } else {
            accounts = try row.int64()
            unchangedState?.accounts = accounts
        }
    }

    private var unsentStatements: [Statement] {
        unsent.flatMap { $0.statements(in: environment) }
    }

    private func checkFreedValues(_ rows: ArraySlice<Rows>) throws {
        var rows = rows
        for batch in unsent {
            if !batch.freedValues.isEmpty, let freed = rows.first {
                try checkFreed(batch.freedValues, freed)
            }
            rows = rows.dropFirst(batch.statements(in: environment).count)
        }
    }
}

extension PostgresDatabase {
    package func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        try await commits.transaction(
            in: environment, expectsPurged: true, by: ContinuousClock()
        ) { presuming throws(StoreError) in
            try await commit(in: environment, presuming, deciding: deciding)
        }
    }

    private func commit(
        in environment: EnvironmentID, _ presuming: Presuming?,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        let (others, sessions, presumptions) = (otherWriters, sessions, commits.presumptions)
        return try await writeLocked(
            notesNumber: true,
            { transaction in
                let gathering = others.gatheringTime(in: environment)
                let commit = PostgresCommit(
                    in: environment, transaction, expectsWait: gathering > .zero)
                // `deciding` takes the calls that wait.
                if gathering > .zero { Thread.sleep(forTimeInterval: gathering / .seconds(1)) }
                let decided =
                    try presuming?.decide(on: commit, deciding) ?? deciding(commit)
                if let found = commit.foundState {
                    others.note(
                        found: found.moment.sequence, left: decided.lastChange.sequence,
                        after: commit.wait, in: environment)
                    sessions.note(found, in: environment)
                    presumptions.note(found, in: environment)
                }
                try commit.finish(decided.writes)
                return decided
            }, then: .pages(in: environment))
    }
}

extension ReadAfterCommit<DecidedCalls, CommittedCalls> {
    /// Reads the pages that the calls request. If a page cannot be read, the client requests it
    /// separately and gets the error.
    fileprivate static func pages(in environment: EnvironmentID) -> ReadAfterCommit {
        ReadAfterCommit { decided in
            decided.littlePages(in: environment).statements
        } value: { decided, rows in
            let pages = decided.littlePages(in: environment)
            return CommittedCalls(calls: decided, pages: try? pages.pages(in: rows?.first))
        }
    }
}

extension DecidedCalls {
    fileprivate func littlePages(in environment: EnvironmentID) -> LittlePages {
        LittlePages(pageRequests, in: environment, at: lastChange.sequence)
    }
}
