/// An application, checked: every name in it is unique, every reference resolves, every default
/// keeps its limits.
///
/// `DefinitionCompiler` makes one from a document, so no later stage checks again.
package struct Definition: Hashable, Sendable {
    package let application: String
    package let vendor: String
    /// What people wrote about the application, as plain text.
    package let description: String?
    /// As original clients know it. Each model has its own, which may be another.
    package let conflictMode: ConflictMode
    /// Names of the device categories, in the order of the document (as all lists here).
    package let deviceCategories: [String]
    package let groups: [String]
    package let roles: [Role]
    package let models: [Model]
    /// Our own attributes of the application as the document writes them.
    package let writtenExtensions: [WrittenOption]
    /// Names the content: SHA-256 in lower-case hex, as every original client computes it. It does
    /// not know our extensions of the language.
    package let digest: String
    /// Names the content with our extensions, in the form of the digest; the digest itself where
    /// the document has none of them.
    package let fingerprint: String

    /// Where nothing is said of our extensions, the document has none.
    package init(
        application: String, vendor: String, description: String? = nil,
        conflictMode: ConflictMode, deviceCategories: [String], groups: [String], roles: [Role],
        models: [Model], writtenExtensions: [WrittenOption] = [], digest: String,
        fingerprint: String? = nil
    ) {
        self.application = application
        self.vendor = vendor
        self.description = description
        self.conflictMode = conflictMode
        self.deviceCategories = deviceCategories
        self.groups = groups
        self.roles = roles
        self.models = models
        self.writtenExtensions = writtenExtensions
        self.digest = digest
        self.fingerprint = fingerprint ?? digest
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
    /// Changes of different fields are both taken; of the same field, as `manual`. Unknown to the
    /// original clients, which need not know it.
    case merge = "MERGE"
}
