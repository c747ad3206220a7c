package import DefinitionModel

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
    /// When the current version was deployed.
    package let deployedAt: Instant
    /// Whether the environment takes deployments from those only who may open the lock.
    package let isLocked: Bool
    package let epochs: EpochChain

    package init(
        id: EnvironmentID, name: String, instance: String, sequence: Int64, deployment: Int64,
        digest: String, fingerprint: String, source: [UInt8],
        deployedAt: Instant = Instant(milliseconds: 0), isLocked: Bool = false,
        epochs: EpochChain = EpochChain()
    ) {
        self.deployedAt = deployedAt
        self.epochs = epochs
        self.isLocked = isLocked
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
    /// See `EnvironmentState.deployment`.
    package let number: Int64
    /// Nil if the deployment brings no values.
    package let fill: DeploymentFill?
    /// Whether it follows the names of the version before back; see `VersionNames`. False for one
    /// of a Waggle that did not.
    package let followsBack: Bool

    package init(
        source: [UInt8], sequence: Int64?, number: Int64, fill: DeploymentFill? = nil,
        followsBack: Bool = false
    ) {
        self.followsBack = followsBack
        self.source = source
        self.sequence = sequence
        self.number = number
        self.fill = fill
    }
}

/// The name of an application with that of its vendor.
package struct ApplicationName: Hashable, Sendable {
    package let vendor: String
    package let application: String

    package init(vendor: String, application: String) {
        self.vendor = vendor
        self.application = application
    }
}

extension Definition {
    package var applicationName: ApplicationName {
        ApplicationName(vendor: vendor, application: application)
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
    /// Whether an environment that exists gets the instance too.
    package let replacesInstance: Bool
    /// Changes to the stored records.
    package let adaptation: Adaptation
    /// The name of the deployer, as in the activity log.
    package let author: String
    package let application: ApplicationName?
    /// Nil if the deployment brings no values.
    package let fill: DeploymentFill?

    package init(
        digest: String, fingerprint: String, source: [UInt8], deployedAt: Instant,
        instance: String, replacesInstance: Bool = false, adaptation: Adaptation,
        author: String = "", application: ApplicationName? = nil, fill: DeploymentFill? = nil
    ) {
        self.fill = fill
        self.author = author
        self.application = application
        self.replacesInstance = replacesInstance
        self.digest = digest
        self.fingerprint = fingerprint
        self.source = source
        self.deployedAt = deployedAt
        self.instance = instance
        self.adaptation = adaptation
    }
}
