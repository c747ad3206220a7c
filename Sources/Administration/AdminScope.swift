/// The rights of an operator or a token in the administration of a database.
package enum AdminScope: String, CaseIterable, Hashable, Sendable {
    /// Looks at environments, versions and definitions.
    case viewer
    /// Looks at these, and at everything that environments hold, users and records, and changes it.
    case keeper
    /// Does everything.
    case designer
    /// Looks at environments and versions, imports versions and deploys them, also to locked
    /// environments. For tokens only.
    case deployer

    /// The scopes that a person may have.
    package static let ofPeople: [AdminScope] = [.viewer, .keeper, .designer]
}
