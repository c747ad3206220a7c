/// A database that environments are copied from and to.
package protocol CopyableStore: Sendable {
    /// Everything as it is now, until it is closed, whatever is written meanwhile.
    func snapshot() async throws(StoreError) -> any StoreSnapshot

    /// Makes an environment of that name, or goes on with the one that there is: it gets this head,
    /// and keeps its rows.
    func stage(
        _ head: EnvironmentHead, as name: String
    ) async throws(StoreError) -> EnvironmentID

    /// Makes these the rows of a range, in one transaction. Gives whether they were not already.
    func put(
        _ rows: [EnvironmentRow], in range: KeyRange, of table: EnvironmentTable,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool

    /// Adds rows, none of whose keys is there, in one transaction.
    func add(
        _ rows: [EnvironmentRow], to table: EnvironmentTable, in environment: EnvironmentID
    ) async throws(StoreError)

    /// Gives an environment another name. False when there is one of that name.
    func rename(
        _ environment: EnvironmentID, to name: String
    ) async throws(StoreError) -> Bool
}

extension CopyableStore {
    /// Lets go of the snapshot, whatever comes of it.
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

/// What a database held at one moment.
package protocol StoreSnapshot: Sendable {
    /// The names of all environments, in the order in which they were made.
    func environments() async throws(StoreError) -> [String]

    /// Nil when there is none of that name.
    func head(
        of name: String
    ) async throws(StoreError) -> (id: EnvironmentID, head: EnvironmentHead)?

    /// The first rows of a range, so many at most, in the order of their keys, and those of one key
    /// in the order in which they were written; or in an order of the database's own where the
    /// table has none that is the same in all.
    func rows(
        of table: EnvironmentTable, in environment: EnvironmentID, _ range: KeyRange, limit: Int
    ) async throws(StoreError) -> [EnvironmentRow]

    /// Lets go of it; nothing may be asked of it after that.
    func close() async
}

/// What an environment is, without what it holds.
package struct EnvironmentHead: Hashable, Sendable {
    package let instance: String
    /// The number of the last committed change.
    package let sequence: Int64
    /// The sequence of the last change that was forgotten with its record.
    package let horizon: Int64
    package var cursorKey: [UInt8]?
    package let lastNotification: Int64
    package let lastClaimedNotification: Int64
    /// Every version that was ever deployed; the last one is the current one.
    package let versions: [EnvironmentVersion]

    package init(
        instance: String, sequence: Int64, horizon: Int64, cursorKey: [UInt8]?,
        lastNotification: Int64, lastClaimedNotification: Int64, versions: [EnvironmentVersion]
    ) {
        self.instance = instance
        self.sequence = sequence
        self.horizon = horizon
        self.cursorKey = cursorKey
        self.lastNotification = lastNotification
        self.lastClaimedNotification = lastClaimedNotification
        self.versions = versions
    }
}

/// A version of an environment's definition, with all that is stored of it.
package struct EnvironmentVersion: Hashable, Sendable {
    package let digest: String
    package let fingerprint: String
    /// Its `application.xml`.
    package let source: [UInt8]
    package let deployedAt: Instant
    /// The environment's last change then; nil where that was not noted.
    package let sequence: Int64?

    package init(
        digest: String, fingerprint: String, source: [UInt8], deployedAt: Instant, sequence: Int64?
    ) {
        self.digest = digest
        self.fingerprint = fingerprint
        self.source = source
        self.deployedAt = deployedAt
        self.sequence = sequence
    }
}

extension EnvironmentVersion {
    /// Deployed when the environment's last change was this one.
    package init(_ version: NewVersion, after sequence: Int64) {
        self.init(
            digest: version.digest, fingerprint: version.fingerprint, source: version.source,
            deployedAt: version.deployedAt, sequence: sequence)
    }
}
