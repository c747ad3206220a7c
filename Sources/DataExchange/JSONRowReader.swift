/// Splits JSON into rows, chunk by chunk, in memory of one row: the lines of a text, or the
/// elements of lists.
struct JSONRowReader {
    private var lines: JSONLineReader
    private var lists: JSONListReader
    /// The first bytes, as long as they do not tell whether rows are in lists; nil afterwards.
    private var start: [UInt8]?
    private var isList = false

    /// - Parameter takesLists: Whether rows may be in lists, as other services export them: `[…]`,
    ///   or `{"results":[…]}` and `{"items":[…]}`, which may follow each other.
    init(limits: RowLimits, takesLists: Bool) {
        lines = JSONLineReader(limits: limits)
        lists = JSONListReader(limits: limits)
        start = takesLists ? [] : nil
    }

    mutating func read(_ chunk: [UInt8]) -> [JSONLineItem] {
        guard let begun = start else { return isList ? lists.read(chunk) : lines.read(chunk) }
        let text = begun + chunk
        switch Self.beginsList(text) {
        case nil where text.count <= Self.mostUndecidedBytes:
            start = text
            return []
        case let answer:
            start = nil
            isList = answer ?? false
            return isList ? lists.read(text) : lines.read(text)
        }
    }

    mutating func finish() -> [JSONLineItem] {
        let begun = lines.read(start ?? [])
        start = nil
        return begun + (isList ? lists.finish() : lines.finish())
    }

    private static let mostUndecidedBytes = 4096
    private static let listStarts = ["[", #"{"results":["#, #"{"items":["#].map { Array($0.utf8) }

    /// Whether a text that begins so has its rows in lists; nil if more must be known.
    private static func beginsList(_ text: [UInt8]) -> Bool? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var written = text.prefix(mostUndecidedBytes).filter { !$0.isJSONSpace }
        if written.starts(with: mark) { written.removeFirst(mark.count) }
        if listStarts.contains(where: { written.starts(with: $0) }) { return true }
        let mayFollow = ([mark] + listStarts).contains { $0.starts(with: written) }
        return mayFollow ? nil : false
    }
}

/// Splits lists into their elements. It passes over all that is before, between and after lists.
struct JSONListReader {
    private enum State {
        case outside, between, row
    }

    private let limits: RowLimits
    private var state = State.outside
    /// Inside of a text, in a row or outside of lists.
    private var isInText = false
    private var isEscaped = false
    private var depth = 0
    private var row: [UInt8] = []
    private var isTooLong = false
    private var line = 1
    private var firstLine = 1
    private var items: [JSONLineItem] = []

    init(limits: RowLimits) { self.limits = limits }

    mutating func read(_ chunk: [UInt8]) -> [JSONLineItem] {
        for byte in chunk {
            take(byte)
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
        defer { items = [] }
        return items
    }

    mutating func finish() -> [JSONLineItem] {
        defer { items = [] }
        guard state != .outside else { return [] }
        return [
            .problem(
                .row(
                    state == .row ? firstLine : line, "notJSON",
                    "the list does not end, so a part of the file may be missing"))
        ]
    }

    private mutating func take(_ byte: UInt8) {
        if isInText {
            keep(byte)
            endText(at: byte)
            return
        }
        switch (state, byte) {
        case (.outside, UInt8(ascii: "[")): state = .between
        case (.between, UInt8(ascii: "]")): state = .outside
        case (.row, UInt8(ascii: ",")) where depth == 0: endRow(then: .between)
        case (.row, UInt8(ascii: "]")) where depth == 0: endRow(then: .outside)
        case (.between, UInt8(ascii: ",")): break
        case (.between, let byte) where byte.isJSONSpace: break
        case (.outside, _): isInText = byte == UInt8(ascii: "\"")
        case (.between, _):
            state = .row
            firstLine = line
            takeInRow(byte)
        case (.row, _): takeInRow(byte)
        }
    }

    private mutating func takeInRow(_ byte: UInt8) {
        keep(byte)
        switch byte {
        case UInt8(ascii: "\""): isInText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth = max(0, depth - 1)
        case _: break
        }
    }

    private mutating func keep(_ byte: UInt8) {
        guard state == .row else { return }
        if row.count == limits.rowBytes { isTooLong = true } else { row.append(byte) }
    }

    private mutating func endText(at byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
        }
    }

    private mutating func endRow(then next: State) {
        if isTooLong {
            items.append(.problem(.tooLong(firstLine, limits)))
        } else {
            items.append(.line(firstLine, row))
        }
        row.removeAll(keepingCapacity: true)
        isTooLong = false
        state = next
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

extension RowProblem {
    /// A problem of a row of JSON beyond the limit.
    static func tooLong(_ line: Int, _ limits: RowLimits) -> RowProblem {
        .row(line, "rowTooLong", "the row has more than \(limits.rowBytes) bytes, shorten it")
    }
}
