import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

@Suite("A pull continues after the previous one")
struct PullTests {
    @Test(arguments: [1, 3, 7, 100])
    func pagesOfAnySizeGiveTheSame(limit: Int) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.sync((0..<20).map { create($0, ["title": .string("\($0)")]) })
        #expect(try await a.everything(limit: limit).map(\.guid) == (0..<20).map(guid))
    }

    @Test func nothingNewIsNothing() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let first = try await a.sync()
        let second = try await a.sync(cursor: first.cursor)
        #expect(second.records.isEmpty && !second.more && second.cursor == first.cursor)
    }

    @Test func deletionReachesOnlyHoldersOfRecord() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "u"]))
        let had = try await b.sync()
        _ = try await a.push(delete(1, id: "1", base: 1))
        let told = try await b.sync(cursor: had.cursor).records
        #expect(told.map(\.guid) == [guid(1)])
        #expect(told.map(\.deleted) == [true])
        #expect(told.first?.fields == nil)
        #expect(try await bench.person("c").everything().map(\.guid) == [guid(2)])
    }

    /// While a first sync is running, a record moves to the end, or is deleted after it was sent.
    /// Neither may be missed.
    @Test func changesBetweenTwoPagesAreNotMissed() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync((0..<6).map { create($0, ["title": "t"]) })
        let page = try await b.sync(limit: 3)
        #expect(page.records.map(\.guid) == (0..<3).map(guid))
        _ = try await a.push(
            delete(0, id: "gone", base: 1), update(4, id: "moved", base: 1, ["title": "u"]))
        let rest = try await b.sync(cursor: page.cursor).records
        #expect(rest.map(\.guid) == [3, 5, 0, 4].map(guid))
        #expect(rest.map(\.deleted) == [false, false, true, false])
    }

    @Test func fewVisibleRecordsNeedFewRequests() async throws {
        var limits = Limits()
        limits.scannedRecords = 10
        let bench = try await TestBench(Documents.diaries, limits: limits)
        _ = try await bench.person("a").sync((0..<35).map { create($0, ["title": "t"]) })
        _ = try await bench.person("b").push(create(99, ["title": "mine"]))
        let b = bench.person("b")
        var answers = [try await b.sync()]
        while answers[answers.count - 1].more {
            answers.append(try await b.sync(cursor: answers[answers.count - 1].cursor))
        }
        #expect(answers.map(\.records.count) == [0, 0, 0, 1])
        #expect(answers.last?.records.map(\.guid) == [guid(99)])
    }

    @Test func answerEndsWhenItsBytesAreFull() async throws {
        var limits = Limits()
        limits.pageBytes = 1000
        let bench = try await TestBench(Documents.notes(), limits: limits)
        let title = JSONValue.string(String(repeating: "x", count: 200))
        _ = try await bench.person("a").sync((0..<20).map { create($0, ["title": title]) })
        let answer = try await bench.person("a").sync()
        #expect(answer.records.count == 5 && answer.more)
        #expect(try await bench.person("a").everything().count == 20)
    }

    @Test func changedRightsDropRecords() async throws {
        let bench = try await TestBench(Documents.diaries)
        let user = bench.person("a")
        _ = try await user.push(create(1, ["title": "t"]))
        let before = try await user.sync()
        let guest = bench.person("a", group: "guests")
        let after = try await guest.sync(cursor: before.cursor)
        #expect(after.dropped.map(\.guid) == [guid(1)] && after.records.isEmpty && !after.resync)
        let next = try await guest.sync(cursor: after.cursor)
        #expect(next.dropped.isEmpty && next.cursor == after.cursor)
    }

    @Test func foreignOrBrokenCursorChangesNothing() async throws {
        let here = try await TestBench(Documents.notes())
        let there = try await TestBench(Documents.notes())
        let foreign = try await there.person("a").sync().cursor
        let own = try await here.person("a").sync().cursor
        let broken = ["", "c1", own + "x", "C1" + own.dropFirst(2), own + ".", own.uppercased()]
        for (cursor, error) in broken.map({ ($0, SyncError.cursorUnreadable) })
            + [(foreign, SyncError.cursorForeign)]
        {
            await #expect(throws: error, "\(cursor)") {
                try await here.person("a").sync([create(1, ["title": "t"])], cursor: cursor)
            }
        }
        #expect(try await here.person("a").everything().isEmpty)
    }

    @Test(arguments: [0, -1, 1001])
    func limitOutOfRangeChangesNothing(limit: Int) async throws {
        let bench = try await TestBench(Documents.notes())
        await #expect(throws: SyncError.limitOutOfRange(given: limit, max: 1000)) {
            try await bench.person("a").sync([create(1, ["title": "t"])], limit: limit)
        }
        #expect(try await bench.person("a").everything().isEmpty)
    }

    @Test func tooManyChangesAreRefusedTogether() async throws {
        let bench = try await TestBench(Documents.notes())
        await #expect(throws: SyncError.tooManyChanges(count: 1001, max: 1000)) {
            try await bench.person("a").sync((0...1000).map { create($0, ["title": "t"]) })
        }
        #expect(try await bench.person("a").everything().isEmpty)
    }
}
