/// Splits text into lines, chunk by chunk, in memory of one line. Blank lines are left out, and a
/// line feed or CR LF ends a line.
struct JSONLineReader {
    private let limits: RowLimits
    private var line: [UInt8] = []
    private var number = 1
    private var isTooLong = false
    private var items: [JSONLineItem] = []

    init(limits: RowLimits) { self.limits = limits }

    mutating func read(_ chunk: [UInt8]) -> [JSONLineItem] {
        for byte in chunk {
            if byte == UInt8(ascii: "\n") {
                endLine()
            } else if line.count == limits.rowBytes {
                isTooLong = true
            } else {
                line.append(byte)
            }
        }
        defer { items = [] }
        return items
    }

    mutating func finish() -> [JSONLineItem] {
        endLine()
        defer { items = [] }
        return items
    }

    private mutating func endLine() {
        if number == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        if isTooLong {
            items.append(.problem(.tooLong(number, limits)))
        } else if line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) {
            items.append(.line(number, line))
        }
        line.removeAll(keepingCapacity: true)
        isTooLong = false
        number += 1
    }
}

/// A line of text, or a problem with it.
enum JSONLineItem: Hashable, Sendable {
    case line(Int, [UInt8])
    case problem(RowProblem)
}
