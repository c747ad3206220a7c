import DefinitionModel
import Foundation

/// A document's text in UTF-8 without a byte-order mark, with conversions between byte offsets and
/// places.
///
/// A line ends with LF, CR LF or CR. The index has an entry for every 256th byte, so a lookup costs
/// the same whether a document has one line or many.
struct SourceText {
    let bytes: [UInt8]
    private let lines: LineIndex
    /// The column of the first byte of each block. Empty if the text is ASCII, since columns then
    /// follow from offsets.
    private let blockColumns: [UInt32]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        lines = bytes.withUnsafeBufferPointer { LineIndex($0) }
        blockColumns = isASCII(bytes) ? [] : columns(ofBlocksIn: bytes, lines: lines)
    }

    /// The place of the scalar that contains the byte. An offset past the end is treated as the
    /// end.
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

    /// The number of scalars that start after `first`, up to `last`. The end of the text counts as
    /// a start.
    private func scalars(after first: Int, through last: Int) -> Int {
        guard first < last else { return 0 }
        let end = min(last + 1, bytes.count)
        return bytes[first + 1..<end].reduce(last - end + 1) { $0 + (isContinuation($1) ? 0 : 1) }
    }

    /// The number of scalars in a range, at most to the end of its first line.
    func length(of range: Range<Int>) -> Int {
        let bytes = bytes[range.clamped(to: 0..<bytes.count)]
        return bytes.prefix { !isLineEnd($0) }.reduce(0) { $0 + (isContinuation($1) ? 0 : 1) }
    }

    /// The offset of a place. If the line is shorter, the offset after the line; if there is no
    /// such line, the end of the text.
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

    /// The last block start in a line that is not after a column, or the start of the line.
    private func blockStart(before column: Int, from start: Int, to end: Int) -> Int {
        let first = start / LineIndex.blockSize + 1
        let last = max(first, (end - 1) / LineIndex.blockSize + 1)
        let next = (first..<last).partitioningIndex { blockColumns[$0] > column }
        return next == first ? start : (next - 1) * LineIndex.blockSize
    }
}

/// The starts of the lines of a text.
struct LineIndex {
    static let blockSize = 256

    /// The first byte of each line, including the first line.
    private(set) var starts: [UInt32] = [0]
    /// The line, from 0, of the first byte of each block.
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

    /// The last byte of the next line break: the LF of a CR LF.
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

/// Whether a byte is a continuation byte of UTF-8.
func isContinuation(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }

/// Whether a byte is white space in XML.
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
}
