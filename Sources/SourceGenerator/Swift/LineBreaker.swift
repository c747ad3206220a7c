/// Breaks a long literal into lines, piece by piece: after the last piece that is the end of a
/// word, or where no word ends, after the last piece that fits. A piece is never broken.
struct LineBreaker {
    private let columns: Int
    private let end: Unicode.Scalar
    private var lines: [String] = []
    private var line = ""
    private var width = 0
    /// Where the last word of the line ends, in UTF-8 code units, and its width there.
    private var wordEnd: (offset: Int, width: Int)?

    init(columns: Int, breakingAfter end: Unicode.Scalar) {
        self.columns = columns
        self.end = end
    }

    /// One column wide.
    mutating func append(_ scalar: Unicode.Scalar) {
        makeRoom(for: 1)
        line.unicodeScalars.append(scalar)
        width += 1
        if scalar == end { wordEnd = (line.utf8.count, width) }
    }

    /// One scalar, or the escape of one.
    mutating func append(_ piece: String) {
        let scalars = piece.unicodeScalars
        if let scalar = scalars.first, scalars.count == 1 { return append(scalar) }
        makeRoom(for: scalars.count)
        line += piece
        width += scalars.count
    }

    /// All lines, none where nothing was appended.
    consuming func finish() -> [String] {
        line.isEmpty ? lines : lines + [line]
    }

    private mutating func makeRoom(for more: Int) {
        while width > 0, width + more > columns {
            let (offset, brokenWidth) = wordEnd ?? (line.utf8.count, width)
            lines.append(String(Substring(line.utf8.prefix(offset))))
            line = String(Substring(line.utf8.dropFirst(offset)))
            width -= brokenWidth
            wordEnd = nil
        }
    }
}
