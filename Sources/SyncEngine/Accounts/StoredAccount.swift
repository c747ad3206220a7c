/// A store's key of an environment.
package struct EnvironmentID: Hashable, Sendable {
    package let number: Int64

    package init(number: Int64) {
        self.number = number
    }
}

/// The present state of an environment.
package struct EnvironmentState: Hashable, Sendable {
    package let id: EnvironmentID
    package let name: String
    /// A guid, constant for the life of the environment's data.
    package let instance: String
    /// Sequence of the last committed change.
    package let sequence: Int64
    /// Number of the current deployment; never reused.
    package let deployment: Int64
    /// Digest of the current version. Original clients identify a definition by it.
    package let digest: String
    /// Fingerprint of the current version, which identifies it.
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

/// The current deployment of an environment.
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

/// A present or former version of an environment.
package struct StoredVersion: Hashable, Sendable {
    /// Its `application.xml`.
    package let source: [UInt8]
    /// The environment's last sequence at the deployment; nil if it was not recorded.
    package let sequence: Int64?

    package init(source: [UInt8], sequence: Int64?) {
        self.source = source
        self.sequence = sequence
    }
}

/// A definition to deploy.
package struct NewVersion: Hashable, Sendable {
    package let digest: String
    /// Identifies the version. Two versions with the same digest may differ in attributes that
    /// original clients do not know.
    package let fingerprint: String
    package let source: [UInt8]
    package let deployedAt: Instant
    /// The instance of the environment if the deployment creates it.
    package let instance: String
    /// Changes to the stored records.
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

/// A user of an environment.
package struct User: Hashable, Sendable {
    package let login: String
    package var group: String
    package var mail: String
    package var isAdmin: Bool
    /// The format is that of `Secrets`. Never logged, never sent.
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

/// A signed-in user on a device. The store keeps only the hash of the token.
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
