package import DefinitionModel

/// Something an author should know about the document, with the place where it is.
package struct Diagnostic: Hashable, Sendable {
    package let severity: Severity
    /// Names the kind of problem and never changes: `unknownRole`.
    package let id: String
    package let place: SourcePlace
    /// How much to underline, in Unicode scalars; ends at the latest with the line.
    package let length: Int
    package let message: String
    /// What to do about it.
    package let help: String?
    /// Other places of the document that have to do with it.
    package let related: [RelatedPlace]
}

/// Another place that a diagnostic has to do with, such as the first of two that clash.
package struct RelatedPlace: Hashable, Sendable {
    package let place: SourcePlace
    /// As the one of a diagnostic.
    package let length: Int
    /// What is there.
    package let message: String
}

/// How much a diagnostic weighs.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// There is no definition while this stands.
    case error
    /// The definition holds, but probably says something else than was meant.
    case warning
    /// About the diagnostics themselves.
    case note
}
