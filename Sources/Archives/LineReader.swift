import Foundation

/// Reads the lines of an entry. A line ends with a line feed or, for the last one, at the end of
/// the entry.
package final class LineReader {
    private static let chunkBytes = 64 << 10

    private let reader: EntryReader
    private let maxBytes: Int
    private var chunk: [UInt8] = []
    private var position = 0
    private var isAtStart = true
    private var failure: ArchiveError?
    /// The number of the last returned line, from 1.
    package private(set) var number = 0

    init(_ reader: EntryReader, maxBytes: Int) {
        self.reader = reader
        self.maxBytes = maxBytes
    }

    /// Returns the next line without its LF or CR LF, and without a byte-order mark on the first
    /// line; nil at the end. After an error, every call throws the same error.
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
            line += chunk[position..<(end ?? chunk.count)]
            // A carriage return may be part of the line break.
            guard line.count - 1 <= maxBytes else { throw tooLong }
            position = end.map { $0 + 1 } ?? chunk.count
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

    /// Reads the next chunk if this one is used up; returns false at the end.
    private func fill() throws(ArchiveError) -> Bool {
        guard position == chunk.count else { return true }
        chunk = try reader.next(Self.chunkBytes)
        let hasMark = isAtStart && chunk.starts(with: [0xEF, 0xBB, 0xBF])
        position = hasMark ? 3 : 0
        isAtStart = false
        return position < chunk.count
    }

    private func lineFeed() -> Int? {
        chunk.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress,
                let found = memchr(start + position, 0x0A, bytes.count - position)
            else { return nil }
            return UnsafeRawPointer(found) - start
        }
    }
}
