package import SyncEngine

/// The part of a store that keeps users, their failed attempts to sign in and their sessions. Every
/// call is one transaction, as in `Store`, which reads a single user and a session.
package protocol AccountStore: Sendable {
    /// Returns all users, sorted by login.
    func users(in environment: EnvironmentID) async throws(StoreError) -> [User]

    /// Returns the users that match, in the order of the bytes of their logins.
    func users(matching query: UserQuery) async throws(StoreError) -> [ListedUser]

    /// Returns the logins of users with a mail address, whatever the case of its ASCII letters: at
    /// most `limit` of them, in no order. Reads no other users.
    func logins(
        withMail mail: String, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [String]

    func userCount(in environment: EnvironmentID) async throws(StoreError) -> Int

    /// Writes or removes one user, or returns the refusal. `deciding` gets the stored user, and
    /// what `names` asks about the others. Deletes the resets of a user who changes so that they
    /// end, see `User.endsResets`.
    func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID, comparing names: AccountNames?,
        deciding: @escaping @Sendable (User?, OtherAccounts) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal?

    /// Whether the device has signed in as its user and was not forgotten since.
    func hasSignedIn(
        _ device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) -> Bool

    /// Returns the data on which an attempt to sign in is decided.
    func signInState(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInState

    /// Counts a failed attempt. Keeps the failures of the `max` sources of the environment that
    /// failed last.
    func addFailedSignIn(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant, keeping max: Int
    ) async throws(StoreError)

    /// Stores a session and its device, clears the source's failures and deletes expired sessions.
    /// Ends the oldest sessions of the user, and forgets the devices that signed in longest ago,
    /// beyond the limits. Returns false if the user was removed, or the password changed, since
    /// the password was checked.
    func openSession(
        _ session: Session, passwordHash: String, from source: SignInSource,
        within limits: SignInLimits, at now: Instant
    ) async throws(StoreError) -> Bool

    /// Forgets devices without a session that last signed in before a moment: deletes the outcomes,
    /// the progress and the push tokens of each. Deletes also push tokens that were registered
    /// before it for devices that are not known, such as installations whose user signs in in a
    /// browser, if the user has no session and the token is not a guest's. Returns the number of
    /// devices and of these tokens, which is below the limit if none are left.
    func forgetDevices(_ request: SweepRequest) async throws(StoreError) -> Int

    func endSession(tokenHash: [UInt8]) async throws(StoreError)

    /// Returns the sessions of a user that end after a moment, in the order of device and token.
    func sessions(
        of login: String, in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [Session]

    /// Returns the devices on which users are signed in, in the order of their places.
    func signedInDevices(
        _ query: SignedInQuery
    ) async throws(StoreError) -> [SignedInDevice]

    /// Returns the codes that are valid after a moment, in the order of creation and hash.
    func accountCodes(
        in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> [AccountCode]

    /// Returns the code with this hash if it is valid after a moment. Reads no other code.
    func accountCode(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> AccountCode?

    /// Stores a code unless the environment has `max` valid ones. A reset replaces earlier ones of
    /// its user, but none that was made after the moment `spared`. Deletes expired codes.
    func addAccountCode(
        _ code: AccountCode, in environment: EnvironmentID, keeping max: Int,
        sparing spared: Instant?, at now: Instant
    ) async throws(StoreError) -> AccountCodeAddition

    /// Deletes a code. Returns false if there is none with this hash.
    func removeAccountCode(
        hash: [UInt8], in environment: EnvironmentID
    ) async throws(StoreError) -> Bool

    /// Uses a code once for a user. `deciding` gets the code, nil if none with this hash is valid,
    /// and the stored user; it returns the user to write, whose sessions end, or the refusal. A
    /// code is deleted with its last use, and a user's resets with the user.
    func useAccountCode<Refusal: Error>(
        hash: [UInt8], for login: String, in environment: EnvironmentID, at now: Instant,
        deciding: @escaping @Sendable (AccountCode?, User?) -> Result<User, Refusal>
    ) async throws(StoreError) -> Refusal?

    /// Stores a ticket unless there is a valid one with its hash, or `max` valid ones. Deletes
    /// expired tickets.
    func addSignInTicket(
        _ ticket: SignInTicket, in environment: EnvironmentID, keeping max: Int, at now: Instant
    ) async throws(StoreError) -> SignInTicketAddition

    /// Deletes the ticket with this hash, and returns it if it is valid after a moment.
    func takeSignInTicket(
        hash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) async throws(StoreError) -> SignInTicket?
}

extension AccountStore {
    /// Writes or removes one user, or returns the refusal. `deciding` gets the stored user.
    package func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID,
        deciding: @escaping @Sendable (User?) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await changeUser(login, in: environment, comparing: nil) { user, _ in deciding(user) }
    }

    /// Does the same, and gives a user who is made or changed the time of it.
    func changeUser<Refusal: Error>(
        _ login: String, in environment: EnvironmentID, comparing names: AccountNames? = nil,
        at now: Instant,
        deciding: @escaping @Sendable (User?, OtherAccounts) -> Result<UserChange, Refusal>
    ) async throws(StoreError) -> Refusal? {
        try await changeUser(login, in: environment, comparing: names) { present, others in
            deciding(present, others).map { change in
                switch change {
                case .write(let user, let endingSessions):
                    .write(
                        user.stamped(replacing: present, at: now), endingSessions: endingSessions)
                case .remove, .unlock: change
                }
            }
        }
    }
}

extension User {
    /// The user with the times of the present one, and that of the change if it is one.
    func stamped(replacing present: User?, at now: Instant) -> User {
        var stamped = self
        stamped.madeAt = present == nil ? now : present?.madeAt
        stamped.changedAt = present?.changedAt
        if stamped != present { stamped.changedAt = now }
        return stamped
    }
}

extension User {
    /// Whether the resets that were made for the user as they were end now: somebody who reads the
    /// mails of an address, or has kept one, must not undo a new password or address.
    package func endsResets(madeFor former: User) -> Bool {
        passwordHash != former.passwordHash || mail != former.mail
    }
}

/// A write to one user.
package enum UserChange: Hashable, Sendable {
    case write(User, endingSessions: Bool)
    /// Removes the user with their sessions, devices and outcomes; their records stay.
    case remove
    /// Forgets the failed sign-ins of the login.
    case unlock
}

/// Failed attempts to sign in from one source, since its last success or since an hour without a
/// failure.
package struct FailedSignIns: Hashable, Sendable {
    package static let keptSeconds: Int64 = 3600

    package let count: Int
    package let last: Instant?

    package init(count: Int, last: Instant?) {
        self.count = count
        self.last = last
    }

    package static let nothing = FailedSignIns(count: 0, last: nil)
}

/// The data on which an attempt to sign in is decided.
package struct SignInState: Hashable, Sendable {
    /// Nil if the login is unknown.
    package let user: User?
    package let failed: FailedSignIns
    /// Fingerprint of the environment's current version.
    package let fingerprint: String

    package init(user: User?, failed: FailedSignIns, fingerprint: String) {
        self.user = user
        self.failed = failed
        self.fingerprint = fingerprint
    }
}

/// How many sessions and devices of one user are kept.
package struct SignInLimits: Hashable, Sendable {
    package let sessions: Int
    package let devices: Int

    package init(sessions: Int, devices: Int) {
        self.sessions = sessions
        self.devices = devices
    }
}
