/// A database that can be the source or the target of a copy of environments.
package protocol CopyableStore: Sendable {
    /// Returns a consistent snapshot. It stays valid until it is closed and ignores later writes.
    func snapshot() async throws(StoreError) -> any StoreSnapshot

    /// Creates an environment with a name, or resumes with an existing one. It sets the head and
    /// keeps existing rows.
    func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID

    /// Replaces the rows of a range in one transaction. Returns false if the range already had
    /// exactly these rows.
    func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool

    /// Adds rows in one transaction. None of their keys may exist.
    func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Renames an environment. Returns false if the new name is taken.
    func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool

    /// Ends the present epoch of an environment and begins one with a number that no epoch has had:
    /// see `EpochChain`. Running servers notice.
    func beginEpoch(_ epoch: Int64, in environment: EnvironmentID) async throws(StoreError)
}

extension CopyableStore {
    /// Runs `body` with a snapshot and closes the snapshot afterwards, even if `body` throws.
    package func withSnapshot<Value, Failure: Error>(
        failingAs wrapped: (StoreError) -> Failure,
        _ body: (any StoreSnapshot) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let snapshot: any StoreSnapshot
        do {
            snapshot = try await self.snapshot()
        } catch {
            throw wrapped(error)
        }
        let result: Result<Value, Failure>
        do {
            result = .success(try await body(snapshot))
        } catch {
            result = .failure(error)
        }
        await snapshot.close()
        return try result.get()
    }
}

/// The contents of a database at one moment.
package protocol StoreSnapshot: Sendable {
    /// The names of all environments, in the order of their creation.
    func environments() async throws(StoreError) -> [String]

    /// Returns the id and the head of an environment, or nil if no environment has the name.
    func head(
        of name: String
    ) async throws(StoreError) -> (id: EnvironmentID, head: EnvironmentHead)?

    /// Returns the first rows of a range, at most `limit`, in the order of their keys. Rows with
    /// equal keys are in the order in which they were written. A table without an order that is the
    /// same in all stores uses the database's own order.
    func rows(
        of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, limit: Int
    ) async throws(StoreError) -> [EnvironmentRow]

    /// Closes the snapshot. No other method may be called afterwards.
    func close() async
}

/// The metadata of an environment, without its rows.
package struct EnvironmentHead: Hashable, Sendable {
    package let instance: String
    /// The sequence of the last committed change.
    package let sequence: Int64
    /// The stamp of that change.
    package let lastStamp: Instant
    /// The last sequence whose tombstone was purged.
    package let purgeHorizon: Int64
    package var cursorKey: [UInt8]?
    package let nameKey: [UInt8]?
    package let lastNotification: Int64
    package let lastClaimedNotification: Int64
    /// See `EpochChain.current`.
    package let epoch: Int64
    /// All versions that were ever deployed, in order. The last one is the current version.
    package let versions: [EnvironmentVersion]

    package init(
        instance: String, sequence: Int64, lastStamp: Instant, purgeHorizon: Int64,
        cursorKey: [UInt8]?,
        nameKey: [UInt8]?, lastNotification: Int64, lastClaimedNotification: Int64, epoch: Int64,
        versions: [EnvironmentVersion]
    ) {
        self.epoch = epoch
        self.instance = instance
        self.sequence = sequence
        self.lastStamp = lastStamp
        self.purgeHorizon = purgeHorizon
        self.cursorKey = cursorKey
        self.nameKey = nameKey
        self.lastNotification = lastNotification
        self.lastClaimedNotification = lastClaimedNotification
        self.versions = versions
    }
}

/// A deployed version of a definition, as it is stored.
package struct EnvironmentVersion: Hashable, Sendable {
    package let digest: String
    package let fingerprint: String
    /// The content of `application.xml`.
    package let source: [UInt8]
    package let deployedAt: Instant
    /// The last sequence of the environment at the deployment; nil if it was not recorded.
    package let sequence: Int64?
    /// The name of the deployer; empty if it was not recorded.
    package let author: String
    /// Nil if it was not recorded.
    package let application: ApplicationName?
    /// The values that the deployment brings, and how far they have come; nil if it brings none.
    package let fill: DeploymentFill?
    /// See `StoredVersion.followsBack`.
    package let followsBack: Bool

    package init(
        digest: String, fingerprint: String, source: [UInt8], deployedAt: Instant,
        sequence: Int64?, author: String = "", application: ApplicationName? = nil,
        fill: DeploymentFill? = nil, followsBack: Bool = false
    ) {
        self.followsBack = followsBack
        self.fill = fill
        self.author = author
        self.application = application
        self.digest = digest
        self.fingerprint = fingerprint
        self.source = source
        self.deployedAt = deployedAt
        self.sequence = sequence
    }
}

extension EnvironmentVersion {
    /// Creates a version that was deployed after a sequence.
    package init(_ version: NewVersion, after sequence: Int64) {
        self.init(
            digest: version.digest, fingerprint: version.fingerprint, source: version.source,
            deployedAt: version.deployedAt, sequence: sequence, author: version.author,
            application: version.application, fill: version.fill, followsBack: true)
    }
}
