/// A user of an environment.
package struct User: Hashable, Sendable {
    package let login: String
    package var group: String
    package var mail: String
    package var isAdmin: Bool
    /// The format is that of `Secrets`. Never logged, never sent.
    package var passwordHash: String
    /// Nil for a user whose making was not recorded.
    package var madeAt: Instant?
    /// When the group, the mail address, the password or the right to administer last changed; nil
    /// if it was not recorded.
    package var changedAt: Instant?

    package init(
        login: String, group: String, mail: String, isAdmin: Bool, passwordHash: String,
        madeAt: Instant? = nil, changedAt: Instant? = nil
    ) {
        self.madeAt = madeAt
        self.changedAt = changedAt
        self.login = login
        self.group = group
        self.mail = mail
        self.isAdmin = isAdmin
        self.passwordHash = passwordHash
    }
}

/// A signed-in user on a device. The store keeps only the hash of the token.
package struct Session: Hashable, Sendable {
    package let tokenHash: [UInt8]
    package let environment: EnvironmentID
    package let login: String
    package let deviceCategory: String
    package let deviceIdentifier: String
    package let expiresAt: Instant
    /// Nil if it was not recorded.
    package let openedAt: Instant?

    package init(
        tokenHash: [UInt8], environment: EnvironmentID, login: String, deviceCategory: String,
        deviceIdentifier: String, expiresAt: Instant, openedAt: Instant? = nil
    ) {
        self.openedAt = openedAt
        self.tokenHash = tokenHash
        self.environment = environment
        self.login = login
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
        self.expiresAt = expiresAt
    }

    package var device: DeviceKey {
        DeviceKey(login: login, deviceIdentifier: deviceIdentifier)
    }
}

/// An unexpired session with the present rights of its user.
package struct OpenSession: Hashable, Sendable {
    package let session: Session
    /// The present group, not that at sign-in.
    package let group: String
    package let isAdmin: Bool
    /// The present moment of the environment.
    package let moment: EnvironmentMoment
    /// Fingerprint of the environment's current version.
    package let fingerprint: String
    /// The present epoch of the environment: see `EpochChain`.
    package let epoch: Int64
    /// The accounts for which the session was valid, if it was taken from a cache without asking
    /// the database. A write must check that they are the same. Nil for a session that was read.
    package var presumed: AccountsVersion?

    package init(
        session: Session, group: String, isAdmin: Bool, moment: EnvironmentMoment,
        fingerprint: String, epoch: Int64 = 0
    ) {
        self.epoch = epoch
        self.session = session
        self.group = group
        self.isAdmin = isAdmin
        self.moment = moment
        self.fingerprint = fingerprint
    }
}
