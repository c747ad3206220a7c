package import DefinitionModel

/// A definition that an environment had.
package struct DeployedDefinition: Hashable, Sendable {
    package let definition: Definition
    /// The environment's last change when it was deployed; nil where that was not noted.
    package let sequence: Int64?

    package init(_ definition: Definition, sequence: Int64?) {
        self.definition = definition
        self.sequence = sequence
    }
}

/// A definition that is to take the place of an environment's present one.
package struct Deployment: Sendable {
    private let definition: Definition
    private let source: [UInt8]
    private let now: Instant
    private let instance: String
    private let replacedDeployment: Int64?
    private let versions: [DeployedDefinition]

    /// `present` is the environment's state, nil where there is none, and `versions` are all that
    /// it had, in the order of their deployment, the present one last.
    package init(
        of definition: Definition, source: [UInt8], at now: Instant, instance: String,
        replacing present: EnvironmentState?, after versions: [DeployedDefinition]
    ) {
        self.definition = definition
        self.source = source
        self.now = now
        self.instance = instance
        replacedDeployment = present?.deployment
        self.versions = versions
    }

    /// Decides on what the environment has when it comes to it.
    package func decide(
        on found: EnvironmentState?
    ) -> Result<NewVersion, DeploymentRefusal> {
        if let found, found.fingerprint == definition.fingerprint {
            return .failure(.isCurrent(found))
        }
        guard found?.deployment == replacedDeployment else { return .failure(.overtaken) }
        if let present = versions.last?.definition, !definition.isOfApplication(of: present) {
            return .failure(
                .otherApplication(vendor: present.vendor, application: present.application))
        }
        let names = StoredNames(of: versions, until: found?.sequence ?? 0)
        let clashes = names.typeClashes(with: definition)
        guard clashes.isEmpty else { return .failure(.typesClash(clashes)) }
        return .success(
            NewVersion(
                digest: definition.digest, fingerprint: definition.fingerprint, source: source,
                deployedAt: now, instance: instance,
                adaptation: Adaptation(
                    to: definition, from: versions.last?.definition, names: names)))
    }
}

extension Definition {
    /// Whether both are versions of one application: vendor and name are the same.
    fileprivate func isOfApplication(of other: Definition) -> Bool {
        vendor.hasSameBytes(as: other.vendor) && application.hasSameBytes(as: other.application)
    }
}

/// A definition has become current.
package struct Deployed: Hashable, Sendable {
    package let state: EnvironmentState
    /// How many records go by another name of their model or of their fields than before.
    package let renamedRecords: Int

    package init(state: EnvironmentState, renamedRecords: Int) {
        self.state = state
        self.renamedRecords = renamedRecords
    }
}

/// Why a definition did not become current.
package enum DeploymentRefusal: Error, Hashable, Sendable {
    /// It is.
    case isCurrent(EnvironmentState)
    /// Another one did since the environment was looked at.
    case overtaken
    /// The environment belongs to another application: this one.
    case otherApplication(vendor: String, application: String)
    case typesClash([StoredTypeClash])
    /// Records have equal values of fields that would be unique.
    case valuesNotUnique([RepeatedValues])
}

/// Of a field that would be unique.
package struct RepeatedValues: Hashable, Sendable {
    package let model: String
    package let field: String
    /// Records that would have to give their value up: of those with the same one, all but one.
    package let records: Int

    package init(model: String, field: String, records: Int) {
        self.model = model
        self.field = field
        self.records = records
    }
}
