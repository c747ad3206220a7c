package import SyncEngine

/// A definition that was deployed to any environment of a database, or imported into it. Versions
/// are numbered from 1 and are never removed.
package struct CatalogVersion: Hashable, Sendable {
    package let number: Int64
    /// Nil for a version of before applications were recorded.
    package let application: ApplicationName?
    package let digest: String
    package let fingerprint: String
    /// Unique; empty if it has none.
    package let tag: String
    package let note: String
    /// The person who deployed it first or imported it; empty if that was not recorded.
    package let author: String
    package let addedAt: Instant
    /// Size of the `application.xml` in bytes.
    package let size: Int

    package init(
        number: Int64, application: ApplicationName?, digest: String, fingerprint: String,
        tag: String, note: String, author: String, addedAt: Instant, size: Int
    ) {
        self.number = number
        self.application = application
        self.digest = digest
        self.fingerprint = fingerprint
        self.tag = tag
        self.note = note
        self.author = author
        self.addedAt = addedAt
        self.size = size
    }
}

/// The result of a change of tag or note.
package enum LabelResult: Hashable, Sendable {
    case changed
    case versionUnknown
    /// The tag is that of this version.
    case tagTaken(number: Int64)
}

/// A deployment of an environment.
package struct LoggedDeployment: Hashable, Sendable {
    /// See `EnvironmentState.deployment`.
    package let number: Int64
    /// The number of the version in the catalog.
    package let version: Int64
    package let fingerprint: String
    /// Empty if it was not recorded.
    package let author: String
    package let deployedAt: Instant
    /// The values that it brings, and how far they have come; nil if it brings none.
    package let fill: DeploymentFill?

    package init(
        number: Int64, version: Int64, fingerprint: String, author: String, deployedAt: Instant,
        fill: DeploymentFill? = nil
    ) {
        self.fill = fill
        self.number = number
        self.version = version
        self.fingerprint = fingerprint
        self.author = author
        self.deployedAt = deployedAt
    }
}

/// Whether a text may be the tag of a version: printable ASCII without spaces, no number, and at
/// most `AdministrationLimits.tagBytes`.
package func isLegalLabel(tag: String) -> Bool {
    tag.utf8.count <= AdministrationLimits.tagBytes
        && tag.utf8.allSatisfy { (0x21...0x7E).contains($0) } && Int64(tag) == nil
}

/// Whether a text may be the note of a version: no control characters but line breaks, and at most
/// `AdministrationLimits.noteBytes`.
package func isLegalLabel(note: String) -> Bool {
    note.utf8.count <= AdministrationLimits.noteBytes
        && note.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control
        }
}
