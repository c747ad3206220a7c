import ChangeRules
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Synchronization
import Testing

@Suite("An answer keeps its limits across pages of the store")
struct PageLimitTests {
    /// "a" has notes 0, 3, 6 …, "b" the others; each sees only their own.
    private func mixed(_ count: Int, limits: Limits = Limits()) async throws -> TestBench {
        let bench = try await TestBench(Documents.diaries, limits: limits)
        for number in 0..<count {
            let person = bench.person(number % 3 == 0 ? "a" : "b")
            _ = try await person.push(create(number, ["title": "0123456789"]))
        }
        return bench
    }

    @Test func limitCountsSentRecords() async throws {
        let bench = try await mixed(30)
        for limit in 1...4 {
            let answer = try await bench.person("a").sync(limit: limit)
            #expect(answer.records.map(\.guid) == (0..<limit).map { guid($0 * 3) })
            #expect(answer.more)
        }
    }

    /// The second round may return only what the first left of the limit.
    @Test func limitHoldsAcrossRounds() async throws {
        let bench = try await TestBench(Documents.diaries)
        _ = try await bench.person("b").push(create(0, ["title": "t"]))
        _ = try await bench.person("a").sync((1...4).map { create($0, ["title": "t"]) })
        let answer = try await bench.person("a").sync(limit: 2)
        #expect(answer.records.map(\.guid) == [guid(1), guid(2)] && answer.more)
    }

    @Test func recordComesWithEverythingAboutIt() async throws {
        let bench = try await TestBench(Documents.notes())
        _ = try await bench.person("a").push(create(1, ["title": "t", "score": 3]))
        #expect(
            try await bench.person("b").everything() == [
                RecordMessage(
                    model: "Note", guid: guid(1), revision: 1, owner: "a", group: "users",
                    deleted: false, conflicted: false, fields: ["title": "t", "score": 3])
            ])
    }

    @Test func pageHasDefaultSize() async throws {
        var limits = Limits()
        limits.defaultPageRecords = 4
        let bench = try await mixed(15, limits: limits)
        let answer = try await bench.person("a").sync()
        #expect(answer.records.count == 4 && answer.more)
    }

    /// All rounds of an answer share the limit of scanned records.
    @Test func allRoundsTogetherLookAtSoManyRecords() async throws {
        var limits = Limits()
        limits.scannedRecords = 6
        let bench = try await mixed(30, limits: limits)
        let answer = try await bench.person("a").sync(limit: 5)
        #expect(answer.records.map(\.guid) == [guid(0), guid(3)])
        let next = try await bench.person("a").sync(cursor: answer.cursor, limit: 5)
        #expect(next.records.map(\.guid) == [guid(6), guid(9)])
    }

    /// Each page of the store is a query. They grow, from one record to 1,000. The bench reads one
    /// page more for each call.
    @Test func hiddenRecordsArePassedOverInFewPages() async throws {
        let pages = PageCount()
        let bench = try await TestBench(Documents.diaries, observer: pages)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync((0..<1000).map { create($0, ["title": "t"]) })
        _ = try await b.sync((1000..<1003).map { create($0, ["title": "t"]) })
        let before = pages.count
        let answer = try await b.sync(limit: 1)
        #expect(answer.records.map(\.guid) == [guid(1000)] && answer.more)
        #expect(pages.count - before == 11 + 1)
        let next = try await b.sync(cursor: answer.cursor, limit: 1)
        #expect(next.records.map(\.guid) == [guid(1001)] && next.more)
        let last = try await b.sync(cursor: next.cursor, limit: 1)
        #expect(last.records.map(\.guid) == [guid(1002)] && !last.more)
        #expect(pages.count - before == 13 + 3)
    }

    /// A record of `{"title":"0123456789"}` is 22 bytes of stored text. Those of others do not
    /// count.
    @Test(arguments: [(22, 1), (44, 2), (45, 3), (66, 3), (67, 4), (10_000, 5)])
    func allRoundsTogetherShowSoManyBytes(bytes: Int, records: Int) async throws {
        var limits = Limits()
        limits.pageBytes = bytes
        let bench = try await mixed(24, limits: limits)
        #expect(try await bench.person("a").sync(limit: 5).records.count == records)
        #expect(try await bench.person("a").everything().count == 8)
    }

    /// A deletion is sent only to a client that may have the record: not with the first answer, but
    /// from then on, because a sent record may have been deleted meanwhile.
    @Test func deletionIsSentAfterTheFirstAnswer() async throws {
        let bench = try await mixed(12)
        let a = bench.person("a")
        _ = try await a.push(
            delete(0, id: "0", base: 1), update(3, id: "3", base: 1, ["title": "new"]),
            delete(6, id: "6", base: 1))
        let all = try await a.sync(limit: 100)
        #expect(all.records.map(\.guid) == [guid(9), guid(3)])
        let first = try await a.sync(limit: 1)
        #expect(first.records.map(\.guid) == [guid(9)])
        let rest = try await a.sync(cursor: first.cursor, limit: 100)
        #expect(rest.records.map(\.guid) == [guid(0), guid(3), guid(6)])
        #expect(rest.records.map(\.deleted) == [true, false, true])
        #expect(try await a.sync(limit: 2).records.map(\.guid) == [guid(9), guid(3)])
    }

    @Test(arguments: [1, 1000])
    func limitsThemselvesAreAllowed(limit: Int) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.sync((0..<1000).map { create($0, ["title": "t"]) }, limit: limit)
        let ids = (0..<1000).map { "create-\($0)" }
        let answer = try await a.sync(limit: limit, acknowledging: ids)
        #expect(answer.records.count == limit && answer.more == (limit < 1000))
    }

    @Test func tooManyAcknowledgedAreRefused() async throws {
        let bench = try await TestBench(Documents.notes())
        await #expect(throws: SyncError.tooManyAcknowledged(count: 1001, max: 1000)) {
            try await bench.person("a").sync(
                [create(1, ["title": "t"])], acknowledging: (0...1000).map(String.init))
        }
        #expect(try await bench.person("a").everything().isEmpty)
    }

    /// For another user on the device, all records are sent again, without deleted ones.
    @Test func resyncStartsFromNothing() async throws {
        let bench = try await TestBench(Documents.notes())
        let before = bench.person("a")
        _ = try await before.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        let seen = try await before.sync()
        _ = try await before.push(delete(1, id: "1", base: 1))
        let answer = try await bench.person("b").sync(cursor: seen.cursor)
        #expect(answer.resync)
        #expect(answer.records.map(\.guid) == [guid(2)])
    }
}

/// Counts the pages that are read.
private final class PageCount: EngineObserver {
    private let pages = Mutex(0)

    var count: Int { pages.withLock { $0 } }

    func decided(_ outcomes: [Outcome]) {}
    func committed(in duration: Duration) {}
    func readPage(in duration: Duration) { pages.withLock { $0 += 1 } }
    func askedForPage(isCached: Bool) {}
}
