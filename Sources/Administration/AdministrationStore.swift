package import SyncEngine

/// The part of a store that keeps what belongs to the database as a whole: versions, operators and
/// their activities. Every call is one transaction.
package protocol AdministrationStore: DraftStore {
    // Versions

    /// Returns versions, newest first, with numbers below `number`; nil starts with the newest.
    func catalog(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [CatalogVersion]

    func catalogVersion(_ number: Int64) async throws(StoreError) -> CatalogVersion?

    /// Returns the version with a tag.
    func catalogVersion(tag: String) async throws(StoreError) -> CatalogVersion?

    /// Returns the version with the bytes and the fingerprint of one that is to be added.
    func catalogVersion(
        equalTo version: EnvironmentVersion
    ) async throws(StoreError) -> CatalogVersion?

    /// Returns the `application.xml` of a version, byte for byte.
    func catalogSource(_ number: Int64) async throws(StoreError) -> [UInt8]?

    /// Returns the `application.xml` of the first version with a fingerprint.
    func catalogSource(withFingerprint fingerprint: String) async throws(StoreError) -> [UInt8]?

    /// Returns the `application.xml` of the last version with a digest.
    func catalogSource(withDigest digest: String) async throws(StoreError) -> [UInt8]?

    /// Adds a version that is not deployed. Returns its number, or that of the version that has
    /// these bytes and this fingerprint already.
    func addToCatalog(_ version: EnvironmentVersion) async throws(StoreError) -> Int64

    /// Changes tag and note; nil leaves one as it is.
    func label(
        _ number: Int64, tag: String?, note: String?
    ) async throws(StoreError) -> LabelResult

    /// Returns deployments, newest first, with numbers below `number`; nil starts with the newest.
    func deployments(
        of environment: EnvironmentID, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedDeployment]

    /// Locks an environment against deployments, or opens it.
    func setLock(_ isLocked: Bool, of environment: EnvironmentID) async throws(StoreError)

    // Operators

    /// Returns all operators, sorted by name.
    func operators() async throws(StoreError) -> [Operator]

    /// Writes or removes an operator, or returns the refusal. `deciding` gets all operators, and
    /// whether `setup` is the hash of a valid token for the first operator. A write ends the
    /// validity of all such tokens.
    func changeOperators<Refusal: Error>(
        setup: [UInt8]?, at now: Instant,
        deciding:
            @escaping @Sendable (_ all: [Operator], _ isSetup: Bool) ->
            Result<OperatorChange, Refusal>
    ) async throws(StoreError) -> Refusal?

    /// Stores the hash of a token for the first operator. Returns false if there is an operator.
    func addSetup(
        tokenHash: [UInt8], expiresAt: Instant, at now: Instant
    ) async throws(StoreError) -> Bool

    /// Stores a session. Ends the operator's sessions beyond `max`, those used longest ago first.
    /// Returns false if the operator or the password hash is another one now.
    func open(
        _ session: OperatorSession, passwordHash: String, keeping max: Int
    ) async throws(StoreError) -> Bool

    /// Returns a session that was used after a moment, and its operator.
    func operatorSession(
        tokenHash: [UInt8], usedAfter moment: Instant
    ) async throws(StoreError) -> OpenOperatorSession?

    /// Counts a session as used at a moment and, with `isConfirmed`, the password as given then.
    /// Other moments stay as they are stored: another request may have been given the password
    /// meanwhile.
    func renewOperatorSession(
        tokenHash: [UInt8], at now: Instant, confirmed isConfirmed: Bool
    ) async throws(StoreError)

    func endOperatorSession(tokenHash: [UInt8]) async throws(StoreError)

    /// Returns the tokens that have not expired, in the order of their numbers.
    func tokens(at now: Instant) async throws(StoreError) -> [NumberedToken]

    /// Adds a token, and deletes expired ones. Returns its number; nil if there are `max` already,
    /// or if its author is no operator any more.
    func add(
        _ token: OperatorToken, upTo max: Int
    ) async throws(StoreError) -> Int64?

    func token(hash: [UInt8], at now: Instant) async throws(StoreError) -> NumberedToken?

    /// Returns false if there is no such token.
    func revokeToken(_ number: Int64) async throws(StoreError) -> Bool

    // Activities

    /// Appends to the log. No call changes an entry.
    func log(_ activity: Activity, at now: Instant) async throws(StoreError)

    /// Returns entries, newest first, with numbers below `number`; nil starts with the newest.
    func activities(
        before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LoggedActivity]

    /// Removes entries from before a moment, the oldest first. Returns their number, which is below
    /// the limit if none are left.
    func sweepActivities(
        before moment: Instant, limit: Int
    ) async throws(StoreError) -> Int
}

/// A write to one operator.
package enum OperatorChange: Hashable, Sendable {
    /// Adds the operator or replaces the one with this name.
    case write(Operator, endingSessions: Bool, revokingTokens: Bool)
    /// Removes the operator with their sessions and tokens.
    case remove(name: String)
}
