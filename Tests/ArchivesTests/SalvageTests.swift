import ArchiveKit
import Testing

@testable import Archives

/// Archives of which some entries cannot be taken.
@Suite struct SalvageTests {
    private static let data = HandMadeEntry("data", "line")

    private func read(
        _ entries: [HandMadeEntry], within limits: ArchiveLimits = ArchiveLimits()
    ) throws -> (names: [String], fault: ArchiveError?) {
        let stored = try StoredArchive(HandMadeArchive(entries).bytes)
        let archive = try ArchiveReader(salvaging: stored.path, first: "data", limits: limits)
        return (archive.entries.map(\.name), archive.fault)
    }

    @Test func faultyEntriesAreLeftOut() throws {
        let found = try read([
            HandMadeEntry("../a", "x"), HandMadeEntry("b", "x"),
            HandMadeEntry("c", "x").with { $0.flags |= 1 }, Self.data, HandMadeEntry("b", "y"),
        ])
        #expect(found.names == ["data", "b"])
        #expect(found.fault == .entry("../a", .nameIsPath))
    }

    @Test func wholeArchiveHasNoFault() throws {
        let found = try read([HandMadeEntry("a", "x"), Self.data])
        #expect(found.names == ["data", "a"] && found.fault == nil)
    }

    /// The first entry is left out by no limit of all of them.
    @Test func entriesBeyondLimitAreLeftOut() throws {
        let files = (0..<4).map { HandMadeEntry("file\($0)", "contents") }
        var few = ArchiveLimits()
        few.entries = 3
        let found = try read(files + [Self.data], within: few)
        #expect(found.names == ["data", "file0", "file1"])
        #expect(found.fault == .archive(.tooManyEntries(count: 5, max: 3)))
        var small = ArchiveLimits()
        small.totalBytes = 20
        let fitting = try read(files + [Self.data], within: small)
        #expect(fitting.names == ["data", "file0", "file1"])
        #expect(fitting.fault == .archive(.tooLarge(max: 20)))
    }

    @Test func expansionIsKeptAfterEach() throws {
        let tight = try (0..<3).map {
            try HandMadeEntry("file\($0)", deflating: [UInt8](repeating: 0, count: 1000))
        }
        var limits = ArchiveLimits()
        limits.freelyExpandedBytes = 2100
        limits.expansion = 2
        let found = try read(tight + [Self.data], within: limits)
        #expect(found.names == ["data", "file0", "file1"])
        guard case .archive(.expandsTooMuch)? = found.fault else {
            Issue.record("\(String(describing: found.fault))")
            return
        }
    }

    @Test func directoryBeyondAllLimitsIsRefused() throws {
        var limits = ArchiveLimits()
        (limits.entries, limits.salvagedEntries) = (1, 2)
        #expect(throws: ArchiveError.archive(.tooManyEntries(count: 3, max: 2))) {
            try read([Self.data, HandMadeEntry("a"), HandMadeEntry("b")], within: limits)
        }
    }
}
