/// The database interface of the engine.
///
/// Every call is one transaction. If a write depends on what was read, the caller passes the
/// decision as a pure function, which runs inside the writing transaction. A store may call it
/// again after a serialization failure.
///
/// A store with concurrent writers must guarantee that everything a decision has read still holds
/// when its transaction commits, absence included (no record with that guid, no holder of that
/// value). Serializable isolation guarantees this, and so does a lock per environment.
package protocol Store: CommitStore {
    /// Throws if the database cannot be read.
    func checkHealth() async throws(StoreError)

    // Environments and definitions

    func environment(named name: String) async throws(StoreError) -> EnvironmentState?

    /// Returns every environment with its current deployment, in the order of creation.
    func environments() async throws(StoreError) -> [EnvironmentDeployment]

    /// Makes a definition the current one of an environment, and adapts the stored records to it,
    /// by `NewVersion.adaptRecords` in the same transaction. Creates the environment if it does not
    /// exist. `deciding` gets the present state. A refusal or an error leaves everything as it was.
    func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) async throws(StoreError) -> Result<Deployed, DeploymentRefusal>

    /// Returns every version in the order of deployment, the current one last. A version that was
    /// deployed again is listed again.
    func versions(of environment: EnvironmentID) async throws(StoreError) -> [StoredVersion]

    /// Returns the values that deployments bring, in the order of the deployments, also of those
    /// that are done.
    func fills() async throws(StoreError) -> [StoredFill]

    /// Notes how far a fill has come.
    func update(_ fill: DeploymentFill, ofDeployment number: Int64) async throws(StoreError)

    /// Renames an environment with a deployment of its present definition, so that running servers
    /// notice. Returns false, without an effect, if the name is taken. Throws `environmentGone` if
    /// there is no such environment.
    func renameDeployed(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool

    /// Removes an environment with everything in it, in one transaction. Contents of files stay
    /// until they are swept. Throws `environmentGone` if there is no such environment.
    func remove(_ environment: EnvironmentID) async throws(StoreError)

    /// Returns a key of the environment. Stores `fresh` if there is none yet.
    func key(
        _ key: EnvironmentKey, of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) async throws(StoreError) -> [UInt8]

    // Users and sessions

    func user(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) -> User?

    /// Returns a session with the present state of its user and environment; nil if it does not
    /// exist or has expired.
    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession?

    /// Whether sessions may be presumed. Not if asking the database costs as little.
    var presumesSessions: Bool { get }

    /// Returns a session as this process last knew it, without asking the database: see
    /// `OpenSession.presumed`. Nil if it is not cached, or never presumed.
    func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession?

    // Records

    /// The queue of calls that wait for a transaction.
    var commits: CommitQueue { get }

    /// Reads what the call needs, decides, and writes the decision, in one transaction that other
    /// calls may share. Sequences follow the order of commits. Returns the second value of
    /// `deciding`.
    ///
    /// `wanting` gets the records that were read, and returns the unique values whose holders must
    /// be read too.
    ///
    /// A requested page is read after the commit has reached the disk. If it cannot be read, the
    /// page is nil and the commit stands.
    ///
    /// Every store uses its commit queue for this.
    func commit<Result: Sendable>(
        _ need: ReadSet, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Result)
    ) async throws(StoreError) -> Committed<Result>

    /// Returns records in the order of their last change, from one snapshot.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// Returns the number of records in a span. No record enters a span in the past, and a changed
    /// record leaves it: if the count is the same, so are the records.
    func count(_ span: RecordSpan) async throws(StoreError) -> SpanCount

    /// Returns nil if the record does not exist.
    func history(_ request: HistoryRequest) async throws(StoreError) -> RecordHistory?

    /// Returns a page of records with open conflicts.
    func conflicted(_ request: ConflictedRequest) async throws(StoreError) -> ConflictedPage

    /// Returns the number of open conflicts in an environment.
    func openConflictCount(in environment: EnvironmentID) async throws(StoreError) -> Int

    /// Returns the models with open conflicts, by the bytes of their names.
    func openConflictsByModel(
        in environment: EnvironmentID
    ) async throws(StoreError) -> [ModelConflicts]

    /// Runs `body` with reads from one snapshot. `body` may run again if the snapshot is lost. The
    /// opaque ids of records are read only if that is asked for.
    func search<Result: Sendable>(
        in environment: EnvironmentID, readingNames: Bool,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Result
    ) async throws(StoreError) -> Result

    /// Purges tombstones without open conflicts, and moves the environment's horizon to the highest
    /// sequence purged. Keeps the guid of each, so that no new record gets it, with its model,
    /// ownership, stamps and sequence, by which clients that know a time in place of a cursor hear
    /// of the deletion.
    func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult

    /// Deletes outcomes that expired before the request's time. Returns their number, which is at
    /// most the request's limit.
    func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int
}

/// A store as the queue of its commits sees it.
package protocol CommitStore: Sendable {
    /// Runs `deciding` in one transaction, writes its result, and commits. `deciding` may run again
    /// if its result was not written.
    ///
    /// Throws if nothing was written: `failed` or `unreadable` if the writes themselves cannot be
    /// carried out, such as a second holder of a unique value; other errors if no transaction would
    /// succeed.
    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls
}

extension Store {
    package func commit<Result: Sendable>(
        _ need: ReadSet, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Result)
    ) async throws(StoreError) -> Committed<Result> {
        try await commits.commit(
            need, reading: request, on: self, wanting: wanting, deciding: deciding)
    }

    /// The same call without a page.
    package func commit<Result: Sendable>(
        _ need: ReadSet,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Result)
    ) async throws(StoreError) -> Result {
        try await commit(need, reading: nil, wanting: wanting, deciding: deciding).result
    }
}

/// A secret key that an environment has.
package enum EnvironmentKey: Sendable, CaseIterable {
    /// Seals cursors. A new key invalidates all of them.
    case cursors
    /// Derives the guids of records with opaque ids. It never changes.
    case names

    /// The column of the table of environments that holds it, in every database.
    package var column: String {
        switch self {
        case .cursors: "cursor_key"
        case .names: "name_key"
        }
    }
}

/// The result of one call of a transaction.
package struct Committed<Result: Sendable>: Sendable {
    package let result: Result
    /// Nil if no page was requested, or if the caller must request it separately.
    package let page: Page?
    /// The environment's last change before those of the call. Nil from a store that does not tell.
    package let before: ChangePoint?

    package init(result: Result, page: Page?, before: ChangePoint? = nil) {
        self.result = result
        self.page = page
        self.before = before
    }
}

/// The calls of a committed transaction.
package struct CommittedCalls: Sendable {
    let calls: DecidedCalls
    /// One page per call, nil for a call without one. Nil if no pages were read.
    let pages: [Page?]?

    package init(calls: DecidedCalls, pages: [Page?]?) {
        self.calls = calls
        self.pages = pages
    }
}

/// Errors of a database.
package enum StoreError: Error, Hashable, Sendable {
    /// Another writer holds the lock for longer than the store waits. A retry may succeed.
    case busy
    /// The database is unreachable, or the connection was lost; with a message for the log. A retry
    /// may succeed.
    case unavailable(String)
    /// The server stops before it was the turn of the call. A retry may succeed.
    case stopping
    /// Nobody waits for the result any more. Nothing was written.
    case cancelled
    /// There is no room in memory for what the call reads, beside what else the caller needs, or
    /// all callers. A retry may succeed.
    case memoryFull(isOwn: Bool)
    /// The disk is full, or a quota or another limit is reached.
    case outOfSpace
    /// The file is not a Waggle database, cannot be opened as one, or contains data that Waggle
    /// never writes.
    case unreadable(String, remedy: StoreRemedy = .rightFile)
    /// Any other error, with the database's message: for the log, not for askers.
    case failed(String)
}

extension StoreError {
    /// The environment was read from this database before, but is no longer there.
    package static let environmentGone = unreadable("the environment is gone", remedy: .backup)

    /// The call presumed accounts that have changed: see `ReadSet.presumed`.
    package static let presumptionOutdated = failed("the accounts of the environment have changed")
}

/// The action that makes an unusable file or database usable again.
package enum StoreRemedy: Hashable, Sendable {
    case rightFile, permission, backup
    /// For a database server that holds many databases.
    case otherDatabase, databasePermission
    case laterWaggle
    /// The missing object is created by a deployment.
    case deployment
    /// Only the end of a log is unreadable.
    case backupOrShorterLog
    /// The file is not the one that was opened.
    case restart
}
