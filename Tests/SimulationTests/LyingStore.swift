import SyncEngine

/// A store that forwards every call to another, with one request or result changed.
struct LyingStore: Store {
    let referenceStore: any Store
    var facts: @Sendable (Facts, ReadSet) -> Facts = { facts, _ in facts }
    var writes: @Sendable (WriteSet, Facts) -> WriteSet = { writes, _ in writes }
    var page: @Sendable (Page) -> Page = { $0 }
    /// Pages that are read to fill in values: they are larger than any that a device asks for.
    var filledPage: @Sendable (Page) -> Page = { $0 }
    var session: @Sendable (OpenSession) -> OpenSession = { $0 }
    var sweep: @Sendable (SweepRequest) -> SweepRequest = { $0 }
    var found: @Sendable (FoundRecord) -> FoundRecord = { $0 }
    /// Records that are read in the order of changes.
    var changed: @Sendable ([FoundRecord]) -> [FoundRecord] = { $0 }
    /// The same without values.
    var stamped: @Sendable ([FoundRecord]) -> [FoundRecord] = { $0 }
    /// Writes after a decision that was cancelled.
    var leftover: (@Sendable (Facts) -> WriteSet)?
    var past: @Sendable ([PlacedHistoryEntry]) -> [PlacedHistoryEntry] = { $0 }
    var purged: @Sendable ([FoundRecord]) -> [FoundRecord] = { $0 }
    var reassignments: @Sendable ([Reassignment]) -> [Reassignment] = { $0 }
    var readPolicyChanges: @Sendable ([ReadPolicyChange]) -> [ReadPolicyChange] = { $0 }
    /// Carries out the transactions, if the other store does not.
    var presuming: PresumingStore?

    init(_ referenceStore: any Store) {
        self.referenceStore = referenceStore
    }

    func commit<Result: Sendable>(
        _ need: ReadSet, reading request: PageRequest?,
        wanting:
            @escaping @Sendable ([String: StoredRecord]) throws(StoreError) -> Set<UniqueValue>,
        deciding: @escaping @Sendable (Facts) throws(StoreError) -> (WriteSet, Result)
    ) async throws(StoreError) -> Committed<Result> {
        let (changedFacts, changedWrites) = (facts, writes)
        do {
            let committed = try await commits.commit(
                need, reading: request, on: presuming ?? referenceStore, wanting: wanting
            ) { [presuming] facts throws(StoreError) in
                let (writes, result) = try deciding(changedFacts(facts, need))
                let believes = presuming?.believes ?? false
                return (believes ? WriteSet() : changedWrites(writes, facts), result)
            }
            return Committed(result: committed.result, page: committed.page.map(page))
        } catch .cancelled {
            if let leftover {
                _ = try await referenceStore.commit(need, reading: nil, wanting: wanting) {
                    (leftover($0), true)
                }
            }
            throw .cancelled
        }
    }

    func commit(
        in environment: EnvironmentID,
        deciding: @escaping @Sendable (any CommitTransaction) throws -> DecidedCalls
    ) async throws(StoreError) -> CommittedCalls {
        try await referenceStore.commit(in: environment, deciding: deciding)
    }

    func fills() async throws(StoreError) -> [StoredFill] { try await referenceStore.fills() }

    func update(_ fill: DeploymentFill, ofDeployment number: Int64) async throws(StoreError) {
        try await referenceStore.update(fill, ofDeployment: number)
    }

    func page(_ request: PageRequest) async throws(StoreError) -> Page {
        let found = try await referenceStore.page(request)
        return request.limit > 100 ? filledPage(found) : page(found)
    }

    func session(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> OpenSession? {
        try await referenceStore.session(tokenHash: tokenHash, in: environment, at: now).map(
            session)
    }

    var presumesSessions: Bool { referenceStore.presumesSessions }

    func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? {
        referenceStore.presumedSession(tokenHash: tokenHash, in: environment, at: now).map(session)
    }

    func sweep(_ request: SweepRequest) async throws(StoreError) -> SweepResult {
        try await referenceStore.sweep(sweep(request))
    }

    func sweepOutcomes(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await referenceStore.sweepOutcomes(request)
    }
}

// MARK: - Forwarded calls

extension LyingStore {
    var commits: CommitQueue { referenceStore.commits }

    func checkHealth() async throws(StoreError) { try await referenceStore.checkHealth() }

    func renameDeployed(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool {
        try await referenceStore.renameDeployed(environment, to: name)
    }

    func remove(_ environment: EnvironmentID) async throws(StoreError) {
        try await referenceStore.remove(environment)
    }

    func openConflictCount(in environment: EnvironmentID) async throws(StoreError) -> Int {
        try await referenceStore.openConflictCount(in: environment)
    }

    func openConflictsByModel(
        in environment: EnvironmentID
    ) async throws(StoreError) -> [ModelConflicts] {
        try await referenceStore.openConflictsByModel(in: environment)
    }

    func environment(named name: String) async throws(StoreError) -> EnvironmentState? {
        try await referenceStore.environment(named: name)
    }

    func deploy(
        to name: String,
        deciding: @escaping @Sendable (EnvironmentState?) -> Result<NewVersion, DeploymentRefusal>
    ) async throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        try await referenceStore.deploy(to: name, deciding: deciding)
    }

    func environments() async throws(StoreError) -> [EnvironmentDeployment] {
        try await referenceStore.environments()
    }

    func versions(of environment: EnvironmentID) async throws(StoreError) -> [StoredVersion] {
        try await referenceStore.versions(of: environment)
    }

    func key(
        _ key: EnvironmentKey, of environment: EnvironmentID, orStoring fresh: [UInt8]
    ) async throws(StoreError) -> [UInt8] {
        try await referenceStore.key(key, of: environment, orStoring: fresh)
    }

    func user(_ login: String, in environment: EnvironmentID) async throws(StoreError) -> User? {
        try await referenceStore.user(login, in: environment)
    }

    func count(_ span: RecordSpan) async throws(StoreError) -> SpanCount {
        try await referenceStore.count(span)
    }

    func history(_ request: HistoryRequest) async throws(StoreError) -> RecordHistory? {
        try await referenceStore.history(request)
    }

    func search<Result: Sendable>(
        in environment: EnvironmentID, readingNames: Bool,
        _ body: @escaping @Sendable (any SearchTransaction) throws -> Result
    ) async throws(StoreError) -> Result {
        try await referenceStore.search(in: environment, readingNames: readingNames) {
            try body(LyingSearch(reads: $0, lies: self))
        }
    }

    func conflicted(_ request: ConflictedRequest) async throws(StoreError) -> ConflictedPage {
        try await referenceStore.conflicted(request)
    }
}
