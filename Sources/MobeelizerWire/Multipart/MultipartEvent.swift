/// An event of a reader. Each part gives `partBegan`, any number of `bytes`, and `partEnded`;
/// `ended` follows the last part.
package enum MultipartEvent: Hashable, Sendable {
    case partBegan(MultipartPart)
    /// The next bytes of the part, not empty: a slice of the chunk that the reader was given.
    case bytes(ArraySlice<UInt8>)
    case partEnded
    /// The final boundary. The reader ignores everything after it.
    case ended
}

/// Limits for a `multipart/form-data` body.
package struct MultipartLimits: Hashable, Sendable {
    package var parts = 10
    /// All headers of one part, including line breaks.
    package var headerBytes = 8 << 10

    package init() {}
}
