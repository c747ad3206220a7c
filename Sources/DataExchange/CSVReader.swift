/// Reads CSV (RFC 4180, UTF-8, with or without a byte-order mark) chunk by chunk, with one row at a
/// time in memory. Rows end with CR LF or LF, and blank lines are skipped. After a row that is too
/// large, reading continues with the next row, and after another problem with the next line.
struct CSVReader {
    private enum State {
        case fieldStart, unquoted, quoted, quoteInQuoted, afterReturn
        /// Between a problem and the end of its line.
        case skipping
    }

    private let limits: RowLimits
    private var state = State.fieldStart
    /// The first bytes, as long as they may be a byte-order mark; nil afterwards.
    private var mark: [UInt8]? = []
    private var field: [UInt8] = []
    private var isQuoted = false
    private var cells: [CSVCell] = []
    private var rowBytes = 0
    /// Whether the row exceeds a limit: it is read to its end, and nothing of it is kept.
    private var isTooLarge = false
    private var line = 1
    private var firstLine = 1
    private var items: [CSVItem] = []

    init(limits: RowLimits) { self.limits = limits }

    /// Returns the rows and problems that end in the chunk.
    mutating func read(_ chunk: [UInt8]) -> [CSVItem] {
        for byte in chunk { takeAfterMark(byte) }
        defer { items = [] }
        return items
    }

    /// Returns the last row, if no line feed ends it.
    mutating func finish() -> [CSVItem] {
        endMark()
        switch state {
        case .quoted:
            fail("unclosedQuote", "the quote of this field is not closed, close it")
        case .fieldStart where cells.isEmpty, .skipping: break
        case .fieldStart, .unquoted, .quoteInQuoted, .afterReturn: endRow()
        }
        defer { items = [] }
        return items
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func takeAfterMark(_ byte: UInt8) {
        guard var start = mark else { return take(byte) }
        start.append(byte)
        mark = start
        if start == Self.byteOrderMark {
            mark = nil
        } else if !Self.byteOrderMark.starts(with: start) {
            endMark()
        }
    }

    /// Takes bytes that turned out not to be a mark.
    private mutating func endMark() {
        let start = mark ?? []
        mark = nil
        for byte in start { take(byte) }
    }

    private mutating func take(_ byte: UInt8) {
        let isLineEnd = byte == UInt8(ascii: "\n")
        defer { if isLineEnd { line += 1 } }
        let isQuote = byte == UInt8(ascii: "\"")
        switch state {
        case .skipping: if isLineEnd { startRow() }
        case .quoted: if isQuote { state = .quoteInQuoted } else { append(byte) }
        case .quoteInQuoted:
            if isQuote {
                state = .quoted
                append(byte)
            } else if !endsField(byte) {
                fail("textAfterQuote", "text follows the closing quote, double quotes in a field")
            }
        case .fieldStart:
            if isQuote {
                isQuoted = true
                state = .quoted
            } else if !endsField(byte) {
                state = .unquoted
                append(byte)
            }
        case .unquoted:
            if isQuote {
                fail("quoteInField", "a quote is in a field without quotes, quote the field")
            } else if !endsField(byte) {
                append(byte)
            }
        case .afterReturn:
            guard !isLineEnd else { return endRow() }
            fail("loneReturn", "a carriage return has no line feed after it, quote the field")
        }
    }

    /// Ends the field at a separator. Returns false for other bytes.
    private mutating func endsField(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","): endField()
        case UInt8(ascii: "\n"): endRow()
        case UInt8(ascii: "\r"): state = .afterReturn
        case _: return false
        }
        return true
    }

    private mutating func append(_ byte: UInt8) {
        guard !isTooLarge else { return }
        field.append(byte)
        rowBytes += 1
        if field.count > limits.fieldBytes {
            exceed("fieldTooLong", "the field has more than \(limits.fieldBytes) bytes, shorten it")
        } else if rowBytes > limits.rowBytes {
            exceed("rowTooLong", "the row has more than \(limits.rowBytes) bytes, shorten it")
        }
    }

    private mutating func endField() {
        state = .fieldStart
        defer { isQuoted = false }
        guard !isTooLarge else { return }
        cells.append(CSVCell(text: String(validating: field, as: UTF8.self), isQuoted: isQuoted))
        field.removeAll(keepingCapacity: true)
        if cells.count > limits.columns {
            exceed("tooManyColumns", "the row has more than \(limits.columns) columns, remove some")
        }
    }

    private mutating func endRow() {
        endField()
        guard !isTooLarge else { return startRow() }
        let isBlank = cells.count == 1 && cells[0].isNull
        if let index = cells.firstIndex(where: { $0.text == nil }) {
            items.append(
                .problem(
                    RowProblem(
                        line: firstLine, column: index + 1, code: "notUTF8",
                        message: "the field is not UTF-8, encode the file so")))
        } else if !isBlank {
            items.append(.row(line: firstLine, cells))
        }
        startRow()
    }

    private mutating func startRow() {
        cells = []
        field.removeAll(keepingCapacity: true)
        isQuoted = false
        rowBytes = 0
        isTooLarge = false
        firstLine = line + 1
        state = .fieldStart
    }

    private mutating func fail(_ code: String, _ message: String) {
        if !isTooLarge { report(code, message) }
        state = .skipping
    }

    private mutating func exceed(_ code: String, _ message: String) {
        report(code, message)
        isTooLarge = true
        field.removeAll()
    }

    private mutating func report(_ code: String, _ message: String) {
        items.append(
            .problem(
                RowProblem(
                    line: firstLine, column: cells.count + 1, code: code, message: message)))
    }
}

/// A field of a CSV file.
struct CSVCell: Hashable, Sendable {
    /// Nil if the bytes are not UTF-8.
    let text: String?
    let isQuoted: Bool

    /// An empty field without quotes is null, and one with quotes is the empty text.
    var isNull: Bool { text?.isEmpty == true && !isQuoted }
}

/// A part of a CSV file.
enum CSVItem: Hashable, Sendable {
    case row(line: Int, [CSVCell])
    case problem(RowProblem)
}
