import ArchiveKit
import TestKit
import Testing

@testable import Archives

/// Reading the lines of an entry.
@Suite struct LineReaderTests {
    private static let mark = "\u{FEFF}"

    private func reader(of bytes: [UInt8], maxBytes: Int) throws -> LineReader {
        let folder = try TemporaryFolder()
        let writer = try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
        try writer.add("data", bytes: bytes)
        try writer.finish()
        return try ArchiveReader(path: folder.path("a.zip")).lines(of: "data", maxBytes: maxBytes)
    }

    private func lines(of bytes: [UInt8], maxBytes: Int = 1 << 20) throws -> [[UInt8]] {
        let reader = try reader(of: bytes, maxBytes: maxBytes)
        var lines: [[UInt8]] = []
        while let line = try reader.next() {
            lines.append(line)
            #expect(reader.number == lines.count)
        }
        #expect(try reader.next() == nil)
        return lines
    }

    @Test(arguments: [
        ("", []),
        ("one", ["one"]),
        ("one\n", ["one"]),
        ("one\ntwo", ["one", "two"]),
        ("one\r\ntwo\r\n", ["one", "two"]),
        ("\n", [""]),
        ("\n\n", ["", ""]),
        ("\r\n", [""]),
        ("one\n\ntwo\n", ["one", "", "two"]),
        ("o\rne\r\r\n", ["o\rne\r"]),
        ("one\r", ["one\r"]),
        (mark, []),
        (mark + "one\n" + mark + "two", ["one", mark + "two"]),
        (mark + "\n", [""]),
    ])
    func lineIsEndedByLineFeedOrTheEnd(text: String, expected: [String]) throws {
        let lines = try lines(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        #expect(lines == expected)
    }

    /// At any alignment of line breaks and chunks.
    @Test func linesAreOfAnyLength() throws {
        for length in [65_533, 65_534, 65_535, 65_536, 65_537, 131_072, 300_000] {
            let long = [UInt8](repeating: 65, count: length)
            let bytes = long + [13, 10] + long + [10] + Array("short\n".utf8) + long
            #expect(try lines(of: bytes) == [long, long, Array("short".utf8), long])
        }
    }

    /// The second chunk of 64 KiB begins with it.
    @Test func markBelongsToLineWhereverElseItStands() throws {
        let long = [UInt8](repeating: 65, count: 65_535)
        let marked = Array(Self.mark.utf8) + [66]
        #expect(try lines(of: long + [10] + marked) == [long, marked])
    }

    /// Bytes beyond the limit are not read: the truncated archive would cause another error.
    @Test func lineThatIsTooLongIsNotRead() throws {
        let entry = HandMadeEntry("data", [UInt8](repeating: 65, count: 70_000)).with {
            $0.checksum = 0
        }
        let archive = try StoredArchive(HandMadeArchive([entry]).bytes)
        let reader = try ArchiveReader(path: archive.path).lines(of: "data", maxBytes: 6)
        #expect(throws: ArchiveError.entry("data", .lineTooLong(line: 1, maxBytes: 6))) {
            try reader.next()
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func anyLinesAreRead(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ends: [[UInt8]] = [[10], [13, 10], [13], [0xEF, 0xBB, 0xBF], [65], [10, 10]]
        var bytes: [UInt8] = []
        for _ in 0..<random.number(in: 0...300) {
            bytes += [UInt8](repeating: 97, count: random.number(in: 0...1000))
            bytes += random.one(of: ends) ?? []
        }
        #expect(try lines(of: bytes) == plainLines(of: bytes))
    }

    @Test(arguments: ["three\nseventh", "three\r\nseventh\r\n", "three\nseventhandmore"])
    func lineHasOnlySoManyBytes(text: String) throws {
        let reader = try reader(of: Array(text.utf8), maxBytes: 6)
        #expect(try reader.next() == Array("three".utf8))
        let error = ArchiveError.entry("data", .lineTooLong(line: 2, maxBytes: 6))
        #expect(throws: error) { try reader.next() }
        #expect(throws: error) { try reader.next() }
    }

    @Test(arguments: ["three\nsixth.", "three\nsixth.\n", "three\r\nsixth.\r\n"])
    func endOfLineDoesNotCount(text: String) throws {
        #expect(try lines(of: Array(text.utf8), maxBytes: 6).map(\.count) == [5, 6])
    }

    @Test func damagedEntryIsReportedBeforeItsLastLine() throws {
        let entry = HandMadeEntry("data", "one\ntwo\n").with { $0.checksum = 0 }
        let archive = try StoredArchive(HandMadeArchive([entry]).bytes)
        let reader = try ArchiveReader(path: archive.path).lines(of: "data", maxBytes: 10)
        #expect(throws: ArchiveError.entry("data", .checksumWrong)) { try reader.next() }
    }
}
