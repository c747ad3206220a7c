import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Swept records never come back")
struct SweepTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
    }

    private func sweep(
        before milliseconds: Int64 = 5000, limit: Int = 1000
    ) async throws -> SweepResult {
        try await bench.engine.sweep(
            before: Instant(milliseconds: milliseconds), limit: limit)
    }

    @Test func onlyOldDeletionsWithoutConflictArePurged() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(1, ["title": "t"]), create(2, ["title": "t"]), create(3, ["title": "t"]),
            create(4, ["title": "t"]), delete(1, id: "1", base: nil))
        _ = try await a.push(update(2, id: "2", base: 1, ["title": "u"]))
        _ = try await b.push(delete(2, id: "3", base: 1))
        _ = try await a.sync([delete(3, id: "4", base: 1)], at: 5000)
        _ = try await a.push(delete(2, id: "5", base: 3))
        #expect(try await sweep() == SweepResult(records: 1, hasMore: false))
        #expect(try await bench.stored(guid(1)) == nil)
        for number in 2...4 { #expect(try await bench.stored(guid(number)) != nil) }
        #expect(try await bench.history(of: guid(1)).isEmpty)
        #expect(try await sweep() == SweepResult(records: 0, hasMore: false))
        #expect(try await sweep(before: 5001) == SweepResult(records: 1, hasMore: false))
    }

    @Test func someAtATime() async throws {
        _ = try await bench.person("a").sync(
            (1...5).flatMap { [create($0, ["title": "t"]), delete($0, id: "\($0)", base: nil)] })
        #expect(try await sweep(limit: 2) == SweepResult(records: 2, hasMore: true))
        #expect(try await sweep(limit: 2) == SweepResult(records: 2, hasMore: true))
        #expect(try await sweep(limit: 2) == SweepResult(records: 1, hasMore: false))
    }

    /// A late edit between two parts does not bring it back: what it is based on may be gone.
    @Test func recordThatIsPurgedInPartsStaysDeleted() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "0"]))
        for number in 1...5 {
            _ = try await a.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        _ = try await a.push(delete(1, id: "d", base: 6))
        let moment = Instant(milliseconds: 5000)
        let first = try await bench.engine.sweep(before: moment, historyRows: 2)
        #expect(first == SweepResult(records: 0, hasMore: true))
        let late = try await b.push(update(1, id: "late", base: 1, ["title": "late"]))
        #expect(late.map(\.outcome) == [.refused])
        var isOver = false
        while !isOver {
            isOver = try await !bench.engine.sweep(before: moment, historyRows: 2).hasMore
        }
        #expect(try await bench.stored(guid(1)) == nil)
    }

    /// A client returns after the retention time with unsent edits: no deleted record comes back,
    /// no edit is lost.
    @Test func clientThatWasAwayStartsOverAndKeepsItsEdits() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        var replica = Replica()
        try await b.follow(&replica)
        _ = try await a.push(delete(1, id: "d", base: 1))
        _ = try await sweep()
        let answer = try await b.sync(
            [
                update(1, id: "e1", base: 1, ["title": "edited"]),
                update(2, id: "e2", base: 1, ["title": "edited"]),
                create(1, id: "e3", ["title": "again"]),
            ], cursor: replica.cursor)
        #expect(answer.resync)
        #expect(answer.outcomes.map(\.outcome) == [.refused, .accepted, .refused])
        #expect(
            answer.outcomes.map { $0.causes?.map(\.code) } == [
                ["recordUnknown"], nil, ["guidTaken"],
            ])
        replica.apply(answer)
        #expect(replica.records.keys.sorted() == [guid(2)])
        #expect(replica.records[guid(2)]?.fields?["title"] == "edited")
    }

    @Test func clientThatKnowsDeletionContinues() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        _ = try await a.push(delete(1, id: "d", base: 1))
        var replica = Replica()
        try await b.follow(&replica)
        _ = try await sweep()
        _ = try await a.push(update(2, id: "u", base: 1, ["title": "u"]))
        try await b.follow(&replica)
        #expect(replica.resyncs == 0 && replica.records[guid(2)]?.revision == 2)
    }

    /// During a first sync, a record that was sent is deleted and swept.
    @Test func firstSyncOvertakenByPurgeStartsOver() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync((1...6).map { create($0, ["title": "t"]) })
        var replica = Replica()
        replica.apply(try await b.sync(limit: 2))
        _ = try await a.push(delete(1, id: "d", base: 1))
        _ = try await sweep()
        try await b.follow(&replica, limit: 2)
        #expect(replica.records.keys.sorted() == (2...6).map(guid))
        #expect(replica.resyncs == 1)
    }

    @Test func firstSyncThatBeganAfterwardsGoesOn() async throws {
        let a = bench.person("a")
        _ = try await a.sync((1...6).map { create($0, ["title": "t"]) })
        _ = try await a.push(delete(6, id: "d", base: 1))
        _ = try await sweep()
        var replica = Replica()
        try await bench.person("b").follow(&replica, limit: 2)
        #expect(replica.records.count == 5 && replica.resyncs == 0)
    }
}
