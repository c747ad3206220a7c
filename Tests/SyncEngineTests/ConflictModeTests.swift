import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

/// A conflict mode, the first change, the second (stale) change, and the expected result. The
/// record starts with title "old" and score 1 at revision 1.
struct Meeting: Sendable, CustomTestStringConvertible {
    let mode: ConflictMode
    let first: Move
    let second: Move
    let outcome: OutcomeMessage.Kind
    /// The final title and score; nil if the record is deleted.
    let state: State?
    let isConflicted: Bool

    enum Move: Hashable, Sendable {
        case title(String)
        case score(Int64)
        case deletion
    }

    struct State: Hashable, Sendable {
        let title: String
        let score: Int64
    }

    var testDescription: String { "\(mode.rawValue): \(first), then \(second)" }

    init(
        _ mode: ConflictMode, _ first: Move, _ second: Move, _ outcome: OutcomeMessage.Kind,
        _ title: String?, _ score: Int64?, conflicted: Bool = false
    ) {
        self.mode = mode
        self.first = first
        self.second = second
        self.outcome = outcome
        state = title.flatMap { title in score.map { State(title: title, score: $0) } }
        isConflicted = conflicted
    }

    static let all: [Meeting] = [
        Meeting(.manual, .score(2), .score(3), .conflicted, "old", 2, conflicted: true),
        Meeting(.manual, .score(2), .title("b"), .conflicted, "old", 2, conflicted: true),
        Meeting(.manual, .score(2), .score(2), .accepted, "old", 2),
        Meeting(.manual, .score(2), .deletion, .conflicted, "old", 2, conflicted: true),
        Meeting(.manual, .deletion, .score(3), .conflicted, nil, nil, conflicted: true),
        Meeting(.manual, .deletion, .score(1), .conflicted, nil, nil, conflicted: true),
        Meeting(.manual, .deletion, .deletion, .accepted, nil, nil),
        Meeting(.overwrite, .score(2), .score(3), .accepted, "old", 3),
        Meeting(.overwrite, .score(2), .title("b"), .accepted, "b", 2),
        Meeting(.overwrite, .score(2), .score(2), .accepted, "old", 2),
        Meeting(.overwrite, .score(2), .deletion, .accepted, nil, nil),
        Meeting(.overwrite, .deletion, .score(3), .accepted, "old", 3),
        Meeting(.overwrite, .deletion, .deletion, .accepted, nil, nil),
        Meeting(.discard, .score(2), .score(3), .discarded, "old", 2),
        Meeting(.discard, .score(2), .title("b"), .discarded, "old", 2),
        Meeting(.discard, .score(2), .score(2), .accepted, "old", 2),
        Meeting(.discard, .score(2), .deletion, .discarded, "old", 2),
        Meeting(.discard, .deletion, .score(3), .discarded, nil, nil),
        Meeting(.discard, .deletion, .deletion, .accepted, nil, nil),
        Meeting(.merge, .score(2), .score(3), .conflicted, "old", 2, conflicted: true),
        Meeting(.merge, .score(2), .title("b"), .merged, "b", 2),
        Meeting(.merge, .score(2), .score(2), .accepted, "old", 2),
        Meeting(.merge, .score(2), .deletion, .conflicted, "old", 2, conflicted: true),
        Meeting(.merge, .deletion, .score(3), .conflicted, nil, nil, conflicted: true),
        Meeting(.merge, .deletion, .title("b"), .conflicted, nil, nil, conflicted: true),
        Meeting(.merge, .deletion, .deletion, .accepted, nil, nil),
    ]
}

extension Meeting.Move {
    fileprivate func change(id: String, base: Int64) -> ChangeMessage {
        switch self {
        case .title(let title): update(1, id: id, base: base, ["title": .string(title)])
        case .score(let score): update(1, id: id, base: base, ["score": .integer(score)])
        case .deletion: delete(1, id: id, base: base)
        }
    }
}

@Suite("The conflict mode decides stale changes")
struct ConflictModeTests {
    @Test(arguments: Meeting.all)
    func twoChangesMeetAsModeSays(_ meeting: Meeting) async throws {
        let bench = try await TestBench(Documents.notes(meeting.mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        let start = try await a.sync([create(1, ["title": "old"])])

        let first = try await a.push(meeting.first.change(id: "first", base: 1))
        #expect(first.map(\.outcome) == [.accepted])
        let second = try await b.push(meeting.second.change(id: "second", base: 1))
        #expect(second.map(\.outcome) == [meeting.outcome])

        let seen = try #require(try await a.sync(cursor: start.cursor).records.first)
        #expect(seen.conflicted == meeting.isConflicted)
        #expect(seen.deleted == (meeting.state == nil))
        if let state = meeting.state {
            #expect(seen.fields?["title"] == .string(state.title))
            #expect(seen.fields?["score"] == .integer(state.score))
        }
    }

    /// The result is the same if both changes are in one push.
    @Test(arguments: Meeting.all)
    func clientThatResolvesItselfIsRefusedInstead(_ meeting: Meeting) async throws {
        let bench = try await TestBench(Documents.notes(meeting.mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(meeting.first.change(id: "first", base: 1))
        let before = try await a.record(guid(1))
        var change = meeting.second.change(id: "second", base: 1)
        change.ifStale = .refuse
        let outcome = try await b.push(change)[0]
        let harmless = meeting.outcome == .merged || meeting.first == meeting.second
        guard !harmless else {
            #expect(outcome.outcome == meeting.outcome)
            return
        }
        #expect(outcome.outcome == .refused && outcome.causes?.map(\.code) == ["stale"])
        #expect(outcome.causes?.first?.argument == "2")
        #expect(try await a.record(guid(1)) == before)
        change.id = "third"
        change.base = 2
        let again = try await b.push(change)[0]
        let isUpdateOfDeleted = meeting.first == .deletion
        #expect(again.outcome == (isUpdateOfDeleted ? .refused : .accepted))
    }

    @Test func overwritingUpdateNamesUnseenRevision() async throws {
        let bench = try await TestBench(Documents.notes(.overwrite))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "a1", base: 1, ["score": 2]))
        let outcome = try await b.push(update(1, id: "b1", base: 1, ["score": 3]))[0]
        #expect(outcome.overwrote == 2)
        #expect(outcome.revision == 3)
    }

    @Test func conflictKeepsBaseAndBothSidesWithUserAndTime() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.sync([update(1, id: "1", base: 1, ["score": 2])], at: 5000)
        _ = try await a.sync([update(1, id: "2", base: 2, ["title": "new"])], at: 6000)
        _ = try await b.sync([update(1, id: "1", base: 1, ["score": 3])], at: 7000)

        for reader in [a, b] {
            let record = try #require(try await reader.record(guid(1)))
            #expect(
                record.conflicts == [
                    ConflictMessage(
                        revision: 4, baseRevision: 1,
                        base: ConflictSide(deleted: false, fields: ["score": 1]),
                        mine: ConflictSide(
                            deleted: false, fields: ["score": 3], login: "b",
                            deviceCategory: "mobile", at: 7000),
                        theirs: ConflictSide(
                            deleted: false, fields: ["score": 2], login: "a",
                            deviceCategory: "mobile", at: 6000))
                ])
        }
    }

    /// Marking a record changes no value, so an edit of the visible values is not stale.
    @Test func markAloneMakesNoFurtherConflict() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(create(1, ["title": "old"]))
        _ = try await bench.person("a").push(update(1, id: "1", base: 1, ["score": 2]))
        _ = try await bench.person("b").push(update(1, id: "1", base: 1, ["score": 3]))
        let outcome = try await bench.person("c").push(
            update(1, id: "1", base: 2, ["title": "new"]))[0]
        #expect(outcome.outcome == .accepted && outcome.revision == 4)
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.conflicted && record.conflicts?.count == 1)
    }

    @Test func updateBasedOnDeletionIsRefused() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(delete(1, id: "1", base: 1))
        _ = try await b.push(update(1, id: "1", base: 1, ["score": 3]))
        for base in [2, 3] as [Int64] {
            let outcome = try await a.push(
                update(1, id: "after-\(base)", base: base, ["score": 4]))
            #expect(outcome[0].causes?.map(\.code) == ["recordDeleted"], "from \(base)")
        }
    }

    @Test func deletionDisputesEveryFieldTheOtherChanged() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["score": 2]))
        _ = try await b.push(delete(1, id: "1", base: 1))
        let conflict = try #require(try await a.record(guid(1))?.conflicts?.first)
        #expect(conflict.mine.deleted && !conflict.theirs.deleted && !conflict.base.deleted)
        #expect(conflict.base.fields == ["score": 1])
        #expect(conflict.theirs.fields == ["score": 2])
    }
}

@Suite("A conflict stays open until someone with the right resolves it")
struct ResolvingTests {
    /// At revision 3; the record has score 2, the conflict wants 3.
    private func disputed(_ document: String) async throws -> TestBench {
        let bench = try await TestBench(document)
        _ = try await bench.person("a").push(create(1, ["title": "old"]))
        _ = try await bench.person("a").push(update(1, id: "1", base: 1, ["score": 2]))
        _ = try await bench.person("b").push(update(1, id: "1", base: 1, ["score": 3]))
        return bench
    }

    private static let choices: [([String: JSONValue], JSONValue)] = [
        ([:], 2), (["score": 3], 3), (["score": 5], 5),
    ]

    @Test(arguments: choices)
    func chosenValuesHoldAndMarkGoes(
        chosen: [String: JSONValue], score: JSONValue
    ) async throws {
        let bench = try await disputed(Documents.notes())
        let outcome = try await bench.person("b").push(resolve(1, id: "2", base: 3, chosen))
        #expect(outcome.map(\.outcome) == [.accepted])
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.fields?["score"] == score)
        #expect(!record.conflicted && record.conflicts == nil && record.revision == 4)
    }

    @Test func updateLeavesItOpen() async throws {
        let bench = try await disputed(Documents.notes())
        _ = try await bench.person("a").push(update(1, id: "2", base: 3, ["title": "new"]))
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.conflicted && record.conflicts?.count == 1)
    }

    @Test func withoutTheRightItIsRefused() async throws {
        let bench = try await disputed(Documents.notes(resolving: false))
        let outcome = try await bench.person("a").push(resolve(1, id: "2", base: 3))[0]
        #expect(outcome.causes?.map(\.code) == ["noCredentialsToPerformOperationOnModel"])
        #expect(outcome.causes?.first?.argument == "resolve")
        #expect(try await bench.person("a").record(guid(1))?.conflicted == true)
    }

    @Test func resolutionOfEarlierStateIsRefused() async throws {
        let bench = try await disputed(Documents.notes())
        _ = try await bench.person("b").push(update(1, id: "2", base: 1, ["score": 4]))
        let outcome = try await bench.person("a").push(resolve(1, id: "2", base: 3))[0]
        #expect(outcome.causes?.map(\.code) == ["resolutionStale"])
        #expect(try await bench.person("a").record(guid(1))?.conflicts?.count == 2)
    }

    @Test func recordWithoutConflictCannotBeResolved() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(create(1, ["title": "old"]))
        let outcome = try await bench.person("a").push(resolve(1, id: "2", base: 1))[0]
        #expect(outcome.causes?.map(\.code) == ["notConflicted"])
    }

    @Test func resolutionWithValuesRestoresDeletedRecord() async throws {
        let choices: [([String: JSONValue], Bool)] = [
            ([:], true), (["score": 3], false), (["score": 1], false),
        ]
        for (chosen, isDeleted) in choices {
            let bench = try await TestBench(Documents.notes())
            _ = try await bench.person("a").push(create(1, ["title": "old"]))
            let start = try await bench.person("c").sync()
            _ = try await bench.person("a").push(delete(1, id: "1", base: 1))
            _ = try await bench.person("b").push(
                update(1, id: "1", base: 1, ["score": 3]))
            _ = try await bench.person("b").push(resolve(1, id: "2", base: 3, chosen))
            let seen = try await bench.person("c").sync(cursor: start.cursor).records
            #expect(seen.map(\.deleted) == [isDeleted])
            #expect(seen.map(\.conflicted) == [false])
        }
    }
}
