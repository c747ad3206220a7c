import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import TestKit
import Testing

@testable import SyncEngine

/// Each answer is compared with one that visits all entries.
@Suite("What is unseen is prepared once")
struct UnseenHistoryTests {
    private static let author = Author(
        asker: Asker(
            login: "b", group: "users", role: Role(group: "users", deviceCategory: "mobile")),
        deviceIdentifier: "b-phone", now: Instant(milliseconds: 0), limits: Limits())

    @Test(arguments: UInt64(0)..<300)
    func everyQuestionIsAnsweredAsByAllEntries(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let entries = history(&random)
        var unseen = UnseenHistory(entries, by: Self.author)
        try expectEqual(&unseen, to: entries, after: 0...Int64(entries.count + 1))
    }

    /// The entries that are left out decide nothing.
    @Test(arguments: UInt64(0)..<300)
    func condensedHistoryAnswersTheSame(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let entries = history(&random)
        let bases = (0...3).map { _ in Int64(random.number(in: 1...(entries.count + 1))) }
        var condensed = CondensedHistory(bases: bases, changeIDs: ["c3"], by: Self.author)
        for entry in entries { try condensed.add(entry) }
        var unseen = UnseenHistory(condensed.entries, by: Self.author)
        for base in bases { try expectEqual(&unseen, to: entries, after: base...base) }
        let own = entries.filter { Self.author.made($0) && $0.changeID == "c3" }
        #expect(condensed.entries.filter(Self.author.made).map(\.revision) == own.map(\.revision))
    }

    /// However many entries there are.
    @Test func condensedHistoryIsSmall() throws {
        var condensed = CondensedHistory(bases: [1, 500], changeIDs: [], by: Self.author)
        for number in 2...20_001 {
            try condensed.add(
                .test("g", revision: Int64(number), fieldsText: "{\"x\":\(number),\"y\":1}"))
        }
        #expect(condensed.entries.map(\.revision) == [2, 501, 20_001])
        #expect(condensed.bytes < 100)
    }

    /// Each of a hundred fields was changed last together with a large one: its values are kept
    /// once.
    @Test func valuesThatDecideNothingAreNotKept() throws {
        var condensed = CondensedHistory(bases: [1], changeIDs: [], by: Self.author)
        let large = String(repeating: "x", count: 10_000)
        for number in 2...101 {
            try condensed.add(
                .test(
                    "g", revision: Int64(number),
                    fieldsText: "{\"large\":\"\(large)\",\"f\(number)\":1}"))
        }
        let texts = condensed.entries.map(\.fieldsText)
        #expect(texts.count { $0.contains(large) } == 1 && condensed.bytes < 20_000)
    }

    @Test func lowestBaseStartsBeforeAllHistory() {
        for bases: [Int64] in [[], [.min], [.min, .max], [-1 << 62, -1 << 62], [0], [1]] {
            #expect(
                CondensedHistory(bases: bases, changeIDs: [], by: Self.author).reached == 0)
        }
        let late = CondensedHistory(bases: [9, .max], changeIDs: [], by: Self.author)
        #expect(late.reached == 8)
    }

    private func expectEqual(
        _ unseen: inout UnseenHistory, to entries: [HistoryEntry], after bases: ClosedRange<Int64>
    ) throws {
        let replaced = try unseen.replacedFields()
        for base in bases {
            let others = entries.filter {
                $0.revision > base && $0.kind != .discarded && !Self.author.made($0)
            }
            let effects = others.filter(\.kind.tookEffect)
            let fields = try effects.map { try JSONText.fields($0.fieldsText) }
            #expect(unseen.firstEffect(after: base)?.revision == effects.first?.revision)
            #expect(unseen.firstEffect(after: base)?.wasDeleted == effects.first?.wasDeleted)
            #expect(unseen.lastEffect(after: base)?.revision == effects.last?.revision)
            #expect(
                replaced.hasDeletion(after: base)
                    == effects.contains { $0.wasDeleted || $0.kind == .deleted })
            #expect(replaced.names(after: base) == Set(fields.flatMap(\.keys)))
            for name in ["x", "y", "z"] {
                #expect(
                    replaced.changes(name, after: base) == fields.contains { $0[name] != nil })
                #expect(
                    replaced.value(of: name, at: base) == fields.lazy.compactMap { $0[name] }.first
                )
            }
            for end in [base, base + 1, base + 3, .max] {
                #expect(
                    unseen.hasEntry(after: base, upTo: end)
                        == others.contains { $0.revision <= end })
            }
        }
    }

    /// Entries of all kinds, by the author's device and by others.
    private func history(_ random: inout SplitMix64) -> [HistoryEntry] {
        var revision: Int64 = 0
        return (0..<random.number(in: 0...12)).map { number in
            let kind = random.one(of: HistoryEntry.Kind.allCases) ?? .updated
            if kind != .discarded || revision == 0 { revision += 1 }
            let isOwn = random.number(in: 0...2) == 0
            let fields = random.some(of: ["x", "y", "z"]).map {
                ($0, JSONValue.integer(Int64(number)))
            }
            return HistoryEntry(
                guid: "g", revision: revision, kind: kind, changeID: "c\(number)",
                login: isOwn ? "b" : "a", deviceCategory: "mobile",
                deviceIdentifier: isOwn ? "b-phone" : "a-phone", at: Instant(milliseconds: 0),
                wasDeleted: random.flip(),
                fieldsText: JSONText.text(of: Dictionary(uniqueKeysWithValues: fields)))
        }
    }
}
