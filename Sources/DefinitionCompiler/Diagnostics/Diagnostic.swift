package import DefinitionModel

/// A message to the author about a place in the document.
package struct Diagnostic: Hashable, Sendable {
    package let severity: Severity
    /// A stable identifier of the kind of problem, such as `unknownRole`.
    package let id: String
    package let place: SourcePlace
    /// The length of the underlined range in Unicode scalars, at most to the end of the line.
    package let length: Int
    package let message: String
    /// How to fix the problem.
    package let help: String?
    /// Other places in the document that are related to the problem.
    package let related: [RelatedPlace]
}

/// A place related to a diagnostic, such as the first of two conflicting declarations.
package struct RelatedPlace: Hashable, Sendable {
    package let place: SourcePlace
    /// As in `Diagnostic`.
    package let length: Int
    /// A message about this place.
    package let message: String
}

/// The severity of a diagnostic.
package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// The document yields no definition.
    case error
    /// The definition is valid, but probably differs from the author's intention.
    case warning
    /// A statement about the diagnostics themselves.
    case note
}
