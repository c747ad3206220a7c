import ChangeRules
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import RecordSearch
@testable import SyncEngine

@Suite("Query results are ordered and paged")
struct FindOrderTests {
    private let bench: TestBench
    private let a: Person

    /// Thing 6 has no values.
    init() async throws {
        bench = try await TestBench(Documents.things)
        a = bench.person("a")
        let outcomes = try await a.push(
            create(101, model: "Box", ["name": "right", "size": 1]),
            create(102, model: "Box", ["name": "left"]),
            create(
                1, model: "Thing",
                ["name": "b", "whole": 2, "price": "10", "done": .boolean(true), "day": 5]),
            create(
                2, model: "Thing",
                ["name": "B", "whole": 10, "price": "9.5", "box": .string(guid(101))]),
            create(
                3, model: "Thing",
                ["name": "a", "whole": 2, "price": "-1", "done": .boolean(false), "day": -5]),
            create(
                4, model: "Thing",
                ["name": "\u{E9}", "whole": -3, "price": "9.49", "box": .string(guid(102))]),
            create(
                5, model: "Thing",
                ["name": "e\u{301}", "whole": 2, "day": 0, "box": .string(guid(101))]),
            create(6, model: "Thing", [:]))
        #expect(outcomes.allSatisfy { $0.outcome == .accepted })
    }

    @Test(arguments: [
        ("name", [2, 3, 1, 5, 4, 6]), ("-name", [4, 5, 1, 3, 2, 6]),
        ("whole", [4, 1, 3, 5, 2, 6]), ("-whole", [2, 1, 3, 5, 4, 6]),
        ("whole,-$guid", [4, 5, 3, 1, 2, 6]), ("-whole,name", [2, 3, 1, 5, 4, 6]),
        ("whole,-name", [4, 5, 1, 3, 2, 6]), ("price", [3, 4, 2, 1, 5, 6]),
        ("-price", [1, 2, 4, 3, 5, 6]), ("done", [3, 1, 2, 4, 5, 6]),
        ("-done", [1, 3, 2, 4, 5, 6]), ("day", [3, 5, 1, 2, 4, 6]), ("-day", [1, 5, 3, 2, 4, 6]),
        ("box", [2, 5, 4, 1, 3, 6]), ("-box", [4, 2, 5, 1, 3, 6]),
        ("box.name", [4, 2, 5, 1, 3, 6]), ("box.name,-$guid", [4, 5, 2, 6, 3, 1]),
        ("-box.size", [2, 5, 1, 3, 4, 6]), ("$guid", [1, 2, 3, 4, 5, 6]),
        ("-$guid", [6, 5, 4, 3, 2, 1]), ("$owner,$conflicted", [1, 2, 3, 4, 5, 6]),
    ])
    func nullsComeLast(sort: String, numbers: [Int]) async throws {
        #expect(try await a.numbers(sort: sort) == numbers)
        for limit in 1...7 { #expect(try await a.numbers(sort: sort, limit: limit) == numbers) }
    }

    /// In one push or several; guids and later changes have no influence.
    @Test(arguments: [
        ("name", [2, 1, 4, 5, 3, 7, 6]), ("-name", [4, 5, 3, 2, 1, 7, 6]),
        ("name,$guid", [1, 2, 3, 4, 5, 6, 7]), ("name,-$guid", [2, 1, 5, 4, 3, 7, 6]),
        ("$owner,$conflicted", [4, 2, 7, 5, 1, 6, 3]), ("", [4, 2, 7, 5, 1, 6, 3]),
    ])
    func equalRecordsAreOrderedByCreation(sort: String, numbers: [Int]) async throws {
        let bench = try await TestBench(Documents.things)
        let person = bench.person("a")
        let names: [Int: JSONValue] = [1: "a", 2: "a", 3: "b", 4: "b", 5: "b"]
        for some in [[4, 2, 7], [5], [1, 6, 3]] {
            let answer = try await person.sync(
                some.map { create($0, model: "Thing", ["name": names[$0] ?? .null]) })
            #expect(answer.outcomes.allSatisfy { $0.outcome == .accepted })
        }
        _ = try await person.push(update(4, id: "u", base: 1, model: "Thing", ["note": "later"]))
        for limit in 1...8 {
            #expect(try await person.numbers(sort: sort, limit: limit) == numbers)
        }
    }

    /// They come first, ordered by guid.
    @Test func recordsWithoutCreationKeyComeFirst() {
        let order = SearchOrder(keys: [])
        let places: [(created: Int64, guid: String)] = [(0, "a"), (0, "b"), (1, "A"), (2, "0")]
        let positions = places.map { Position(keys: [], created: $0.created, guid: $0.guid) }
        for (place, one) in positions.enumerated() {
            for (other, another) in positions.enumerated() {
                #expect(order.isOrdered(one, before: another) == (place < other))
            }
        }
    }

    @Test func pageTellsWhetherMoreFollow() async throws {
        for sort in ["", "name"] {
            let first = try await a.find(sort: sort, limit: 5)
            #expect(first.records.count == 5 && first.more && first.cursor != nil)
            let rest = try await a.find(sort: sort, limit: 5, cursor: first.cursor)
            #expect(rest.records.count == 1 && !rest.more && rest.cursor == nil)
            let whole = try await a.find(sort: sort, limit: 6)
            #expect(whole.records.count == 6 && !whole.more && whole.cursor == nil)
        }
    }

    @Test func countIsOfAllPages() async throws {
        let isTwo = #"{"eq": ["whole", 2]}"#
        let first = try await a.find(isTwo, sort: "name", limit: 2, counts: true)
        #expect(first.count == 3 && first.records.count == 2)
        let rest = try await a.find(
            isTwo, sort: "name", limit: 2, cursor: first.cursor, counts: true)
        #expect(rest.count == 3 && rest.records.count == 1)
        #expect(try await a.find(isTwo).count == nil)
        #expect(try await a.find(limit: 1, counts: true).count == 6)
    }

    /// For wires on which a deleted record in conflict is a deleted one. It counts as read, whether
    /// the asker sees all fields of all records or not.
    @Test(arguments: ["ALL", "OWN"]) func sortPassesOverDeletedRecords(read: String) async throws {
        for most in [4, 5] {
            var limits = Limits()
            limits.filteredRecords = most
            let bench = try await TestBench(
                Documents.things(
                    records: { _ in Documents.credentials(read: "ALL") },
                    fields: { _, _ in Documents.fieldCredentials(read: read) }), limits: limits)
            let (a, b) = (bench.person("a"), bench.person("b"))
            let names: [JSONValue] = ["e", "d", "c", "b", "a"]
            _ = try await a.sync(
                zip(1..., names).map { create($0, model: "Thing", ["name": $1]) }, limit: 1)
            _ = try await a.push(delete(2, id: "d", base: 1, model: "Thing"))
            _ = try await b.push(update(2, id: "u", base: 1, model: "Thing", ["name": "x"]))
            var query = FindQuery(sort: [FindQuery.SortKey("name")], limit: 2, counts: true)
            query.filter = .compare(.eq, operand: "$deleted", with: .value(.boolean(false)))
            var numbers: [Int] = []
            repeat {
                do {
                    let page = try await bench.engine.find(
                        query, of: "Thing", for: try await a.caller())
                    #expect(page.count == 4)
                    numbers += page.records.map { number(of: $0.guid) }
                    query.cursor = page.cursor
                } catch SyncError.find(.tooMuchToScan) {
                    query.cursor = nil
                }
            } while query.cursor != nil
            #expect(numbers == (most == 5 ? [5, 4, 3, 1] : []))
        }
    }

    /// The first 256 bytes of a text count, cut at a character.
    @Test func longTextsAreSortedByTheirBeginning() async throws {
        let start = String(repeating: "x", count: 255)
        let bench = try await TestBench(Documents.things)
        let person = bench.person("a")
        // A text has at most 255 characters, which may be more than 256 bytes.
        let texts = [
            "\(start.dropLast(2))\u{E9}b", "\(start.dropLast(2))\u{E9}a",
            "\(start.dropLast(3))\u{FF5E}\u{E9}z", "\(start.dropLast(3))\u{FF5E}\u{E9}a",
        ]
        for (number, text) in zip(1..., texts) {
            let outcomes = try await person.push(
                create(number, model: "Thing", ["name": .string(text)]))
            #expect(outcomes.first?.outcome == .accepted, "\(outcomes)")
        }
        // The first two differ within 256 bytes, the others after that.
        #expect(try await person.numbers(sort: "name") == [2, 1, 3, 4])
        #expect(try await person.numbers(sort: "name", limit: 1) == [2, 1, 3, 4])
        #expect(try await person.numbers(#"{"lt": ["name", "\#(texts[2])"]}"#).contains(4))
    }

    /// A record that moves before the position of the cursor is not returned again; one that moves
    /// after it is.
    @Test func pageBeginsWhereTheLastOneEnded() async throws {
        let first = try await a.find(sort: "name", limit: 2)
        #expect(first.records.map { number(of: $0.guid) } == [2, 3])
        _ = try await a.push(
            update(1, id: "u1", base: 1, model: "Thing", ["name": "A"]),
            update(3, id: "u3", base: 1, model: "Thing", ["name": "z"]),
            delete(5, id: "d5", base: 1, model: "Thing"))
        let rest = try await a.find(sort: "name", cursor: first.cursor)
        #expect(rest.records.map { number(of: $0.guid) } == [3, 4, 6])
    }

    // MARK: - Cursors of others

    private func expect(
        _ error: SyncError, for person: Person, _ filter: String? = nil, of model: String = "Thing",
        sort: String = "name", cursor: String, with engine: Engine? = nil
    ) async throws {
        await #expect(throws: error) {
            try await person.find(
                filter, of: model, sort: sort, cursor: cursor, with: engine)
        }
    }

    @Test func cursorIsWorthNothingWithAnotherQuestionOrToOthers() async throws {
        let filter = #"{"ge": ["whole", 0]}"#
        let cursor = try #require(try await a.find(filter, sort: "name", limit: 1).cursor)
        let other = SyncError.find(.cursorOfOtherQuery)
        try await expect(other, for: a, #"{"ge": ["whole", 1]}"#, cursor: cursor)
        try await expect(other, for: a, cursor: cursor)
        try await expect(other, for: a, filter, sort: "-name", cursor: cursor)
        try await expect(other, for: a, filter, sort: "name,whole", cursor: cursor)
        try await expect(other, for: a, filter, sort: "", cursor: cursor)
        try await expect(other, for: bench.person("b"), filter, cursor: cursor)
        try await expect(other, for: bench.person("a", group: "guests"), filter, cursor: cursor)
        let boxes = try #require(
            try await a.find(of: "Box", sort: "name", limit: 1).cursor)
        try await expect(other, for: a, cursor: boxes)
        let next = try await bench.deploying(
            Documents.things.replacing("<devices>", with: "<devices><device name=\"watch\"/>"))
        try await expect(other, for: a, filter, cursor: cursor, with: next)
    }

    @Test func cursorIsForTheSameQuestionHoweverItIsWritten() async throws {
        let first = try await a.find(#"{"in":["name",["b","B","a"]]}"#, sort: "name", limit: 1)
        let rest = try await a.find(
            #" { "in" : [ "n\u0061me", ["b", "B", "a"] ] } "#, sort: "name", fields: [],
            limit: 5, cursor: first.cursor, counts: true)
        #expect(rest.records.map { number(of: $0.guid) } == [3, 1])
    }

    /// Cursors from before the creation order was introduced lack it.
    @Test func cursorOfTheFormerOrderIsRefused() async throws {
        for sort in ["", "name"] {
            let cursor = try #require(try await a.find(sort: sort, limit: 1).cursor)
            let former = cursor.replacing(#/"created":[0-9]+,/#, with: "")
            #expect(former != cursor)
            try await expect(
                .find(.cursorOfOtherQuery), for: a, sort: sort, cursor: former)
        }
    }

    @Test func foreignCursorsAreRefused() async throws {
        let pulled = try await a.sync().cursor
        for cursor in ["", "c1", pulled, String(repeating: "x", count: 20_000)] {
            try await expect(.cursorUnreadable, for: a, cursor: cursor)
        }
        let found = try #require(try await a.find(sort: "name", limit: 1).cursor)
        await #expect(throws: SyncError.cursorUnreadable) { try await a.sync(cursor: found) }
    }
}
