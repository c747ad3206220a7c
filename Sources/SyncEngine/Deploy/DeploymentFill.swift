package import ChangeRules
import VersionTranslation

/// The values that a deployment brings to stored records, and how far it has come.
///
/// They are filled in after the definition has become the current one: a new field exists only
/// then, and no record without a value can be created any more.
package struct DeploymentFill: Hashable, Sendable {
    /// In the words of the deployed definition.
    package let rules: [FillRule]
    /// The sequence up to which the records were looked at.
    package var position: Int64 = 0
    /// Records that got values, as far as they were counted when the process ended.
    package var filled: Int64 = 0
    /// Records that still lack a value, since their rule gives none that the definition takes.
    package var unfilled: Int64 = 0
    package var isDone = false

    package init(_ rules: [FillRule]) {
        self.rules = rules
    }

    /// The name of a deployment in the history of the records to which it gave values.
    package static func author(ofDeployment number: Int64) -> String { "deployment \(number)" }
}

/// A fill of a deployment, as the store keeps it.
package struct StoredFill: Hashable, Sendable {
    package let environment: EnvironmentID
    /// The environment's name.
    package let name: String
    /// See `EnvironmentState.deployment`.
    package let deployment: Int64
    package let fill: DeploymentFill

    package init(
        environment: EnvironmentID, name: String, deployment: Int64, fill: DeploymentFill
    ) {
        self.environment = environment
        self.name = name
        self.deployment = deployment
        self.fill = fill
    }
}

extension FillRules {
    /// The rules of the deployments of an environment, in the words of the last one. A later rule
    /// for a field replaces an earlier one.
    ///
    /// - Parameter deployment: Only the rules of this deployment; nil for all.
    package init(of versions: [DeployedDefinition], broughtBy deployment: Int64? = nil) {
        guard let last = versions.last?.definition else {
            self = .none
            return
        }
        var rules: [FillRule] = []
        for version in versions {
            rules = rules.map { $0.renamed(in: version.definition) }
            guard deployment == nil || version.number == deployment else { continue }
            let own = version.fill?.rules ?? []
            rules.removeAll { rule in own.contains { $0.hasSameField(as: rule) } }
            rules += own
        }
        self.init(rules, for: last)
    }
}
