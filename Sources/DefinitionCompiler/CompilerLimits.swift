/// What a document may cost. Beyond these it is refused with a diagnostic that names the limit.
///
/// A number outside of its range is taken into it. The defaults let ten thousand models of ordinary
/// size through, which are 48 MB and take 400 MB of memory; the most that a document within them
/// was seen to take is 900 MB.
package struct CompilerLimits: Hashable, Sendable {
    /// As the document came, before it is turned into UTF-8.
    package let maxBytes: Int
    /// Elements within elements; the language itself needs 7.
    package let maxDepth: Int
    package let maxElements: Int
    /// Per element, with the declarations of namespaces.
    package let maxAttributes: Int
    /// More are counted and not shown.
    package let maxDiagnostics: Int

    /// Ends where libxml2 could no longer count: it does so with 32 bits, and a text in ISO-8859-1
    /// can take twice as many bytes in UTF-8.
    package static let bytesRange = 1...1_000_000_000
    /// Ends where libxml2 ends.
    package static let depthRange = 1...256
    /// Ends where no document could have more.
    package static let elementsRange = 1...250_000_000
    /// Ends early: libxml2 compares each attribute of an element with all the others.
    package static let attributesRange = 1...10_000
    package static let diagnosticsRange = 1...1_000_000

    package init(
        maxBytes: Int = 64 << 20, maxDepth: Int = 32, maxElements: Int = 2_000_000,
        maxAttributes: Int = 64, maxDiagnostics: Int = 500
    ) {
        self.maxBytes = Self.bytesRange.nearest(to: maxBytes)
        self.maxDepth = Self.depthRange.nearest(to: maxDepth)
        self.maxElements = Self.elementsRange.nearest(to: maxElements)
        self.maxAttributes = Self.attributesRange.nearest(to: maxAttributes)
        self.maxDiagnostics = Self.diagnosticsRange.nearest(to: maxDiagnostics)
    }

    /// For a document that was taken before, under limits that are not known any more.
    package static let greatest = CompilerLimits(
        maxBytes: .max, maxDepth: .max, maxElements: .max, maxAttributes: .max,
        maxDiagnostics: .max)
}

extension ClosedRange {
    fileprivate func nearest(to value: Bound) -> Bound {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}
