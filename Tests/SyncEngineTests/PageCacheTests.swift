import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

@Suite("A page for many clients is encoded once")
struct PageCacheTests {
    /// Five notes of a, read in pages of two.
    private func bench(
        _ document: String = Documents.notes(), field: String = "title"
    ) async throws -> TestBench {
        let bench = try await TestBench(document)
        _ = try await bench.person("a").sync(
            (1...5).map { create($0, [field: .string("note \($0)")]) })
        return bench
    }

    private func firstPage(_ person: Person, _ engine: Engine? = nil) async throws -> [String] {
        try await person.sync(with: engine, limit: 2).records.map {
            "\($0.guid.suffix(1)) \(title(of: $0))"
        }
    }

    private func title(of record: RecordMessage) -> String {
        guard case .string(let title) = record.fields?["title"] else { return "null" }
        return title
    }

    private func question(_ bench: TestBench, _ person: Person, limit: Int = 2) -> PageQuestion {
        let gate = ReadFilter(rules: bench.engine.rules, asker: person.asker)
        return PageQuestion(
            viewer: gate.viewer, encoder: "native", after: 0, limit: limit, skipsDeleted: true)
    }

    /// The cached first page.
    private func kept(_ bench: TestBench, for person: Person) -> CachedPage? {
        bench.engine.kept.page(
            for: question(bench, person), at: Instant(milliseconds: 1000))
    }

    @Test func pageIsCachedOnItsSecondRequest() async throws {
        let bench = try await bench(Documents.halves(.manual), field: "both")
        let (b, c) = (bench.person("b"), bench.person("c"))
        let first = try await b.sync(limit: 2)
        #expect(kept(bench, for: b) == nil)
        #expect(try await c.sync(limit: 2).records == first.records)
        let page = try #require(kept(bench, for: b))
        #expect(page.records.count == 2 && page.span.through == 2)
        #expect(try await b.sync(limit: 2) == first)
        #expect(kept(bench, for: bench.person("d", group: "guests")) == nil)
    }

    /// Proves that the cache is used: it contains the page of another query.
    @Test func cachedPagesAreServed() async throws {
        let bench = try await bench()
        let b = bench.person("b")
        for _ in 0..<2 { _ = try await b.sync(limit: 1) }
        let one = try #require(
            bench.engine.kept.page(
                for: question(bench, b, limit: 1), at: Instant(milliseconds: 1000)))
        bench.engine.kept.keep(
            one, for: question(bench, b, limit: 2), at: Instant(milliseconds: 1000))
        #expect(try await firstPage(b) == ["1 note 1"])
    }

    @Test func serverWithoutCacheReadsAll() async throws {
        let bench = try await bench()
        let b = bench.person("b")
        let engine = bench.engine.keepingNothing
        for _ in 0..<3 { _ = try await firstPage(b, engine) }
        #expect(engine.kept.page(for: question(bench, b), at: Instant(milliseconds: 0)) == nil)
    }

    /// The cached page is older than the push.
    @Test func pushReadsCurrentPage() async throws {
        let bench = try await bench()
        let b = bench.person("b")
        for _ in 0..<2 { _ = try await firstPage(b) }
        #expect(kept(bench, for: b) != nil)
        let answer = try await b.sync([update(1, id: "u", base: 1, ["title": "new"])], limit: 2)
        #expect(answer.records.map(\.guid) == [guid(2), guid(3)])
    }

    @Test func pushesCacheNoPage() async throws {
        let bench = try await bench()
        let b = bench.person("b")
        for number in 10..<13 {
            let answer = try await b.sync([create(number, ["title": "new"])], limit: 2)
            #expect(answer.records.map(\.guid) == [guid(1), guid(2)])
        }
        #expect(kept(bench, for: b) == nil)
        for _ in 0..<2 { _ = try await firstPage(b) }
        #expect(kept(bench, for: b) != nil)
    }

    struct Happening: CustomTestStringConvertible {
        let testDescription: String
        let changes: [ChangeMessage]
        let page: [String]
        let isStillKept: Bool
    }

    @Test(arguments: [
        Happening(
            testDescription: "a new record", changes: [create(6, ["title": "new"])],
            page: ["1 note 1", "2 note 2"], isStillKept: true),
        Happening(
            testDescription: "a change behind it",
            changes: [update(4, id: "u", base: 1, ["title": "new"])],
            page: ["1 note 1", "2 note 2"], isStillKept: true),
        Happening(
            testDescription: "a change of it",
            changes: [update(1, id: "u", base: 1, ["title": "new"])],
            page: ["2 note 2", "3 note 3"], isStillKept: false),
        Happening(
            testDescription: "a deletion", changes: [delete(2, id: "d", base: 1)],
            page: ["1 note 1", "3 note 3"], isStillKept: false),
        Happening(
            testDescription: "all of it changes",
            changes: (1...2).map { update($0, id: "u\($0)", base: 1, ["title": "new"]) },
            page: ["3 note 3", "4 note 4"], isStillKept: false),
    ])
    func pageIsCachedUntilItsRecordChanges(_ happening: Happening) async throws {
        let bench = try await bench()
        let (a, b) = (bench.person("a"), bench.person("b"))
        for _ in 0..<2 { _ = try await firstPage(b) }
        let before = try #require(kept(bench, for: b))
        _ = try await a.sync(happening.changes)
        #expect(try await firstPage(b) == happening.page)
        let after = kept(bench, for: b)
        #expect((after?.records.bytes == before.records.bytes) == happening.isStillKept)
        // The next page needs no count.
        if happening.isStillKept {
            #expect(try await after?.moment == b.caller().moment)
        }
    }

    /// Records were renamed and got their names back, so the cached page may be outdated.
    @Test func deploymentInvalidatesPage() async throws {
        func document(_ field: String) -> String {
            Documents.document(
                .manual,
                models: """
                    <model name="Note">
                      <fields>\(field)</fields>
                      <credentials><credential role="users-mobile" createAllowed="ALL"
                        readAllowed="ALL" updateAllowed="ALL"/></credentials>
                    </model>
                    """)
        }
        let first = document(Documents.field("title", "TEXT", read: "ALL"))
        let renaming = document(
            Documents.field("name", "TEXT", read: "ALL", own: #"w:renamedFrom="title""#))
        let bench = try await bench(first)
        let b = bench.person("b")
        for _ in 0..<2 { #expect(try await firstPage(b) == ["1 note 1", "2 note 2"]) }
        _ = try await bench.deploying(renaming)
        _ = try await bench.deploying(first)
        let before = try #require(kept(bench, for: b))
        for _ in 0..<2 { #expect(try await firstPage(b) == ["1 note 1", "2 note 2"]) }
        let after = try #require(kept(bench, for: b))
        #expect(try await after.moment == b.caller().moment)
        #expect(after.moment.deployment > before.moment.deployment)
    }

    /// Canonically equivalent logins are different users.
    @Test(arguments: [("b", "c"), ("\u{E9}", "e\u{301}")])
    func pagesOfOwnRecordsAreCachedPerUser(one: String, other: String) async throws {
        let bench = try await bench(Documents.diaries)
        for (login, number) in [(one, 10), (other, 20)] {
            _ = try await bench.person(login).sync(
                (0..<4).map { create(number + $0, ["title": .string("of \(number)")]) })
        }
        for _ in 0..<3 {
            for (login, number) in [(one, 10), (other, 20)] {
                let records = try await bench.person(login).sync(limit: 2).records
                #expect(records.count == 2)
                #expect(records.allSatisfy { $0.fields == ["title": .string("of \(number)")] })
            }
        }
    }

    // MARK: - Clients that need more than the page

    /// b's second device has passed the position at which a record was taken from b, and the record
    /// has changed since: the device is told later. Other devices of b that never had the record
    /// are told nothing.
    @Test func hiddenRecordsAreDroppedFromDevicesThatHoldThem() async throws {
        let bench = try await TestBench(Documents.diaries)
        let (b, c) = (bench.person("b"), bench.person("c"))
        try await bench.accounts.add(
            login: "c", group: "users", mail: "", isAdmin: false, passwordHash: "")
        func write(_ numbers: ClosedRange<Int>) async throws {
            _ = try await b.sync(numbers.map { create($0, ["title": "b's"]) })
        }
        try await write(1...3)
        let old = try await b.sync().cursor
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: "c", group: nil),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        try await write(4...6)
        _ = try await c.push(update(1, id: "u", base: 2, ["title": "c's"]))
        try await write(7...10)
        func next(_ cursor: String, limit: Int = 1) async throws -> SyncResponse {
            try await b.sync(cursor: cursor, limit: limit)
        }
        let fresh = try await b.sync(limit: 4)
        let passed = try await next(next(old).cursor)
        #expect(fresh.records.last?.guid == guid(5) && passed.records.last?.guid == guid(5))
        // The record is second on this page.
        for _ in 0..<3 {
            let told = try await next(fresh.cursor, limit: 2)
            #expect(told.records.map(\.guid) == [guid(6), guid(7)] && told.dropped.isEmpty)
        }
        for _ in 0..<3 {
            let told = try await next(passed.cursor, limit: 2)
            #expect(told.records.map(\.guid) == [guid(6)])
            #expect(told.dropped.map(\.guid) == [guid(1)])
        }
    }

    /// A deletion was swept after the server had identified the caller.
    @Test func clientThatMissedDeletionStartsOver() async throws {
        let bench = try await bench()
        let (a, b) = (bench.person("a"), bench.person("b"))
        let cursor = try await b.sync().cursor
        _ = try await a.sync([
            update(1, id: "u", base: 1, ["title": "new"]), delete(2, id: "d", base: 1),
            create(6, ["title": "six"]),
        ])
        for _ in 0..<3 {
            #expect(try await b.sync(cursor: cursor, limit: 1).records.map(\.guid) == [guid(1)])
        }
        _ = try await a.push(create(7, ["title": "seven"]))
        let caller = try await b.caller()
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 5000))
        let answer = try await bench.engine.sync(
            SyncRequest(cursor: cursor, limit: 1), from: caller, at: Instant(milliseconds: 1000))
        #expect(answer.resync)
    }

    /// A swept record was on a page that is valid up to the sequence read when the caller was
    /// identified. A client that starts over gets no record from before the sweep.
    @Test func clientThatStartsOverGetsNoPurgedRecord() async throws {
        let bench = try await bench()
        let (a, b) = (bench.person("a"), bench.person("b"))
        let cursor = try await b.sync().cursor
        _ = try await a.sync((6...8).map { create($0, ["title": "new"]) })
        for _ in 0..<2 { #expect(try await firstPage(b) == ["1 note 1", "2 note 2"]) }
        let caller = try await b.caller()
        #expect(kept(bench, for: b)?.moment == caller.moment)
        _ = try await a.sync([delete(1, id: "d", base: 1), create(9, ["title": "new"])])
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 5000))
        let answer = try await bench.engine.sync(
            SyncRequest(cursor: cursor, limit: 2), from: caller, at: Instant(milliseconds: 1000))
        #expect(answer.resync && answer.records.map(\.guid) == [guid(2), guid(3)])
    }

    /// The page that was read with the push is for the previous position.
    @Test func pushThatStartsOverGetsAllRecords() async throws {
        let bench = try await bench()
        let (a, b) = (bench.person("a"), bench.person("b"))
        let cursor = try await b.sync().cursor
        let caller = try await b.caller()
        _ = try await a.sync([delete(1, id: "d", base: 1), create(9, ["title": "new"])])
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 5000))
        let answer = try await bench.engine.sync(
            SyncRequest(cursor: cursor, limit: 2, changes: [create(10, ["title": "own"])]),
            from: caller, at: Instant(milliseconds: 1000))
        #expect(answer.outcomes.map(\.outcome) == [.accepted])
        #expect(answer.resync && answer.records.map(\.guid) == [guid(2), guid(3)])
    }

    // MARK: - Concurrent reads

    /// A slow reader does not replace a page that was read later. A count of one page says nothing
    /// about another.
    @Test func countBelongsToOnePage() async throws {
        let bench = try await bench()
        for _ in 0..<2 { _ = try await firstPage(bench.person("b")) }
        let first = try #require(kept(bench, for: bench.person("b")))
        func page(at sequence: Int64, scanned: Int) -> CachedPage {
            CachedPage(
                records: first.records, span: first.span, scanned: scanned, heldSince: 0,
                moment: EnvironmentMoment(deployment: 1, sequence: sequence, purgeHorizon: 0))
        }
        let (pages, now) = (PageCache(maxBytes: 1 << 20), Instant(milliseconds: 0))
        let question = question(bench, bench.person("b"))
        pages.keep(page(at: 7, scanned: 2), for: question, at: now)
        pages.keep(page(at: 5, scanned: 3), for: question, at: now)
        #expect(pages.page(for: question, at: now)?.scanned == 2)
        pages.note(
            page(at: 7, scanned: 3), for: question,
            holdsAt: EnvironmentMoment(deployment: 1, sequence: 9, purgeHorizon: 0))
        #expect(pages.page(for: question, at: now)?.moment.sequence == 7)
        pages.note(
            page(at: 7, scanned: 2), for: question,
            holdsAt: EnvironmentMoment(deployment: 1, sequence: 9, purgeHorizon: 0))
        #expect(pages.page(for: question, at: now)?.moment.sequence == 9)
    }

    // MARK: - Room

    private func page(_ number: Int64, of records: EncodedRecords) -> (PageQuestion, CachedPage) {
        let environment = EnvironmentID(number: 1)
        return (
            PageQuestion(
                viewer: Viewer(group: [], deviceCategory: [], login: nil), encoder: "native",
                after: number, limit: 1, skipsDeleted: false),
            CachedPage(
                records: records,
                span: RecordSpan(environment: environment, after: number, through: number + 1),
                scanned: 1, heldSince: 0, moment: .none)
        )
    }

    /// A scan of more pages than fit finds some of them each time. Unused pages are evicted.
    @Test func usedPagesStayInCache() async throws {
        let bench = try await bench()
        for _ in 0..<2 { _ = try await firstPage(bench.person("b")) }
        let records = try #require(kept(bench, for: bench.person("b"))).records
        let pages = PageCache(maxBytes: 4 * (records.bytes.count + 1024))
        func found(_ numbers: Range<Int64>, at seconds: Int64) -> Int {
            let now = Instant(milliseconds: 1000 * seconds)
            return numbers.count { number in
                let (question, page) = page(number, of: records)
                if pages.page(for: question, at: now) != nil { return true }
                pages.keep(page, for: question, at: now)
                return false
            }
        }
        #expect(found(0..<10, at: 0) == 0)
        for second: Int64 in 1...5 { #expect(found(0..<10, at: second) == 4) }
        #expect(found(2..<4, at: 600) == 2)
        #expect(found(100..<110, at: 605) == 0)
        #expect(found(100..<110, at: 614) == 0)
        #expect(found(100..<110, at: 614) == 0)
        // The last of these was used five seconds after the start and is more than ten minutes old;
        // the cache was last cleaned ten seconds ago.
        #expect(found(100..<110, at: 615) == 0)
        #expect(found(100..<110, at: 616) == 2)
        #expect(found(2..<4, at: 617) == 2)
    }

    /// Independent of other queries meanwhile, up to a limit.
    @Test func queryIsRememberedForWhile() async throws {
        let pages = PageCache(maxBytes: 1)
        func question(_ number: Int64) -> PageQuestion {
            PageQuestion(
                viewer: Viewer(group: [], deviceCategory: [], login: nil), encoder: "native",
                after: number, limit: 1, skipsDeleted: false)
        }
        for number: Int64 in 0..<15_000 { #expect(!pages.wasAsked(question(number))) }
        #expect(pages.wasAsked(question(0)) && pages.wasAsked(question(14_999)))
        for number: Int64 in 15_000..<40_000 { _ = pages.wasAsked(question(number)) }
        #expect(!pages.wasAsked(question(1)))
    }

    /// Caching a page again takes no more memory.
    @Test func pageCachedTwiceCountsOnce() async throws {
        let bench = try await bench()
        for _ in 0..<2 { _ = try await firstPage(bench.person("b")) }
        let records = try #require(kept(bench, for: bench.person("b"))).records
        let (pages, now) = (
            PageCache(maxBytes: 2 * (records.bytes.count + 1024)), Instant(milliseconds: 0)
        )
        let (question, page) = page(1, of: records)
        for _ in 0..<5 { pages.keep(page, for: question, at: now) }
        let (other, otherPage) = self.page(2, of: records)
        pages.keep(otherPage, for: other, at: now)
        #expect(pages.page(for: question, at: now) != nil && pages.page(for: other, at: now) != nil)
    }
}

extension Engine {
    /// The same engine without a cache, for comparison.
    var keepingNothing: Engine {
        var limits = limits
        limits.keptPageBytes = 0
        return Engine(
            rules: rules, formerly: formerRules,
            environment: EnvironmentState(
                id: environment, name: "test", instance: instance, sequence: 0, deployment: 0,
                digest: "", fingerprint: rules.definition.fingerprint, source: []),
            store: store, seal: seal, limits: limits)
    }
}
