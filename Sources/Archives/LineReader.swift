import Foundation

/// The lines of an entry, one after the other. A line is ended by a line feed, the last one also by
/// the end of the entry.
package final class LineReader {
    private static let pieceBytes = 64 << 10

    private let reader: EntryReader
    private let maxBytes: Int
    private var piece: [UInt8] = []
    private var position = 0
    private var isAtStart = true
    private var failure: ArchiveError?
    /// Of the line that was given last, from 1.
    package private(set) var number = 0

    init(_ reader: EntryReader, maxBytes: Int) {
        self.reader = reader
        self.maxBytes = maxBytes
    }

    /// Without its end, be it LF or CR LF, and without a byte-order mark before the first; nil
    /// behind the last. After an error, every call gives that error.
    package func next() throws(ArchiveError) -> [UInt8]? {
        if let failure { throw failure }
        do throws(ArchiveError) {
            let line = try readLine()
            number += line == nil ? 0 : 1
            return line
        } catch {
            failure = error
            throw error
        }
    }

    private func readLine() throws(ArchiveError) -> [UInt8]? {
        var line: [UInt8] = []
        while try fill() {
            let end = lineFeed()
            line += piece[position..<(end ?? piece.count)]
            // A carriage return may turn out to be part of the line's end.
            guard line.count - 1 <= maxBytes else { throw tooLong }
            position = end.map { $0 + 1 } ?? piece.count
            guard end == nil else { return try checked(line, cuttingReturn: true) }
        }
        return line.isEmpty ? nil : try checked(line, cuttingReturn: false)
    }

    private func checked(
        _ line: [UInt8], cuttingReturn: Bool
    ) throws(ArchiveError) -> [UInt8] {
        var line = line
        if cuttingReturn && line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= maxBytes else { throw tooLong }
        return line
    }

    private var tooLong: ArchiveError {
        .entry(reader.entry.name, .lineTooLong(line: number + 1, maxBytes: maxBytes))
    }

    /// Gets the next piece where this one is used up; false at the end.
    private func fill() throws(ArchiveError) -> Bool {
        guard position == piece.count else { return true }
        piece = try reader.next(Self.pieceBytes)
        let hasMark = isAtStart && piece.starts(with: [0xEF, 0xBB, 0xBF])
        position = hasMark ? 3 : 0
        isAtStart = false
        return position < piece.count
    }

    private func lineFeed() -> Int? {
        piece.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = memchr(start + position, 0x0A, bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }
}
