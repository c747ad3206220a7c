import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

@Suite("The history of a record respects the reader's rights")
struct HistoryShownTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
        for login in ["a", "b"] {
            try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "")
        }
    }

    private func history(
        _ person: Person, model: String = "Note", cursor: String? = nil, limit: Int? = nil
    ) async throws -> HistoryResponse {
        try await bench.engine.historyMessages(
            of: guid(1), model: model, cursor: cursor, limit: limit,
            for: try await person.caller())
    }

    private func give(owner: String) async throws {
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: owner, group: nil),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
    }

    @Test func everyKindIsListed() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(1, ["title": "one"]), update(1, id: "u", base: nil, ["title": "two"]))
        _ = try await b.push(update(1, id: "c", base: 1, ["title": "three"]))
        _ = try await a.push(resolve(1, id: "r", base: 3, ["title": "three"]))
        try await give(owner: "b")
        _ = try await a.push(delete(1, id: "d", base: 5))
        let entries = try await history(a).entries
        #expect(
            entries.map(\.kind) == [
                .deleted, .reassigned, .resolved, .conflicted, .updated, .created,
            ])
        #expect(entries.map(\.revision) == [6, 5, 4, 3, 2, 1])
        #expect(entries.map(\.login) == ["a", "admin", "a", "b", "a", "a"])
        #expect(
            entries.map(\.before) == [
                nil, nil, ["title": "two"], nil, ["title": "one"], nil,
            ])
        #expect(entries.map(\.wanted) == [nil, nil, nil, ["title": "three"], nil, nil])
        #expect(entries.map(\.owner) == [nil, "a", nil, nil, nil, nil])
        #expect(entries.last?.at == 1000 && entries.last?.deviceCategory == "mobile")
    }

    @Test func discardedEditsAreListed() async throws {
        let bench = try await TestBench(Documents.notes(.discard))
        _ = try await bench.person("a").push(
            create(1, ["title": "one"]), update(1, id: "u", base: nil, ["title": "two"]))
        _ = try await bench.person("b").push(update(1, id: "c", base: 1, ["title": "three"]))
        let entries = try await bench.engine.historyMessages(
            of: guid(1), model: "Note", cursor: nil, limit: 1,
            for: bench.person("c").caller()
        ).entries
        #expect(entries.map(\.kind) == [.discarded])
        #expect(entries.first?.wanted == ["title": "three"])
    }

    /// 'secret' is visible to its owner only: not to others, and not to a user who owned the record
    /// only before or after.
    @Test func fieldIsShownIfItWasAndIsReadable() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(1, ["title": "t", "secret": "1"]),
            update(1, id: "u", base: nil, ["secret": "2"]))
        #expect(try await history(a).entries.map(\.before) == [["secret": "1"], nil])
        #expect(try await history(b).entries.map(\.kind) == [.created])
        try await give(owner: "b")
        _ = try await b.push(update(1, id: "v", base: 3, ["secret": "3", "title": "s"]))
        #expect(
            try await history(a).entries.map(\.before) == [["title": "t"], nil, nil])
        #expect(
            try await history(b).entries.map(\.before) == [
                ["secret": "2", "title": "t"], nil, nil,
            ])
        try await give(owner: "a")
        #expect(
            try await history(a).entries.map(\.before) == [
                nil, ["title": "t"], nil, ["secret": "1"], nil,
            ])
    }

    @Test func recordThatIsNotShownHasNone() async throws {
        let bench = try await TestBench(Documents.diaries)
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        for (person, model) in [(bench.person("b"), "Note"), (bench.person("a"), "Other")] {
            await #expect(throws: SyncError.recordUnknown) {
                try await bench.engine.historyMessages(
                    of: guid(1), model: model, cursor: nil, limit: nil, for: person.caller())
            }
        }
    }

    @Test(arguments: [1, 2, 3, 100])
    func pagesGiveEachOnce(limit: Int) async throws {
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "0"]))
        for number in 1...6 {
            _ = try await a.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        var revisions: [Int64] = []
        var cursor: String?
        repeat {
            let page = try await history(a, cursor: cursor, limit: limit)
            #expect(page.entries.count <= limit)
            revisions += page.entries.map(\.revision)
            cursor = page.cursor
        } while cursor != nil
        #expect(revisions == [7, 6, 5, 4, 3, 2, 1])
    }

    /// An entry of `{"title":"0123456789"}` is 22 bytes of stored text; a creation has none.
    @Test(arguments: [(1, 1), (22, 1), (23, 2), (44, 2), (45, 3)])
    func pagesHaveLimitInBytes(bytes: Int, entries: Int) async throws {
        var limits = Limits()
        limits.pageBytes = bytes
        let bench = try await TestBench(Documents.notes(), limits: limits)
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "0123456789"]))
        for number in 1...7 {
            let title = JSONValue.string("\(number)123456789")
            _ = try await a.push(
                update(1, id: "\(number)", base: Int64(number), ["title": title]))
        }
        var (sizes, revisions): ([Int], [Int64]) = ([], [])
        var cursor: String?
        repeat {
            let page = try await bench.engine.historyMessages(
                of: guid(1), model: "Note", cursor: cursor, limit: 100, for: a.caller())
            sizes.append(page.entries.count)
            revisions += page.entries.map(\.revision)
            cursor = page.cursor
        } while cursor != nil
        #expect(sizes.first == entries && sizes.allSatisfy { $0 <= entries })
        #expect(revisions == [8, 7, 6, 5, 4, 3, 2, 1])
    }

    @Test func cursorIsOfOneRecord() async throws {
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t"]), update(1, id: "u", base: nil, ["title": "s"]),
            create(2, ["title": "t"]))
        let cursor = try #require(try await history(a, limit: 1).cursor)
        await #expect(throws: SyncError.cursorUnreadable) {
            try await bench.engine.historyMessages(
                of: guid(2), model: "Note", cursor: cursor, limit: nil, for: a.caller())
        }
    }
}
