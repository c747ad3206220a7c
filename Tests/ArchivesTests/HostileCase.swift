import ArchiveKit
import Testing

@testable import Archives

/// An archive with the expected error of reading it; nil if all of it can be read.
struct HostileCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let archive: HandMadeArchive
    let error: ArchiveError?
    private(set) var limits = ArchiveLimits()

    /// The fault is that of the last entry.
    init(_ name: String, _ entries: HandMadeEntry..., fault: EntryFault?) {
        testDescription = name
        archive = HandMadeArchive(entries)
        let last = String(decoding: entries.last?.name ?? [], as: UTF8.self)
        error = fault.map { .entry(last, $0) }
    }

    init(_ name: String, _ archive: HandMadeArchive, fault: ArchiveFault?) {
        testDescription = name
        self.archive = archive
        error = fault.map(ArchiveError.archive)
    }

    func under(_ change: (inout ArchiveLimits) -> Void) -> HostileCase {
        var changed = self
        change(&changed.limits)
        return changed
    }
}

private let data = HandMadeEntry("data", "one\ntwo\n")

private func named(_ name: [UInt8], flags: Int = 0) -> HandMadeEntry {
    data.with {
        $0.name = name
        $0.flags = flags
    }
}

extension HostileCase {
    static let names = [
        HostileCase("empty", named([]), fault: .nameEmpty),
        HostileCase("as long as allowed", named([97, 97]), fault: nil).under { $0.nameBytes = 2 },
        HostileCase("longer", named([97, 97, 97]), fault: .nameTooLong(bytes: 3, max: 2))
            .under { $0.nameBytes = 2 },
        HostileCase("not UTF-8", named([0x61, 0xFF]), fault: .nameNotUTF8),
        HostileCase("UTF-8 that is cut off", named([0x61, 0xC5]), fault: .nameNotUTF8),
        HostileCase("outside", HandMadeEntry("../x"), fault: .nameIsPath),
        HostileCase("in a folder", HandMadeEntry("x/y"), fault: .nameIsPath),
        HostileCase("a folder", HandMadeEntry("x/"), fault: .nameIsPath),
        HostileCase("absolute", HandMadeEntry("/etc/passwd"), fault: .nameIsPath),
        HostileCase("outside, in Windows", HandMadeEntry("..\\x"), fault: .nameIsPath),
        HostileCase("above", HandMadeEntry(".."), fault: .nameIsPath),
        HostileCase("here", HandMadeEntry("."), fault: .nameIsPath),
        HostileCase("with dots", HandMadeEntry("..."), fault: nil),
        HostileCase("with LF", HandMadeEntry("a\nb"), fault: .nameHasControlCharacter),
        HostileCase("with NEL", HandMadeEntry("a\u{85}"), fault: .nameHasControlCharacter),
        HostileCase("twice", data, HandMadeEntry("b"), data, fault: .nameRepeated),
        HostileCase(
            "two ways to write é", HandMadeEntry("é"), HandMadeEntry("e\u{301}"), fault: nil),
    ]

    static let contents = [
        HostileCase("encrypted", data.with { $0.flags = 1 }, fault: .encrypted),
        HostileCase("strongly encrypted", data.with { $0.flags = 0x41 }, fault: .encrypted),
        HostileCase("bzip2", data.with { $0.method = 12 }, fault: .methodUnsupported(12)),
        HostileCase("unknown", data.with { $0.method = 77 }, fault: .methodUnsupported(77)),
        HostileCase("checksum", data.with { $0.checksum ^= 1 }, fault: .checksumWrong),
        HostileCase(
            "stored, smaller", data.with { $0.size = 7 }, fault: .sizeWrong(declared: 7)),
        HostileCase(
            "stored, larger", data.with { $0.size = 9 }, fault: .sizeWrong(declared: 9)),
        HostileCase(
            "not deflated", data.with { $0.method = 8 }, fault: .broken("zlib error: data error")),
        HostileCase("as large as allowed", data, fault: nil).under { $0.entryBytes = 8 },
        HostileCase("too large", data, fault: .tooLarge(bytes: 8, max: 7)).under {
            $0.entryBytes = 7
        },
    ]

    static let directories = [
        HostileCase("no entry", HandMadeArchive([]), fault: nil),
        HostileCase("a comment", HandMadeArchive([data]) { $0.comment = [1, 2, 3] }, fault: nil),
        HostileCase("long", HandMadeArchive([data]) { $0.isLong = true }, fault: nil),
        HostileCase("as many as allowed", HandMadeArchive([data]), fault: nil).under {
            $0.entries = 1
        },
        HostileCase("too many", HandMadeArchive([data]), fault: .tooManyEntries(count: 1, max: 0))
            .under { $0.entries = 0 },
        HostileCase(
            "billions", HandMadeArchive([data]) { ($0.isLong, $0.saidEntries) = (true, 1 << 40) },
            fault: .tooManyEntries(count: 1 << 40, max: 10_000)),
        HostileCase(
            "without bound", HandMadeArchive([data]) { ($0.isLong, $0.saidEntries) = (true, -1) },
            fault: .tooManyEntries(count: .max, max: 10_000)),
        HostileCase(
            "too large", HandMadeArchive([data]), fault: .directoryTooLarge(bytes: 50, max: 49)
        ).under { $0.directoryBytes = 49 },
        HostileCase("as large as allowed", HandMadeArchive([data]), fault: nil).under {
            $0.directoryBytes = 50
        },
        HostileCase(
            "of several parts", HandMadeArchive([data]) { $0.part = 1 },
            fault: .directoryBroken("it is one of several parts")),
        HostileCase(
            "of several parts, long",
            HandMadeArchive([data]) { ($0.isLong, $0.part) = (true, 1) },
            fault: .directoryBroken("it is one of several parts")),
        HostileCase(
            "contradicting itself",
            HandMadeArchive([data]) { ($0.isLong, $0.saidShortly) = (true, 2) },
            fault: .directoryBroken("its two ends contradict each other")),
        HostileCase(
            "agreeing with itself",
            HandMadeArchive([data]) { ($0.isLong, $0.saidShortly) = (true, 1) }, fault: nil),
        HostileCase(
            "with a long end elsewhere",
            HandMadeArchive([data]) { ($0.isLong, $0.saidLongEnd) = (true, 3) },
            fault: .directoryBroken("its second end is not where it is said to be")),
        HostileCase(
            "with a long end behind all",
            HandMadeArchive([data]) { ($0.isLong, $0.saidLongEnd) = (true, -1) },
            fault: .directoryBroken("its second end is not where it is said to be")),
        HostileCase(
            "said to have more", HandMadeArchive([data]) { $0.saidEntries = 2 },
            fault: .directoryBroken("it does not fit where it is said to be")),
        HostileCase(
            "said to have fewer",
            HandMadeArchive([data, HandMadeEntry("b")]) { $0.saidEntries = 1 },
            fault: .directoryBroken("it has more entries than it is said to have")),
        HostileCase(
            "behind the end", HandMadeArchive([data]) { $0.saidOffset = 1000 },
            fault: .directoryBroken("it does not fit where it is said to be")),
        HostileCase(
            "where there is none", HandMadeArchive([data]) { $0.saidOffset = 1 },
            fault: .directoryBroken("it has fewer entries than it is said to have")),
        HostileCase(
            "a second end in the comment",
            HandMadeArchive([data]) { $0.comment = HandMadeArchive([]).bytes },
            fault: .directoryBroken("it has two ends")),
    ]
}
