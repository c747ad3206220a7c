import DefinitionModel
import Foundation

/// A document's text in UTF-8, without its byte-order mark, and the way from a byte to its line
/// and column and back.
///
/// A line ends with LF, CR LF or CR. What is needed for a place is kept for every 256th byte, so
/// that finding one costs the same in a document of one line as in a document of many.
struct SourceText {
    let bytes: [UInt8]
    private let lines: LineIndex
    /// The column of the first byte of each block. Empty where all is ASCII, since a column can
    /// then be counted.
    private let blockColumns: [UInt32]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        lines = bytes.withUnsafeBufferPointer { LineIndex($0) }
        blockColumns = isASCII(bytes) ? [] : columns(ofBlocksIn: bytes, lines: lines)
    }

    /// Of the scalar that the byte belongs to. An offset past the end is taken for the end.
    func place(at offset: Int) -> SourcePlace {
        let offset = min(max(offset, 0), bytes.count)
        let line = lines.line(at: offset)
        let start = lines.starts[line]
        return SourcePlace(line: line + 1, column: column(of: offset, inLineFrom: Int(start)))
    }

    private func column(of offset: Int, inLineFrom start: Int) -> Int {
        guard !blockColumns.isEmpty else { return offset - start + 1 }
        let block = offset / LineIndex.blockSize
        let blockStart = block * LineIndex.blockSize
        return blockStart > start
            ? Int(blockColumns[block]) + scalars(after: blockStart, through: offset)
            : 1 + scalars(after: start, through: offset)
    }

    /// The scalars that begin behind one byte and not behind another. One begins at the end of the
    /// text, as far as this is concerned.
    private func scalars(after first: Int, through last: Int) -> Int {
        guard first < last else { return 0 }
        let end = min(last + 1, bytes.count)
        return bytes[first + 1..<end].reduce(last - end + 1) { $0 + (isContinuation($1) ? 0 : 1) }
    }

    /// The number of scalars in a range, up to the end of the line in which it starts.
    func length(of range: Range<Int>) -> Int {
        let bytes = bytes[range.clamped(to: 0..<bytes.count)]
        return bytes.prefix { !isLineEnd($0) }.reduce(0) { $0 + (isContinuation($1) ? 0 : 1) }
    }

    /// The first byte of what stands at a place, or of what follows the line if it is shorter; the
    /// end of the text if it has no such line.
    func offset(of place: SourcePlace) -> Int {
        guard place.line <= lines.starts.count else { return bytes.count }
        let start = Int(lines.starts[place.line - 1])
        let end =
            place.line < lines.starts.count ? Int(lines.starts[place.line]) : bytes.count
        guard !blockColumns.isEmpty else { return min(start + place.column - 1, end) }
        var offset = blockStart(before: place.column, from: start, to: end)
        var column = column(of: offset, inLineFrom: start)
        while offset < end, column < place.column || isContinuation(bytes[offset]) {
            offset += 1
            column += offset < bytes.count && isContinuation(bytes[offset]) ? 0 : 1
        }
        return offset
    }

    /// The last start of a block in a line that is not behind a column, or else the line's start.
    private func blockStart(before column: Int, from start: Int, to end: Int) -> Int {
        let first = start / LineIndex.blockSize + 1
        let last = max(first, (end - 1) / LineIndex.blockSize + 1)
        let next = (first..<last).partitioningIndex { blockColumns[$0] > column }
        return next == first ? start : (next - 1) * LineIndex.blockSize
    }
}

/// Where the lines of a text begin.
struct LineIndex {
    static let blockSize = 256

    /// The first byte of each line, the first line's included.
    private(set) var starts: [UInt32] = [0]
    /// The line that the first byte of each block is in, from 0.
    private(set) var ofBlocks: [UInt32] = []

    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
        starts.reserveCapacity(bytes.count / 64)
        ofBlocks.reserveCapacity(bytes.count / Self.blockSize + 1)
        let hasReturns = bytes.next(UInt8(ascii: "\r"), from: 0) != nil
        var offset = 0
        while let end = hasReturns
            ? bytes.lineEnd(from: offset) : bytes.next(UInt8(ascii: "\n"), from: offset)
        {
            offset = end + 1
            addBlocks(upTo: offset)
            starts.append(UInt32(truncatingIfNeeded: offset))
        }
        addBlocks(upTo: bytes.count + 1)
    }

    private mutating func addBlocks(upTo end: Int) {
        while ofBlocks.count * Self.blockSize < end {
            ofBlocks.append(UInt32(truncatingIfNeeded: starts.count - 1))
        }
    }

    /// The line of a byte, from 0.
    func line(at offset: Int) -> Int {
        var line = Int(ofBlocks[offset / Self.blockSize])
        while line + 1 < starts.count, starts[line + 1] <= offset { line += 1 }
        return line
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func next(_ byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count else { return nil }
        guard let found = memchr(base + start, Int32(byte), count - start) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The last byte of the next end of a line: the LF of a CR LF.
    fileprivate func lineEnd(from start: Int) -> Int? {
        let end = self[start...].firstIndex(where: isLineEnd)
        return end.map { end in
            let isPair =
                self[end] == UInt8(ascii: "\r") && end + 1 < count
                && self[end + 1] == UInt8(ascii: "\n")
            return isPair ? end + 1 : end
        }
    }
}

private func columns(ofBlocksIn bytes: [UInt8], lines: LineIndex) -> [UInt32] {
    var columns: [UInt32] = []
    columns.reserveCapacity(lines.ofBlocks.count)
    for block in lines.ofBlocks.indices {
        let offset = block * LineIndex.blockSize
        let lineStart = Int(lines.starts[Int(lines.ofBlocks[block])])
        let before = offset - LineIndex.blockSize
        let isSameLine = before >= lineStart && block > 0
        let (start, column) = isSameLine ? (before, columns[block - 1]) : (lineStart, 1)
        let begun = (start..<offset).reduce(UInt32(0)) { count, index in
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            return count + (isContinuation(next) ? 0 : 1)
        }
        columns.append(column + begun)
    }
    return columns
}

func isASCII(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { $0.reduce(UInt8(0), |) } < 0x80
}

func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

/// Whether a byte of UTF-8 goes on with a scalar that began before it.
func isContinuation(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }

/// What XML takes for white space.
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
}
