import ArchiveKit
import Foundation
import TestKit
import Testing

@testable import Archives

/// Archives with false records, and archives that a server must not unpack.
@Suite struct HostileArchiveTests {
    private func check(_ hostile: HostileCase) throws {
        let error = try StoredArchive(hostile.archive.bytes).error(within: hostile.limits)
        #expect(error == hostile.error)
    }

    @Test(arguments: HostileCase.names)
    func illegalAndRepeatedNamesAreRefused(hostile: HostileCase) throws { try check(hostile) }

    @Test(arguments: HostileCase.contents)
    func entryMatchesItsHeaders(hostile: HostileCase) throws { try check(hostile) }

    @Test(arguments: HostileCase.directories)
    func directoryMatchesItsEndRecord(hostile: HostileCase) throws { try check(hostile) }

    /// With C strings, this name would be `data`.
    @Test(arguments: [0, 0x800])
    func nameWithANULIsNeverTakenForItsBeginning(flags: Int) throws {
        let entry = HandMadeEntry("data\0.exe", "text").with { $0.flags = flags }
        let error = try StoredArchive(HandMadeArchive([entry]).bytes).error()
        #expect(error == .entry("data\0.exe", .nameHasControlCharacter))
    }

    /// libzip alone would open the inner archive, which fits better.
    @Test func archiveWithinArchiveIsContents() throws {
        let place = 30 + 5
        let inner = HandMadeArchive([HandMadeEntry("inner", "wrong").with { $0.offset = place }]) {
            $0.saidOffset = place + 40
        }.bytes
        let entry = HandMadeEntry("outer", inner).with { $0.localName = Array("OUTER".utf8) }
        #expect(
            try StoredArchive(HandMadeArchive([entry]).bytes).contents()
                == [NamedContents("outer", inner)])
    }

    // MARK: - Deflated contents

    private func deflated(
        _ contents: [UInt8], with change: (inout HandMadeEntry) -> Void
    ) throws -> StoredArchive {
        let entry = try HandMadeEntry("data", deflating: contents)
        return try StoredArchive(HandMadeArchive([entry.with(change)]).bytes)
    }

    @Test(arguments: [-100_000, -1, 1, 100_000])
    func entryHasItsDeclaredSize(difference: Int) throws {
        let contents = [UInt8](repeating: 7, count: 150_000)
        let archive = try deflated(contents) { $0.size += difference }
        let declared = Int64(150_000 + difference)
        #expect(archive.error() == .entry("data", .sizeWrong(declared: declared)))
    }

    /// Reading gives no more bytes than the directory declares, however large the contents are.
    @Test(arguments: [11, 9_000_000])
    func noMoreIsUnpackedThanDirectorySays(count: Int) throws {
        let archive = try deflated([UInt8](repeating: 7, count: count)) { $0.size = 10 }
        let reader = try ArchiveReader(path: archive.path).read("data")
        #expect(try reader.next(9) == [UInt8](repeating: 7, count: 9))
        for _ in 0..<3 {
            #expect(throws: ArchiveError.entry("data", .sizeWrong(declared: 10))) {
                try reader.next(1)
            }
        }
    }

    @Test(arguments: [10, 100])
    func contentsThatEndTooSoonAreRefused(missing: Int) throws {
        let contents = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
        let archive = try deflated(contents) { $0.packedBytes -= missing }
        #expect(archive.error() == .entry("data", .checksumWrong))
    }

    // MARK: - Bombs

    private func bomb(_ count: Int) throws -> HandMadeEntry {
        try HandMadeEntry("bomb", deflating: [UInt8](repeating: 0, count: count))
    }

    @Test func entryExpandsOnlySoMuch() throws {
        let entry = try bomb(11 << 20)
        let archive = try StoredArchive(HandMadeArchive([entry]).bytes)
        let (bytes, packed) = (Int64(entry.size), Int64(entry.packedBytes))
        #expect(bytes / packed > 900)
        #expect(
            archive.error()
                == .entry("bomb", .expandsTooMuch(bytes: bytes, packedBytes: packed, max: 200)))
        var limits = ArchiveLimits()
        limits.expansion = bytes / packed + 1
        #expect(archive.error(within: limits) == nil)
        limits.expansion = 1
        limits.freelyExpandedBytes = bytes
        #expect(archive.error(within: limits) == nil)
    }

    @Test func allEntriesTogetherExpandOnlySoMuch() throws {
        let entry = try bomb(6 << 20)
        let entries = ["a", "b"].map { name in entry.with { $0.name = Array(name.utf8) } }
        let archive = try StoredArchive(HandMadeArchive(entries).bytes)
        let (bytes, packed) = (Int64(2 * entry.size), Int64(2 * entry.packedBytes))
        #expect(
            archive.error()
                == .archive(.expandsTooMuch(bytes: bytes, packedBytes: packed, max: 200)))
    }

    @Test func allEntriesTogetherAreOnlySoLarge() throws {
        let entries = (0..<10).map { HandMadeEntry("\($0)", "ten bytes.") }
        let archive = try StoredArchive(HandMadeArchive(entries).bytes)
        var limits = ArchiveLimits()
        limits.totalBytes = 100
        #expect(archive.error(within: limits) == nil)
        limits.totalBytes = 99
        #expect(archive.error(within: limits) == .archive(.tooLarge(max: 99)))
    }

    /// Many entries with the same compressed bytes are a bomb that no ratio shows.
    @Test func entriesDoNotLieOverEachOther() throws {
        let contents = [UInt8](repeating: 1, count: 1000)
        let first = HandMadeEntry("0", contents)
        let others = (1..<10).map { number in
            HandMadeEntry("\(number)", contents).with { ($0.offset, $0.packed) = (0, []) }
        }
        let archive = try StoredArchive(HandMadeArchive([first] + others).bytes)
        #expect(archive.error() == .archive(.entriesOverlap))
    }

    // MARK: - Damage

    /// Archives with everything that Waggle's, Java's and other writers use.
    private static func samples() throws -> [HandMadeArchive] {
        let stored = HandMadeEntry("data", "one\ntwo\n")
        let deflated = try HandMadeEntry("guid", deflating: Array(repeating: 65, count: 300))
        let entries = [
            stored, deflated, HandMadeEntry("deletedFiles"),
        ]
        let described = entries.map { $0.withDescriptor() }
        return [
            HandMadeArchive(entries), HandMadeArchive(described),
            HandMadeArchive(described) { ($0.isLong, $0.comment) = (true, Array("a bee".utf8)) },
        ]
    }

    @Test func archivesOfOtherWritersAreRead() throws {
        for sample in try Self.samples() {
            #expect(
                try StoredArchive(sample.bytes).contents() == [
                    NamedContents("data", "one\ntwo\n"),
                    NamedContents("guid", [UInt8](repeating: 65, count: 300)),
                    NamedContents("deletedFiles", ""),
                ])
        }
    }

    @Test func archiveThatIsCutOffAnywhereIsRefused() throws {
        let folder = try TemporaryFolder()
        for sample in try Self.samples() {
            let bytes = sample.bytes
            for count in 0..<bytes.count {
                let path = try folder.write(Array(bytes[..<count]), to: "a.zip")
                #expect(
                    throws: ArchiveError.archive(.directoryMissing), "cut off at \(count)"
                ) { try ArchiveReader(path: path) }
            }
        }
    }

    /// Each byte of an archive is changed: reading gives the right contents or an error.
    @Test func archiveWithDamagedByteKeepsLimits() throws {
        let folder = try TemporaryFolder()
        for sample in try Self.samples() {
            let bytes = sample.bytes
            for place in bytes.indices {
                var damaged = bytes
                damaged[place] ^= UInt8(1 << (place % 8))
                #expect(try brokenInvariants(of: damaged, in: folder) == [], "byte \(place)")
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func randomlyDamagedArchivesKeepLimits(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let folder = try TemporaryFolder()
        let samples = try Self.samples().map(\.bytes)
        for _ in 0..<100 {
            var bytes = samples[random.number(in: samples.indices)]
            for _ in 0..<random.number(in: 1...8) {
                bytes[random.number(in: bytes.indices)] = UInt8(random.number(in: 0...255))
            }
            #expect(try brokenInvariants(of: bytes, in: folder) == [])
        }
    }

    private func brokenInvariants(
        of archive: [UInt8], in folder: TemporaryFolder
    ) throws -> [String] {
        let path = try folder.write(archive, to: "a.zip")
        unlink(folder.path("b.zip"))
        return brokenArchiveInvariants(
            at: path, within: ArchiveLimits(), copy: folder.path("b.zip"))
    }
}
