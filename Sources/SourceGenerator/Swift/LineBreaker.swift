/// Breaks a long literal into lines, piece by piece: after the last piece that is the end of a
/// word, or where no word ends, after the last piece that fits. A piece is never broken.
///
/// The text is kept as UTF-8, because a definition has millions of pieces.
struct LineBreaker {
    private let columns: Int
    private let end: Unicode.Scalar
    private let separator: [UInt8]
    private var text: [UInt8] = []
    /// The columns of the last line so far.
    private var width = 0
    /// The end of the line's last word: its offset in the text, and the line's width up to it.
    private var wordEnd: (offset: Int, width: Int)?

    /// `separator` is inserted between lines, and does not count as columns.
    init(columns: Int, breakingAfter end: Unicode.Scalar, separator: String) {
        self.columns = columns
        self.end = end
        self.separator = Array(separator.utf8)
    }

    /// One column wide.
    mutating func append(_ scalar: Unicode.Scalar) {
        makeRoom(for: 1)
        if scalar.isASCII {
            text.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        width += 1
        if scalar == end { wordEnd = (text.count, width) }
    }

    /// One scalar, or the escape of one.
    mutating func append(_ piece: String) {
        let scalars = piece.unicodeScalars
        if let scalar = scalars.first, scalars.count == 1 { return append(scalar) }
        makeRoom(for: scalars.count)
        text.append(contentsOf: piece.utf8)
        width += scalars.count
    }

    /// All lines, joined by the separator.
    consuming func finish() -> String {
        String(decoding: text, as: UTF8.self)
    }

    private mutating func makeRoom(for more: Int) {
        while width > 0, width + more > columns {
            let (offset, brokenWidth) = wordEnd ?? (text.count, width)
            text.insert(contentsOf: separator, at: offset)
            width -= brokenWidth
            wordEnd = nil
        }
    }
}
