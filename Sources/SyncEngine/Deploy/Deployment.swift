package import ChangeRules
package import DefinitionModel
import VersionTranslation

/// A definition that an environment has or had.
package struct DeployedDefinition: Hashable, Sendable {
    package let definition: Definition
    /// The last sequence of the environment at the deployment; nil if it was not recorded.
    package let sequence: Int64?
    /// The number of the deployment.
    package let number: Int64
    /// Nil if the deployment brings no values.
    package let fill: DeploymentFill?
    /// See `StoredVersion.followsBack`.
    let followsBack: Bool

    package init(
        _ definition: Definition, sequence: Int64?, number: Int64 = 0,
        fill: DeploymentFill? = nil, followsBack: Bool = true
    ) {
        self.definition = definition
        self.followsBack = followsBack
        self.sequence = sequence
        self.number = number
        self.fill = fill
    }
}

extension [DeployedDefinition] {
    /// The same with the names that each version follows back.
    package var followingBack: [DeployedDefinition] {
        var names = VersionNames()
        return map { names.next($0) }
    }
}

extension VersionNames {
    fileprivate mutating func next(_ version: DeployedDefinition) -> DeployedDefinition {
        DeployedDefinition(
            next(version.definition, followsBack: version.followsBack),
            sequence: version.sequence, number: version.number, fill: version.fill,
            followsBack: version.followsBack)
    }
}

/// The deployment of a definition that replaces the current one of an environment.
package struct Deployment: Sendable {
    /// The definition with the names that it follows back.
    package let definition: Definition
    /// The definition to be compared with the document of the current one: the same, or as it is
    /// written if it is current already.
    package let compared: Definition
    private let source: [UInt8]
    private let now: Instant
    private let instance: String
    private let replacesInstance: Bool
    private let replacedDeployment: Int64?
    let versions: [DeployedDefinition]
    private let author: String
    private let opensLock: Bool
    let fills: [FillRule]

    /// Creates a deployment.
    ///
    /// `present` is the state of the environment, or nil if it does not exist. `versions` are all
    /// its versions in the order of their deployment, the current one last. An environment that
    /// exists keeps its instance unless `replacesInstance` is true. `opensLock` tells whether the
    /// author may deploy to a locked environment. `fills` are the values that it brings; with them,
    /// the current definition can be deployed again.
    package init(
        of definition: Definition, source: [UInt8], at now: Instant, instance: String,
        replacesInstance: Bool = false, replacing present: EnvironmentState?,
        after versions: [DeployedDefinition], by author: String = "", opensLock: Bool = false,
        filling fills: [FillRule] = []
    ) {
        self.fills = fills
        self.author = author
        self.opensLock = opensLock
        let all = versions + [DeployedDefinition(definition, sequence: nil)]
        let following = all.followingBack
        self.definition = following.last?.definition ?? definition
        compared = present?.fingerprint == definition.fingerprint ? definition : self.definition
        self.source = source
        self.now = now
        self.instance = instance
        self.replacesInstance = replacesInstance
        replacedDeployment = present?.deployment
        self.versions = following.dropLast()
    }

    /// Decides whether the definition becomes current, given the state that the store finds in its
    /// transaction.
    package func decide(
        on found: EnvironmentState?
    ) -> Result<NewVersion, DeploymentRefusal> {
        let hasOtherInstance = found.map { !$0.instance.hasSameBytes(as: instance) } ?? false
        let replacesInstance = replacesInstance && hasOtherInstance
        if let found, found.fingerprint == definition.fingerprint, !replacesInstance,
            fills.isEmpty || versions.last?.fill?.rules == fills
        {
            return .failure(.isCurrent(found))
        }
        guard found?.deployment == replacedDeployment else { return .failure(.overtaken) }
        if let found, found.isLocked, !opensLock { return .failure(.locked) }
        if let present = versions.last?.definition, !definition.isOfApplication(of: present) {
            return .failure(
                .otherApplication(vendor: present.vendor, application: present.application))
        }
        let names = StoredNames(of: versions, until: found?.sequence ?? 0)
        let clashes = names.typeClashes(with: definition)
        guard clashes.isEmpty else { return .failure(.typesClash(clashes)) }
        let faults = FillRule.faults(
            in: fills, for: definition, replacing: versions.last?.definition)
        guard faults.isEmpty else { return .failure(.fillsFaulty(faults)) }
        return .success(
            NewVersion(
                digest: definition.digest, fingerprint: definition.fingerprint, source: source,
                deployedAt: now, instance: instance, replacesInstance: replacesInstance,
                adaptation: Adaptation(
                    to: definition, from: versions.last?.definition, names: names),
                author: author, application: definition.applicationName,
                fill: fills.isEmpty ? nil : DeploymentFill(fills)))
    }
}

extension Deployment {
    /// How often the records are counted for a deployment. Where they change all the time, the last
    /// count decides.
    package static let mostCounts = 3

    /// The same, and refuses if records have changed since they were counted.
    ///
    /// - Parameter sequence: The sequence of the environment before the count; nil for any.
    package func decide(
        on found: EnvironmentState?, countedAt sequence: Int64?
    ) -> Result<NewVersion, DeploymentRefusal> {
        let decision = decide(on: found)
        guard case .success = decision, let found, let sequence, found.sequence != sequence else {
            return decision
        }
        return .failure(.recordsChanged)
    }
}

extension Definition {
    /// Whether both definitions have the same vendor and application name.
    fileprivate func isOfApplication(of other: Definition) -> Bool {
        vendor.hasSameBytes(as: other.vendor) && application.hasSameBytes(as: other.application)
    }
}

/// The result of a successful deployment.
package struct Deployed: Hashable, Sendable {
    package let state: EnvironmentState
    /// The number of records whose model or fields were renamed, or whose integers became decimals.
    package let renamedRecords: Int

    package init(state: EnvironmentState, renamedRecords: Int) {
        self.state = state
        self.renamedRecords = renamedRecords
    }
}

/// A reason why a definition did not become current.
package enum DeploymentRefusal: Error, Hashable, Sendable {
    /// The definition is current already.
    case isCurrent(EnvironmentState)
    /// Another definition was deployed since the state was read.
    case overtaken
    /// Records have changed since they were counted: it is to be tried again.
    case recordsChanged
    /// The environment is locked, and the author may not open the lock.
    case locked
    /// The environment belongs to this other application.
    case otherApplication(vendor: String, application: String)
    /// The environment has another instance, by which clients know its data.
    case instanceInUse
    case typesClash([StoredTypeClash])
    /// Records have equal values in fields that are to become unique.
    case valuesNotUnique([RepeatedValues])
    /// The definition does not take the values that the deployment brings.
    case fillsFaulty([FillFault])

    /// The values of `valuesNotUnique`; otherwise empty.
    package var repeatedValues: [RepeatedValues] {
        if case .valuesNotUnique(let values) = self { values } else { [] }
    }
}

/// The repeated values of a field that is to become unique.
package struct RepeatedValues: Hashable, Sendable {
    package let model: String
    package let field: String
    /// The number of records that would have to give up their value: for each repeated value, all
    /// records but one.
    package let records: Int

    package init(model: String, field: String, records: Int) {
        self.model = model
        self.field = field
        self.records = records
    }
}
