/// Searches a chunk of a body for the delimiter.
struct DelimiterSearch {
    /// Bytes held back from earlier chunks that turned out to be contents.
    private(set) var released = 0
    /// The number of bytes of contents at the start of this chunk.
    private(set) var contents = 0
    /// The number of bytes examined. Those after the contents may belong to a delimiter.
    private(set) var searched = 0
    /// The number of matched bytes of the delimiter; all of them if it was found.
    private(set) var matched: Int

    /// - Parameter matched: The number of bytes matched in earlier chunks.
    init(for delimiter: [UInt8], in chunk: UnsafeBufferPointer<UInt8>, matched earlier: Int) {
        matched = earlier
        while searched < chunk.count && matched < delimiter.count {
            if matched == 0 {
                searched = firstCarriageReturn(in: chunk, from: searched)
                guard searched < chunk.count else { break }
                matched = 1
                searched += 1
            } else if chunk[searched] == delimiter[matched] {
                matched += 1
                searched += 1
            } else {
                // CR occurs only at the start of the delimiter, so no other match can begin within
                // this one.
                matched = 0
            }
        }
        guard searched >= matched else { return }
        contents = searched - matched
        released = earlier
    }
}

/// The index of the next CR, or the end.
private func firstCarriageReturn(in chunk: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var place = start
    while place < chunk.count && chunk[place] != UInt8(ascii: "\r") { place += 1 }
    return place
}

/// The meaning of a delimiter, which depends on the bytes after it.
enum DelimiterTail: Hashable {
    case partFollows
    case isLast
    /// Undecided: more bytes are needed.
    case mayEnd
    case isContents

    /// RFC 2046 allows padding after a boundary, which mail software may add.
    private static let maxBlanks = 80

    init(_ tail: [UInt8]) {
        let rest = tail.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let blanks = tail.count - rest.count
        switch Array(rest) {
        case [13, 10]: self = .partFollows
        case [45, 45] where blanks == 0: self = .isLast
        case [45] where blanks == 0: self = .mayEnd
        case [], [13]: self = blanks <= Self.maxBlanks ? .mayEnd : .isContents
        default: self = .isContents
        }
    }
}
