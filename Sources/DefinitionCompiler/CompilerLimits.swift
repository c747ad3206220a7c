/// Resource limits for a document. A document beyond one of them is refused with a diagnostic that
/// names the limit.
///
/// A value outside its range is clamped. The defaults accept ten thousand models of ordinary size,
/// which are 48 MB and take 400 MB of memory. The most memory that a document within the defaults
/// has been observed to take is 900 MB.
package struct CompilerLimits: Hashable, Sendable {
    /// The size of the document before it is transcoded to UTF-8.
    package let maxBytes: Int
    /// The depth of nested elements; the language itself needs 7.
    package let maxDepth: Int
    package let maxElements: Int
    /// Per element, including namespace declarations.
    package let maxAttributes: Int
    /// Further diagnostics are counted but not shown.
    package let maxDiagnostics: Int

    /// The upper bound keeps libxml2's 32-bit counters from overflowing: a text in ISO-8859-1 can
    /// take twice as many bytes in UTF-8.
    package static let bytesRange = 1...1_000_000_000
    /// The upper bound is that of libxml2.
    package static let depthRange = 1...256
    /// The upper bound exceeds the elements of any document within `bytesRange`.
    package static let elementsRange = 1...250_000_000
    /// The upper bound is low because libxml2 compares each attribute of an element with all
    /// others.
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

    /// For a document that was accepted before under limits that are no longer known.
    package static let greatest = CompilerLimits(
        maxBytes: .max, maxDepth: .max, maxElements: .max, maxAttributes: .max,
        maxDiagnostics: .max)
}

extension ClosedRange {
    fileprivate func nearest(to value: Bound) -> Bound {
        Swift.min(Swift.max(value, lowerBound), upperBound)
    }
}
