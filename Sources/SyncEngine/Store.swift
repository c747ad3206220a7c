/// What the engine needs of a database.
///
/// Every call is one transaction. Where something is decided on what was read, the caller hands in
/// the decision as a pure function, which runs inside the transaction that writes: nothing can
/// change in between. A store may call it again after a serialization failure.
///
/// A store with several writers at a time has to promise as much: when a transaction is committed,
/// everything that its decision was told is still so, also what was not there (no record of that
/// guid, no holder of that value). Serializable isolation gives that, and so does a lock for each
/// environment.
package protocol Store: Sendable {
    /// Throws unless it can be read.
    func checkHealth() async throws(StoreError)

    // Environments and definitions

    func environment(named name: String) async throws(StoreError) -> EnvironmentState?

    /// Every environment with its current deployment, in the order in which they were made.
    func environments() async throws(StoreError) -> [EnvironmentDeployment]

    /// Makes a definition the environment's current one, and the environment where there is none,
    /// and carries out what the new version makes of the stored records. `deciding` gets the
    /// present state. Whatever refuses it, everything is left as it is.
    func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) async throws(StoreError) -> Result<Deployed, DeploymentRefusal>

    /// Every version that was ever deployed, in that order, and again if it was deployed again; the
    /// last one is the current one.
    func versions(of environment: EnvironmentID) async throws(StoreError) -> [StoredVersion]

    /// The environment's key to its cursors: the stored one, or else `fresh`, which then is.
    func cursorKey(
        of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) async throws(StoreError) -> [UInt8]

    // Users

    /// By login.
    func users(in environment: EnvironmentID) async throws(StoreError) -> [User]

    func user(
        _ login: String, in environment: EnvironmentID
    ) async throws(StoreError) -> User?

    /// Writes one user, or hands back why not. `deciding` gets the present one.
    func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal?

    // Signing in

    /// Counts an attempt to sign in before its password is looked at, so that attempts side by side
    /// count too. `waiting` gets the earlier failures and says how long to wait, in seconds; 0
    /// admits.
    func admitSignIn(
        of login: String, in environment: EnvironmentID, at now: Instant,
        waiting: @escaping @Sendable (FailedSignIns) -> Int64
    ) async throws(StoreError) -> SignInAdmission

    /// Stores a session, forgets the login's failures and clears expired sessions away. False when
    /// the user's password has been changed, or the user removed, since it was looked at.
    func openSession(
        _ session: Session, passwordHash: String, at now: Instant
    ) async throws(StoreError) -> Bool

    /// A session, with its user and environment as they are now; nil when there is none or it has
    /// expired.
    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession?

    func endSession(tokenHash: [UInt8]) async throws(StoreError)

    // Records

    /// The calls that wait for a transaction.
    var commits: CommitQueue { get }

    /// Runs `deciding` in one transaction, writes what it decided, and commits. `deciding` may be
    /// run again when nothing came of it.
    ///
    /// Throws when nothing was written: `failed` or `unreadable` for writes that cannot be carried
    /// out, such as a second holder of a unique value, anything else for what is in the way of
    /// every transaction.
    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls

    /// Reads what is needed, decides, and writes what was decided, in one transaction, which other
    /// calls may share. Sequences are given out in commit order. What else came of the decision is
    /// handed through.
    ///
    /// `wanting` gets the records that were read, and names the unique values whose holders are to
    /// be read as well.
    ///
    /// Where a page is asked for, it is read when everything has reached the disk. Where it cannot
    /// be read, there is none; the commit stands.
    ///
    /// Every store does this by its queue.
    func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result>

    /// Records in the order of their last change, from one snapshot.
    func page(_ request: PageRequest) async throws(StoreError) -> Page

    /// How many records there are of a span. None ever comes into one that is in the past, and one
    /// that changes leaves it: as long as there are as many, they are the same, as they were.
    func count(_ span: RecordSpan) async throws(StoreError) -> SpanCount

    /// Nil when there is no such record.
    func history(_ request: HistoryRequest) async throws(StoreError) -> RecordHistory?

    /// Records with open conflicts.
    func conflicted(_ request: ConflictedRequest) async throws(StoreError) -> ConflictedPage

    /// Goes through the records that a search's plan names and that are not deleted, or disputed
    /// (with a narrowing: through the scope or its lists, whichever is less), and reads those that
    /// it chooses; all from one snapshot. Where the plan has no narrowing, they come in the order
    /// of group, owner, creation and guid, texts by bytes, from after its start on.
    func find(_ search: Search) async throws(StoreError) -> Searched

    /// Forgets deleted records that nobody disputes, with all that is known of them but their
    /// guids, and moves the environment's horizon to the last of their sequences.
    func sweep(_ request: SweepRequest) async throws(StoreError) -> Swept
}

extension Store {
    package func commit<Result: Sendable>(
        _ need: Need, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Committed<Result> {
        try await commits.commit(
            need, reading: request, on: self, wanting: wanting, deciding: deciding)
    }

    /// The same without a page.
    package func commit<Result: Sendable>(
        _ need: Need,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (Writes, Result)
    ) async throws(StoreError) -> Result {
        try await commit(need, reading: nil, wanting: wanting, deciding: deciding).result
    }
}

/// The result of one call of a transaction.
package struct Committed<Result: Sendable>: Sendable {
    package let result: Result
    /// Nil if none was asked for, or if the store prefers to be asked for it alone.
    package let page: Page?

    package init(result: Result, page: Page?) {
        self.result = result
        self.page = page
    }
}

/// The calls of a transaction that has reached the disk.
package struct CommittedCalls: Sendable {
    let calls: DecidedCalls
    /// The page that each call asked for; nil, as each page may be, where it was not read.
    let pages: [Page?]?

    package init(calls: DecidedCalls, pages: [Page?]?) {
        self.calls = calls
        self.pages = pages
    }
}

/// What can be wrong with a database.
package enum StoreError: Error, Hashable, Sendable {
    /// Someone else writes for longer than the store waits. Trying again may help.
    case busy
    /// It cannot be reached, or was lost on the way; in words for the log. Trying again may help.
    case unavailable(String)
    /// The disk takes no more: it is full, or a quota or another limit is used up.
    case outOfSpace
    /// The file is not a database of ours, cannot be used as one, or holds what we never write.
    case unreadable(String, remedy: StoreRemedy = .rightFile)
    /// Anything else, in the database's words: for the log, not for askers.
    case failed(String)
}

extension StoreError {
    /// Whoever had it read it from the same database.
    package static let environmentGone = unreadable("the environment is gone", remedy: .backup)

    /// The caller no longer waits.
    package static let cancelled = failed("CancellationError()")
}

/// What whoever runs the store can do about a file or a database that cannot be used.
package enum StoreRemedy: Hashable, Sendable {
    case rightFile, permission, backup
    /// Of a server that many databases are on.
    case otherDatabase, databasePermission
    case laterWaggle
    /// What is looked for is made by a deployment.
    case deployment
    /// Where only the end of a log cannot be read.
    case backupOrShorterLog
}
