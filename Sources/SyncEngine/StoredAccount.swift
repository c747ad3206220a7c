/// A database's own name of an environment.
package struct EnvironmentID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// An environment as it is now.
package struct EnvironmentState: Hashable, Sendable {
    package let id: EnvironmentID
    package let name: String
    /// A guid that stays the same for the life of the environment's data.
    package let instance: String
    /// The number of the last committed change.
    package let sequence: Int64
    /// A number of the current version, which no other deployment has or had.
    package let deployment: Int64
    /// Of the current version, as original clients know it.
    package let digest: String
    /// Of the current version: which one it is.
    package let fingerprint: String
    /// The current version's `application.xml`.
    package let source: [UInt8]

    package init(
        id: EnvironmentID, name: String, instance: String, sequence: Int64, deployment: Int64,
        digest: String, fingerprint: String, source: [UInt8]
    ) {
        self.id = id
        self.name = name
        self.instance = instance
        self.sequence = sequence
        self.deployment = deployment
        self.digest = digest
        self.fingerprint = fingerprint
        self.source = source
    }
}

/// Which version an environment has now.
package struct EnvironmentDeployment: Hashable, Sendable {
    /// The environment's name.
    package let name: String
    /// See `EnvironmentState.deployment`.
    package let deployment: Int64

    package init(name: String, deployment: Int64) {
        self.name = name
        self.deployment = deployment
    }
}

/// A version that an environment has or had.
package struct StoredVersion: Hashable, Sendable {
    /// Its `application.xml`.
    package let source: [UInt8]
    /// The environment's last change when it was deployed; nil where that was not noted.
    package let sequence: Int64?

    package init(source: [UInt8], sequence: Int64?) {
        self.source = source
        self.sequence = sequence
    }
}

/// A definition to be made an environment's current one.
package struct NewVersion: Hashable, Sendable {
    package let digest: String
    /// Two versions are the same if this is; with the same digest they may differ in what the
    /// original clients do not know.
    package let fingerprint: String
    package let source: [UInt8]
    package let deployedAt: Instant
    /// For an environment that is not there yet.
    package let instance: String
    /// What is to become of the stored records.
    package let adaptation: Adaptation

    package init(
        digest: String, fingerprint: String, source: [UInt8], deployedAt: Instant,
        instance: String, adaptation: Adaptation
    ) {
        self.digest = digest
        self.fingerprint = fingerprint
        self.source = source
        self.deployedAt = deployedAt
        self.instance = instance
        self.adaptation = adaptation
    }
}

/// Someone who may sign in to an environment.
package struct User: Hashable, Sendable {
    package let login: String
    package var group: String
    package var mail: String
    package var isAdmin: Bool
    /// As `Secrets` writes it. Never logged, never sent.
    package var passwordHash: String

    package init(
        login: String, group: String, mail: String, isAdmin: Bool, passwordHash: String
    ) {
        self.login = login
        self.group = group
        self.mail = mail
        self.isAdmin = isAdmin
        self.passwordHash = passwordHash
    }
}

/// What shall become of a user.
package enum UserChange: Hashable, Sendable {
    case write(User, endingSessions: Bool)
    /// The user and their sessions; their records stay.
    case remove
}

/// The attempts of one login since its last success, or since an hour without one.
package struct FailedSignIns: Hashable, Sendable {
    package let count: Int
    package let last: Instant?

    package init(count: Int, last: Instant?) {
        self.count = count
        self.last = last
    }
}

/// Whether a password may be looked at.
package enum SignInAdmission: Hashable, Sendable {
    /// With the user, if there is one of that login, and the fingerprint of the environment's
    /// current version.
    case admitted(User?, fingerprint: String)
    case wait(seconds: Int64)
}

/// A signed-in user on a device. The token itself is nowhere stored, only its hash.
package struct Session: Hashable, Sendable {
    package let tokenHash: [UInt8]
    package let environment: EnvironmentID
    package let login: String
    package let deviceCategory: String
    package let deviceIdentifier: String
    package let expiresAt: Instant

    package init(
        tokenHash: [UInt8], environment: EnvironmentID, login: String, deviceCategory: String,
        deviceIdentifier: String, expiresAt: Instant
    ) {
        self.tokenHash = tokenHash
        self.environment = environment
        self.login = login
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
        self.expiresAt = expiresAt
    }
}

/// A session that has not ended, and what holds for its user now.
package struct OpenSession: Hashable, Sendable {
    package let session: Session
    /// As it is now, not as it was when the session began.
    package let group: String
    package let isAdmin: Bool
    /// Of the environment.
    package let moment: EnvironmentMoment
    /// Of the environment's current version.
    package let fingerprint: String

    package init(
        session: Session, group: String, isAdmin: Bool, moment: EnvironmentMoment,
        fingerprint: String
    ) {
        self.session = session
        self.group = group
        self.isAdmin = isAdmin
        self.moment = moment
        self.fingerprint = fingerprint
    }
}
