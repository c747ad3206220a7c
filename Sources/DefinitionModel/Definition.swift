/// A checked application: every name is unique, every reference resolves, and every default keeps
/// its limits.
///
/// `DefinitionCompiler` makes a definition from a document, so later stages do not check again.
package struct Definition: Hashable, Sendable {
    package let application: String
    package let vendor: String
    /// The `description` of the application, as plain text.
    package let description: String?
    /// The mode that the original clients see. A model can override it.
    package let conflictMode: ConflictMode
    /// Names of the device categories, in document order, as all lists here.
    package let deviceCategories: [String]
    package let groups: [String]
    package let roles: [Role]
    package let models: [Model]
    /// Waggle's own attributes of the application, as written in the document.
    package let writtenExtensions: [WrittenOption]
    /// Identifies the content: SHA-256 in lower-case hex, as every original client computes it. The
    /// digest ignores Waggle's extensions of the language.
    package let digest: String
    /// Identifies the content including Waggle's extensions, in the form of the digest. It equals
    /// the digest if the document uses no extensions.
    package let fingerprint: String

    /// The defaults describe a document without Waggle's extensions.
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

/// How a change that is not based on the current revision of its record is handled.
package enum ConflictMode: String, Hashable, Sendable, CaseIterable {
    /// Both sides are kept and the record is marked as conflicted until someone resolves it.
    case manual = "MANUAL"
    /// The last push wins. The values it replaces stay in the record's history.
    case overwrite = "OVERWRITE"
    /// The first push wins. The discarded values stay in the record's history.
    case discard = "DISCARD"
    /// Changes to different fields are merged; changes to the same field conflict, as in `manual`.
    /// The original clients do not know this mode and need not know it.
    case merge = "MERGE"
}
