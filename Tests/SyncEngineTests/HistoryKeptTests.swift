import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

/// A stale change, and the history entry that it leaves. The record starts with title "old" and
/// score 1 at revision 1; the first change is by "a" at 2000, the second by "b" at 3000.
struct Loss: Sendable, CustomTestStringConvertible {
    let mode: ConflictMode
    let first: ChangeMessage
    let second: ChangeMessage
    let entry: HistoryEntry

    var testDescription: String {
        "\(mode.rawValue): \(first.action) \(first.fields), then \(second.action) \(second.fields)"
    }

    init(
        _ mode: ConflictMode, _ first: ChangeMessage, _ second: ChangeMessage,
        _ kind: HistoryEntry.Kind, at revision: Int64, wasDeleted: Bool = false, _ fields: String
    ) {
        self.mode = mode
        self.first = first
        self.second = second
        entry = .entry(
            kind, "b1", revision: revision, by: "b", at: 3000, wasDeleted: wasDeleted, fields)
    }

    private static let score = update(1, id: "a1", base: 1, ["score": 2])
    private static let gone = delete(1, id: "a1", base: 1)
    private static let otherScore = update(1, id: "b1", base: 1, ["score": 3])
    private static let nothing = update(1, id: "b1", base: 1, ["secret": .null, "score": 3])
    private static let otherGone = delete(1, id: "b1", base: 1)

    static let all: [Loss] = [
        // Values that did not take effect.
        Loss(.manual, score, otherScore, .conflicted, at: 3, "{\"score\":3}"),
        Loss(.manual, score, nothing, .conflicted, at: 3, "{\"score\":3,\"secret\":null}"),
        Loss(.manual, score, otherGone, .conflicted, at: 3, "{}"),
        Loss(.manual, gone, otherScore, .conflicted, at: 3, wasDeleted: true, "{\"score\":3}"),
        Loss(.discard, score, otherScore, .discarded, at: 2, "{\"score\":3}"),
        Loss(.discard, score, otherGone, .discarded, at: 2, "{}"),
        Loss(.discard, gone, otherScore, .discarded, at: 2, wasDeleted: true, "{\"score\":3}"),
        // Values that were replaced.
        Loss(.overwrite, score, otherScore, .updated, at: 3, "{\"score\":2}"),
        Loss(.overwrite, score, otherGone, .deleted, at: 3, "{}"),
        Loss(.overwrite, gone, otherScore, .updated, at: 3, wasDeleted: true, "{\"score\":1}"),
    ]
}

private let theRecord = guid(1)

@Suite("The history contains replaced and ineffective values")
struct HistoryKeptTests {
    @Test func appliedChangesKeepReplacedValuesUserAndTime() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync([create(1, ["title": "old"])], at: 1000)
        _ = try await b.sync([update(1, id: "b1", base: 1, ["score": 2, "secret": "s"])], at: 2000)
        _ = try await a.sync([delete(1, id: "a1", base: 2)], at: 3000)
        #expect(
            try await bench.history(of: guid(1)) == [
                .entry(.created, "create-1", revision: 1, by: "a", at: 1000, "{}"),
                .entry(
                    .updated, "b1", revision: 2, by: "b", at: 2000,
                    "{\"score\":1,\"secret\":null}"),
                .entry(.deleted, "a1", revision: 3, by: "a", at: 3000, "{}"),
            ])
    }

    @Test(arguments: Loss.all)
    func losingSideIsKept(_ loss: Loss) async throws {
        let bench = try await TestBench(Documents.notes(loss.mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync([create(1, ["title": "old"])], at: 1000)
        _ = try await a.sync([loss.first], at: 2000)
        _ = try await b.sync([loss.second], at: 3000)
        #expect(try await bench.history(of: guid(1)).last == loss.entry)
    }

    @Test func resolutionKeepsReplacedAndLosingValues() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.sync([delete(1, id: "a1", base: 1)], at: 2000)
        _ = try await b.sync([update(1, id: "b1", base: 1, ["score": 3])], at: 3000)
        _ = try await a.sync([resolve(1, id: "a2", base: 3, ["score": 4])], at: 4000)
        #expect(
            try await bench.history(of: guid(1)).suffix(2) == [
                .entry(
                    .conflicted, "b1", revision: 3, by: "b", at: 3000, wasDeleted: true,
                    "{\"score\":3}"),
                .entry(
                    .resolved, "a2", revision: 4, by: "a", at: 4000, wasDeleted: true,
                    "{\"score\":1}"),
            ])
    }

    @Test func everyChangeOfBatchHasItsEntry() async throws {
        let bench = try await TestBench(Documents.notes(.discard))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(1, ["title": "old"]), update(1, id: "1", base: nil, ["title": "new"]),
            update(1, id: "2", base: nil, ["title": "newer"]))
        _ = try await b.push(
            update(1, id: "1", base: 1, ["title": "x"]),
            update(1, id: "2", base: nil, ["title": "y"]))
        #expect(
            try await bench.history(of: guid(1)).map(\.fieldsText) == [
                "{}", "{\"title\":\"old\"}", "{\"title\":\"new\"}", "{\"title\":\"x\"}",
                "{\"title\":\"y\"}",
            ])
    }

    /// Refused and repeated changes, and changes to the stored values, leave no entry.
    @Test func changesWithoutEffectLeaveNoEntry() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "old"]))
        let gone = delete(1, id: "gone", base: 1)
        _ = try await a.push(
            create(1, ["title": "old"]), update(1, id: "refused", base: 1, ["score": 9]),
            update(1, id: "same", base: 1, ["score": 1]), gone, gone,
            delete(1, id: "again", base: nil))
        #expect(try await bench.history(of: guid(1)).map(\.changeID) == ["create-1", "gone"])
    }
}

extension HistoryEntry {
    /// A history entry of this suite's record.
    fileprivate static func entry(
        _ kind: Kind, _ changeID: String, revision: Int64, by login: String, at: Int64,
        wasDeleted: Bool = false, _ fieldsText: String
    ) -> HistoryEntry {
        HistoryEntry(
            guid: theRecord, revision: revision, kind: kind, changeID: changeID, login: login,
            deviceCategory: "mobile", deviceIdentifier: "\(login)-phone",
            at: Instant(milliseconds: at), wasDeleted: wasDeleted, fieldsText: fieldsText)
    }
}
