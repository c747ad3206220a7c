import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

@Suite("Open conflicts are listed, and resolved one by one or by a rule")
struct ConflictListTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
    }

    /// Creates a record with one conflict for each number: the title and score of b against those
    /// of a.
    private func dispute(_ numbers: Int...) async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        for number in numbers {
            _ = try await a.push(
                create(number, ["title": "old", "score": 1]),
                update(number, id: "a\(number)", base: nil, ["title": "a", "score": 2]))
            _ = try await b.push(
                update(number, id: "b\(number)", base: 1, ["title": "b", "score": 3]))
        }
    }

    private func list(
        _ person: Person, model: String? = nil, cursor: String? = nil, limit: Int? = nil
    ) async throws -> ConflictsResponse {
        try await bench.engine.conflictMessages(
            ofModel: model, cursor: cursor, limit: limit, for: try await person.caller())
    }

    private func resolve(
        _ request: ResolutionRequest, by person: Person
    ) async throws -> ResolutionResponse {
        try await bench.engine.resolve(
            request, from: try await person.caller(), at: Instant(milliseconds: 9))
    }

    @Test func onlyConflictedRecordsAreListed() async throws {
        try await dispute(1, 2)
        _ = try await bench.person("a").push(create(3, ["title": "t"]))
        let found = try await list(bench.person("c"))
        #expect(found.records.map(\.guid) == [guid(1), guid(2)] && found.cursor == nil)
        #expect(try await list(bench.person("c"), model: "Other").records.isEmpty)
        #expect(
            found.records == [
                try await bench.person("c").record(guid(1)),
                try await bench.person("c").record(guid(2)),
            ])
    }

    @Test(arguments: [1, 2, 3, 7])
    func pagesGiveEachOnce(limit: Int) async throws {
        try await dispute(5, 3, 1, 4, 2)
        var guids: [String] = []
        var cursor: String?
        repeat {
            let page = try await list(bench.person("c"), cursor: cursor, limit: limit)
            #expect(page.records.count <= limit)
            guids += page.records.map(\.guid)
            cursor = page.cursor
        } while cursor != nil
        #expect(guids == (1...5).map(guid))
    }

    /// 'sealed' is visible to the owner only, in a conflict too.
    @Test func conflictShowsFieldsThatRecordShows() async throws {
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t", "sealed": "x"]),
            update(1, id: "1", base: nil, ["sealed": "y"]))
        _ = try await bench.person("a", device: "tablet").push(
            update(1, id: "2", base: 1, ["sealed": "z"]))
        let own = try #require(try await list(a).records.first?.conflicts?.first)
        #expect(own.mine.fields == ["sealed": "z"])
        let other = try #require(try await list(bench.person("b")).records.first?.conflicts?.first)
        #expect(other.mine.fields.isEmpty && other.theirs.fields.isEmpty)
    }

    private static let rules:
        [(ResolutionRequest.Side, [String: ResolutionRequest.Side], JSONValue, JSONValue)] = [
            (.mine, [:], "b", 3), (.theirs, [:], "a", 2), (.mine, ["title": .theirs], "a", 3),
            (.theirs, ["title": .mine], "b", 2),
            (.theirs, ["title": .mine, "score": .mine], "b", 3),
        ]

    @Test(arguments: rules)
    func ruleChoosesFieldByField(
        choose: ResolutionRequest.Side, fields: [String: ResolutionRequest.Side],
        title: JSONValue, score: JSONValue
    ) async throws {
        try await dispute(1, 2)
        let done = try await resolve(
            ResolutionRequest(id: "r", choose: choose, fields: fields), by: bench.person("a"))
        #expect(done.outcomes.map(\.outcome) == [.accepted, .accepted] && done.cursor == nil)
        for number in 1...2 {
            let record = try #require(try await bench.person("c").record(guid(number)))
            #expect(!record.conflicted && record.revision == 4)
            #expect(record.fields?["title"] == title && record.fields?["score"] == score)
        }
        #expect(try await list(bench.person("c")).records.isEmpty)
    }

    @Test func lastOfSeveralConflictsCounts() async throws {
        try await dispute(1)
        _ = try await bench.person("c").push(update(1, id: "c", base: 1, ["title": "c"]))
        _ = try await resolve(ResolutionRequest(id: "r", choose: .mine), by: bench.person("a"))
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.fields?["title"] == "c" && record.fields?["score"] == 3)
    }

    /// A deletion against an update, in either order.
    @Test(arguments: [
        (true, ResolutionRequest.Side.mine, true), (true, .theirs, false), (false, .mine, false),
        (false, .theirs, true),
    ])
    func deletionIsSideLikeAnyOther(
        deletesLater: Bool, choose: ResolutionRequest.Side, isDeleted: Bool
    ) async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "old"]))
        let edit = update(1, id: "edit", base: 1, ["title": "new"])
        let deletion = delete(1, id: "delete", base: 1)
        _ = try await a.push(deletesLater ? edit : deletion)
        _ = try await b.push(deletesLater ? deletion : edit)
        let done = try await resolve(ResolutionRequest(id: "r", choose: choose), by: a)
        #expect(done.outcomes.allSatisfy { $0.outcome == .accepted })
        let stored = try #require(try await bench.stored(guid(1)))
        #expect(stored.isDeleted == isDeleted && !stored.isConflicted)
        #expect(
            stored.fieldsText.contains(
                isDeleted && deletesLater ? "new" : isDeleted ? "old" : "new"))
    }

    @Test func onlyNamedOnesAreResolvedAndRepeatDoesNothing() async throws {
        try await dispute(1, 2, 3)
        let request = ResolutionRequest(
            id: "r", model: "Note", guids: [guid(3), guid(1), guid(9)], choose: .mine)
        let first = try await resolve(request, by: bench.person("a"))
        let outcomes = Dictionary(grouping: first.outcomes, by: \.guid).mapValues { $0[0].outcome }
        #expect(outcomes == [guid(1): .accepted, guid(3): .accepted, guid(9): .refused])
        let again = try await resolve(request, by: bench.person("a"))
        #expect(Set(again.outcomes) == Set(first.outcomes))
        #expect(try await bench.stored(guid(1))?.revision == 4)
        #expect(try await list(bench.person("c")).records.map(\.guid) == [guid(2)])
    }

    @Test func resolvingNeedsTheRight() async throws {
        let bench = try await TestBench(Documents.notes(resolving: false))
        _ = try await bench.person("a").push(
            create(1, ["title": "t"]), update(1, id: "1", base: nil, ["title": "a"]))
        _ = try await bench.person("b").push(update(1, id: "2", base: 1, ["title": "b"]))
        let done = try await bench.engine.resolve(
            ResolutionRequest(id: "r", choose: .mine), from: bench.person("a").caller(),
            at: Instant(milliseconds: 9))
        #expect(done.outcomes.map(\.outcome) == [.refused])
        #expect(try await bench.stored(guid(1))?.isConflicted == true)
    }

    /// The request is refused as a whole: a caller who may not resolve deletes nothing, and a
    /// caller who may not delete resolves nothing.
    @Test(arguments: [false, true])
    func resolvingByDeletionNeedsBothRights(resolving: Bool) async throws {
        let bench = try await TestBench(
            Documents.notes(resolving: resolving, onlyGuestsDelete: resolving))
        let a = bench.person("a")
        let other = bench.person("b", group: resolving ? "guests" : "users")
        _ = try await a.push(
            create(1, ["title": "t"]), update(1, id: "1", base: nil, ["title": "a"]))
        let deletion = try await other.push(delete(1, id: "2", base: 1))
        #expect(deletion.map(\.outcome) == [.conflicted])
        let before = try await bench.stored(guid(1))
        let done = try await bench.engine.resolve(
            ResolutionRequest(id: "r", choose: .mine), from: a.caller(),
            at: Instant(milliseconds: 9))
        #expect(done.outcomes.map(\.outcome) == [.refused])
        #expect(try await bench.stored(guid(1)) == before)
    }

    @Test func illegalRequestsAreRefused() async throws {
        let a = bench.person("a")
        await #expect(throws: SyncError.modelMissing) {
            try await resolve(
                ResolutionRequest(id: "r", guids: [guid(1)], choose: .mine), by: a)
        }
        await #expect(throws: SyncError.tooManyResolutions(count: 501, max: 500)) {
            try await resolve(
                ResolutionRequest(
                    id: "r", model: "Note", guids: (0...500).map(guid), choose: .mine), by: a)
        }
        await #expect(throws: SyncError.cursorUnreadable) { try await list(a, cursor: "x") }
        await #expect(throws: SyncError.limitOutOfRange(given: 0, max: 1000)) {
            try await list(a, limit: 0)
        }
    }
}
