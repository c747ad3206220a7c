import Foundation
import TestKit
import Testing

@testable import Archives

/// The reader reads what the writer writes.
@Suite struct RoundTripTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(
        _ entries: [NamedContents], to name: String = "a.zip", isStored: Bool = false,
        at seconds: Int64 = 1_800_000_000
    ) throws {
        let writer = try ArchiveWriter(path: folder.path(name), modifiedSeconds: seconds)
        for entry in entries {
            try writer.add(entry.name, bytes: entry.bytes, isStored: isStored)
        }
        try writer.finish()
    }

    @Test(arguments: [false, true])
    func writtenEntriesAreReadBack(isStored: Bool) throws {
        let entries = [
            NamedContents("data", "{\"model\":\"film\"}\n{\"model\":\"actor\"}\n"),
            NamedContents("deletedFiles", ""),
            NamedContents("żółć 🐝", "names are in UTF-8"),
            NamedContents("zeros", [UInt8](repeating: 0, count: 3_000_000)),
        ]
        try write(entries, isStored: isStored)
        #expect(try namedContents(ofArchiveAt: folder.path("a.zip")) == entries)
        let size = try folder.bytes(of: "a.zip").count
        #expect(isStored ? size > 3_000_000 : size < 10_000)
    }

    @Test(arguments: UInt64(0)..<10)
    func everyWrittenArchiveIsReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let entries = (0..<random.number(in: 1...10)).map { number in
            let count = random.number(in: 0...random.number(in: 0...100_000))
            let range: ClosedRange<Int> = 0...random.number(in: 1...255)
            let bytes = (0..<count).map { _ in UInt8(random.number(in: range)) }
            return NamedContents("entry \(number)", bytes)
        }
        try write(entries, isStored: random.flip())
        #expect(try namedContents(ofArchiveAt: folder.path("a.zip")) == entries)
    }

    @Test(arguments: [false, true])
    func filesAreReadWhenArchiveIsFinished(isStored: Bool) throws {
        let file = try folder.write(Array("a photograph".utf8), to: "photograph")
        let writer = try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
        try writer.add("guid", contentsOfFile: file, isStored: isStored)
        try folder.write(Array("another one, of the same name".utf8), to: "photograph")
        try writer.finish()
        #expect(
            try namedContents(ofArchiveAt: folder.path("a.zip"))
                == [NamedContents("guid", "another one, of the same name")])
    }

    /// More files than can be open at a time, and more bytes than fit in memory.
    @Test func manyFilesAreAdded() throws {
        let file = try folder.write([UInt8](repeating: 7, count: 1000), to: "file")
        let writer = try ArchiveWriter(path: folder.path("a.zip"), modifiedSeconds: 0)
        for number in 0..<5000 { try writer.add("\(number)", contentsOfFile: file) }
        try writer.finish()
        let archive = try ArchiveReader(path: folder.path("a.zip"))
        #expect(archive.entries.map(\.name) == (0..<5000).map(String.init))
        #expect(try allBytes(of: archive.read("4999")) == [UInt8](repeating: 7, count: 1000))
    }

    @Test func entriesAreFoundByNameAndReadSideBySide() throws {
        let (one, two) = (
            [UInt8](repeating: 1, count: 100_000), [UInt8](repeating: 2, count: 100_000)
        )
        try write([NamedContents("one", one), NamedContents("two", two)])
        let archive = try ArchiveReader(path: folder.path("a.zip"))
        #expect(archive.entry("two")?.size == 100_000)
        #expect(archive.entry("three") == nil)
        #expect(throws: ArchiveError.entry("three", .missing)) { try archive.read("three") }
        let readers = [try archive.read("one"), try archive.read("two"), try archive.read("one")]
        var contents: [[UInt8]] = [[], [], []]
        for _ in 0..<101 {
            for (index, reader) in readers.enumerated() { contents[index] += try reader.next(1000) }
        }
        #expect(contents == [one, two, one])
    }

    @Test func entryReaderOutlivesArchiveReader() throws {
        try write([NamedContents("data", "text")])
        var archive: ArchiveReader? = try ArchiveReader(path: folder.path("a.zip"))
        let reader = try #require(try archive?.read("data"))
        archive = nil
        #expect(try allBytes(of: reader) == Array("text".utf8))
    }

    @Test func chunksHaveRequestedSize() throws {
        try write([NamedContents("data", "abcdefgh")])
        let reader = try ArchiveReader(path: folder.path("a.zip")).read("data")
        let pieces = try [3, 0, 4, 3, 3].map {
            String(decoding: try reader.next($0), as: UTF8.self)
        }
        #expect(pieces == ["abc", "", "defg", "h", ""])
    }

    @Test func sameEntriesAndTimeGiveTheSameBytes() throws {
        try write([NamedContents("data", "text")], to: "a.zip")
        try write([NamedContents("data", "text")], to: "b.zip")
        try write([NamedContents("data", "text")], to: "c.zip", at: 1_800_000_002)
        #expect(try folder.bytes(of: "a.zip") == folder.bytes(of: "b.zip"))
        #expect(try folder.bytes(of: "a.zip") != folder.bytes(of: "c.zip"))
    }

    @Test(
        arguments: [
            (Int64(0), [1980, 1, 1, 0, 0, 0]),
            (1_800_000_001, [2027, 1, 15, 8, 0, 0]),
            (951_827_699, [2000, 2, 29, 12, 34, 58]),
            (Int64.max, [2107, 12, 31, 23, 59, 58]),
        ] as [(Int64, [Int])])
    func timesAreThoseOfCallerInUTC(seconds: Int64, parts: [Int]) {
        let time = DOSTime(secondsSince1970: seconds)
        let (date, clock) = (Int(time.date), Int(time.time))
        let day: [Int] = [(date >> 9) + 1980, (date >> 5) & 15, date & 31]
        let moment: [Int] = [clock >> 11, (clock >> 5) & 63, (clock & 31) * 2]
        #expect(day + moment == parts)
    }

    @Test func archiveIsForItsOwnerOnly() throws {
        try write([NamedContents("data", "text")])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("a.zip"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
