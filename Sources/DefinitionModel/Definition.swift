/// An application, checked: every name in it is unique, every reference resolves, every default
/// keeps its limits.
///
/// `DefinitionCompiler` makes one from a document, so no later stage checks again.
package struct Definition: Hashable, Sendable {
    package let application: String
    package let vendor: String
    package let conflictMode: ConflictMode
    /// Names of the device categories, in the order of the document (as all lists here).
    package let deviceCategories: [String]
    package let groups: [String]
    package let roles: [Role]
    package let models: [Model]
    /// Names the content: SHA-256 in lower-case hex, as every original client computes it.
    package let digest: String

    package init(
        application: String, vendor: String, conflictMode: ConflictMode,
        deviceCategories: [String], groups: [String], roles: [Role], models: [Model],
        digest: String
    ) {
        self.application = application
        self.vendor = vendor
        self.conflictMode = conflictMode
        self.deviceCategories = deviceCategories
        self.groups = groups
        self.roles = roles
        self.models = models
        self.digest = digest
    }
}

/// What becomes of a change that was made without knowing the record's present state.
package enum ConflictMode: String, Hashable, Sendable, CaseIterable {
    /// Both sides are kept and the record is marked, until someone resolves it.
    case manual = "MANUAL"
    /// The last push wins; what it replaces stays in the record's history.
    case overwrite = "OVERWRITE"
    /// The first push wins; what was discarded stays in the record's history.
    case discard = "DISCARD"
}
