package import SyncEngine

/// The part of a store that keeps users, their failed attempts to sign in and their sessions. Every
/// call is one transaction, as in `Store`, which reads a single user and a session.
package protocol AccountStore: Sendable {
    /// Returns all users, sorted by login.
    func users(in environment: EnvironmentID) async throws(StoreError) -> [User]

    /// Writes or removes one user, or returns the refusal. `deciding` gets the stored user.
    func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal?

    /// Counts an attempt to sign in. The engine calls this before it checks the password, so that
    /// concurrent attempts count too. `waiting` gets the earlier failures and returns the seconds
    /// to wait; 0 admits the attempt.
    func admitSignIn(
        of login: String, in environment: EnvironmentID, at now: Instant,
        waiting: @escaping @Sendable (FailedSignIns) -> Int64
    ) async throws(StoreError) -> SignInAdmission

    /// Stores a session, clears the login's failures and deletes expired sessions. Returns false if
    /// the user was removed, or the password changed, since the password was checked.
    func openSession(
        _ session: Session, passwordHash: String, at now: Instant
    ) async throws(StoreError) -> Bool

    func endSession(tokenHash: [UInt8]) async throws(StoreError)
}

/// A write to one user.
package enum UserChange: Hashable, Sendable {
    case write(User, endingSessions: Bool)
    /// Removes the user and their sessions; their records stay.
    case remove
}

/// Failed attempts to sign in of one login, since its last success or since an hour without an
/// attempt.
package struct FailedSignIns: Hashable, Sendable {
    package let count: Int
    package let last: Instant?

    package init(count: Int, last: Instant?) {
        self.count = count
        self.last = last
    }
}

/// Whether the server may check a password.
package enum SignInAdmission: Hashable, Sendable {
    /// The user is nil if the login is unknown. The fingerprint is that of the environment's
    /// current version.
    case admitted(User?, fingerprint: String)
    case wait(seconds: Int64)
}
