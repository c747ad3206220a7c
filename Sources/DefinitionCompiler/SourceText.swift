import DefinitionModel

/// A document's text in UTF-8, without its byte-order mark, and the way from a byte to its line
/// and column and back.
///
/// A line ends with LF, CR LF or CR. The place of every 64th byte is kept, so that finding one
/// costs the same in a document of one line as in a document of many.
struct SourceText {
    let bytes: [UInt8]
    private let waypoints: [SourcePlace]

    private static let distance = 64

    init(bytes: [UInt8]) {
        self.bytes = bytes
        var waypoints: [SourcePlace] = []
        waypoints.reserveCapacity(bytes.count / Self.distance + 1)
        bytes.withUnsafeBufferPointer { bytes in
            var walk = Walk()
            for offset in stride(from: 0, through: bytes.count, by: Self.distance) {
                walk.advance(to: offset, in: bytes)
                waypoints.append(walk.place)
            }
        }
        self.waypoints = waypoints
    }

    /// Of the scalar that the byte belongs to. An offset past the end is taken for the end.
    func place(at offset: Int) -> SourcePlace {
        let offset = min(max(offset, 0), bytes.count)
        return bytes.withUnsafeBufferPointer { bytes in
            var walk = walkFromWaypoint(offset / Self.distance)
            walk.advance(to: offset, in: bytes)
            return walk.place
        }
    }

    /// The number of scalars in a range, up to the end of the line in which it starts.
    func length(of range: Range<Int>) -> Int {
        let bytes = bytes[range.clamped(to: 0..<bytes.count)]
        return bytes.prefix { !isLineEnd($0) }.reduce(0) { $0 + (isContinuation($1) ? 0 : 1) }
    }

    /// The first byte of what stands at a place, or the end of the text if it has no such place.
    func offset(of place: SourcePlace) -> Int {
        let next = waypoints.partitioningIndex { isBefore(place, $0) }
        return bytes.withUnsafeBufferPointer { bytes in
            var walk = walkFromWaypoint(max(0, next - 1))
            while walk.offset < bytes.count, isBefore(walk.place, place) {
                walk.step(in: bytes)
            }
            while walk.offset > 0, walk.offset < bytes.count, isContinuation(bytes[walk.offset]) {
                walk.offset -= 1
            }
            return walk.offset
        }
    }

    private func walkFromWaypoint(_ index: Int) -> Walk {
        Walk(
            offset: index * Self.distance, line: waypoints[index].line,
            column: waypoints[index].column)
    }
}

func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

/// Whether a byte of UTF-8 goes on with a scalar that began before it.
func isContinuation(_ byte: UInt8) -> Bool { byte & 0b1100_0000 == 0b1000_0000 }

/// What XML takes for white space.
func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || isLineEnd(byte)
}

private func isBefore(_ left: SourcePlace, _ right: SourcePlace) -> Bool {
    (left.line, left.column) < (right.line, right.column)
}

/// Somebody who goes through the text byte by byte and knows the place.
private struct Walk {
    var offset = 0
    var line = 1
    var column = 1

    var place: SourcePlace { SourcePlace(line: line, column: column) }

    mutating func advance(to end: Int, in bytes: UnsafeBufferPointer<UInt8>) {
        while offset < end { step(in: bytes) }
    }

    mutating func step(in bytes: UnsafeBufferPointer<UInt8>) {
        let byte = bytes[offset]
        offset += 1
        let next = offset < bytes.count ? bytes[offset] : 0
        if byte == UInt8(ascii: "\n")
            || (byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n"))
        {
            line += 1
            column = 1
        } else if !isContinuation(next) {
            column += 1
        }
    }
}

extension Array {
    /// The first index whose element fulfils the predicate, where all after it do too.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                isAfter(self[middle])
                ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
