/// What a reader finds in a body, in this order: for each part that it began, bytes any number of
/// times, that it ended; then that all have ended.
package enum MultipartEvent: Hashable, Sendable {
    case partBegan(MultipartPart)
    /// The next bytes of the part, never none: a piece of what the reader was given last.
    case bytes(ArraySlice<UInt8>)
    case partEnded
    /// The last boundary came. What follows it is passed over.
    case ended
}

/// What a body of `multipart/form-data` may have at most.
package struct MultipartLimits: Hashable, Sendable {
    package var parts = 10
    /// Of all headers of one part, with the ends of their lines.
    package var headerBytes = 8 << 10

    package init() {}
}
