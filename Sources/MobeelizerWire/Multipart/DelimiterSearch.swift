/// How far contents go in a piece of a body.
struct DelimiterSearch {
    /// Bytes of the delimiter that came with earlier pieces, and turned out to be contents.
    private(set) var released = 0
    /// Bytes of this piece, from its start, that are contents.
    private(set) var contents = 0
    /// Bytes of this piece that were looked at. What is behind the contents belongs to what may be
    /// a delimiter.
    private(set) var searched = 0
    /// Bytes of the delimiter that have come: all of them where it was found.
    private(set) var matched: Int

    /// - Parameter matched: bytes of the delimiter that came with earlier pieces.
    init(for delimiter: [UInt8], in piece: UnsafeBufferPointer<UInt8>, matched earlier: Int) {
        matched = earlier
        while searched < piece.count && matched < delimiter.count {
            if matched == 0 {
                searched = firstReturn(in: piece, from: searched)
                guard searched < piece.count else { break }
                matched = 1
                searched += 1
            } else if piece[searched] == delimiter[matched] {
                matched += 1
                searched += 1
            } else {
                // Only its first byte is a CR, so it cannot begin within what has matched.
                matched = 0
            }
        }
        guard searched >= matched else { return }
        contents = searched - matched
        released = earlier
    }
}

/// Its place, or the end.
private func firstReturn(in piece: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var place = start
    while place < piece.count && piece[place] != UInt8(ascii: "\r") { place += 1 }
    return place
}

/// What a delimiter turns out to be by what stands behind it.
enum DelimiterTail: Hashable {
    case partFollows
    case isLast
    /// More has to come to tell.
    case mayEnd
    case isContents

    /// Mail programs may have put blanks behind it.
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
