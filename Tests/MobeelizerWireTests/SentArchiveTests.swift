import Archives
import DefinitionCompiler
import Foundation
import SyncEngine
import TestKit
import Testing

@testable import MobeelizerWire

@Suite("Archives need little memory, and their files are unpacked together")
struct SentArchiveTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "waggle-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "a.zip").path }

    private func archive(
        lines: [String], files: [String: [UInt8]] = [:], limits: WireLimits = WireLimits(),
        checking check: () throws -> Void = {}, holding hold: (Int) throws -> Void = { _ in }
    ) throws -> SentArchive {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let writer = try ArchiveWriter(path: path, modifiedSeconds: 0)
        try writer.add("data", bytes: Array(lines.joined(separator: "\n").utf8))
        for (name, contents) in files.sorted(by: { $0.key < $1.key }) {
            try writer.add(name, bytes: contents, isStored: true)
        }
        try writer.finish()
        let file = SourceFile(
            name: "application.xml",
            bytes: try bytes(ofFile: "Definitions/Conflicts/application.xml"))
        let definition = try #require(compile(file).definition)
        return try SentArchive(
            at: path, lines: path + ".lines",
            through: SchemaMapping(now: definition, client: definition), limits: limits,
            checking: check, holding: hold)
    }

    private func line(_ title: String) -> String {
        let guid = UUID().uuidString
        return #"{"model":"ConflictsEntity","guid":"\#(guid)","fields":{"title":"\#(title)"}}"#
    }

    /// Room is made for the line that needs most, before it is read.
    @Test func lineWithTooManyValuesIsNotRead() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var limits = WireLimits()
        limits.recordValueBytes = 10_000
        let dense = #"{"model":"ConflictsEntity","guid":"g","fields":{"title":["#
        let commas = String(repeating: ",", count: 500)
        var held: [Int] = []
        let sent = try archive(
            lines: [
                line("x"), dense + String(repeating: "[],", count: 1000) + "0]}}",
                line(String(repeating: "y", count: 300)), line(commas),
            ], limits: limits, holding: { held.append($0) })
        #expect(sent.recordCount == 4)
        #expect(
            sent.illegibleLines.map(\.reason) == [
                "its values need more than 10000 bytes of memory"
            ])
        #expect(sent.batches(upTo: BatchLoad(Limits())).count == 1)
        #expect(held.count == 3 && held.reduce(0, +) < 2000)
    }

    @Test func lineWithoutRoomEndsTheReading() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: CancellationError.self) {
            _ = try archive(lines: [line("x")], holding: { _ in throw CancellationError() })
        }
    }

    @Test func readingIsAskedForOftenBetweenLargeLines() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = line(String(repeating: "a", count: 700_000))
        var count = 0
        _ = try archive(
            lines: [large, large, large, large, large, large], checking: { count += 1 })
        #expect(count == 3)
    }

    /// An archive with very many of them is small.
    @Test func readingIsAskedForOftenBetweenEmptyLines() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        var count = 0
        let sent = try archive(
            lines: [line("x") + String(repeating: "\n", count: 3 << 20)],
            checking: { count += 1 })
        #expect(sent.recordCount == 1 && count == 3)
    }

    /// One of them is not in the archive.
    @Test func filesAreUnpackedTogether() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let names = (0..<70).map { "f\($0)" }
        let contents = Dictionary(uniqueKeysWithValues: names.map { ($0, Array($0.utf8)) })
        let sent = try archive(lines: [line("x")], files: contents)
        #expect(sent.files(among: names + ["data", "none"]) == names)
        #expect(sent.firstGroup(of: names[...]).count == 64)
        let files = ["f7", "none", "f69"].map { (guid: $0, path: path + $0) }
        var count = 0
        let unpacked = try sent.unpack(files) { count += 1 }
        #expect(count == 3)
        #expect(unpacked.map { (try? $0.get())?.size } == [2, nil, 3])
        #expect(try Data(contentsOf: URL(filePath: path + "f69")) == Data("f69".utf8))
    }

    @Test func groupEndsWithTheFileThatReachesItsBytes() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let large = [UInt8](repeating: 7, count: 9 << 20)
        var contents = ["a": large, "b": large]
        for number in 0..<3 { contents["c\(number)"] = [1] }
        let sent = try archive(lines: [line("x")], files: contents)
        let names = contents.keys.sorted()
        #expect(sent.firstGroup(of: names[...]).count == 2)
        #expect(sent.firstGroup(of: names[1...]).count == 4)
    }
}
