import Foundation
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Checkpoints of the write-ahead log")
struct LogPlanTests {
    /// An event: a commit with a number of pages in the log, or the end of a checkpoint.
    private enum Event {
        case commit(Int)
        case moved
    }

    private func steps(_ events: [Event]) -> [LogPlan.Step] {
        var plan = LogPlan(pages: 10, mostPages: 40, timesBeside: 2)
        return events.compactMap { event in
            switch event {
            case .commit(let pages): return plan.step(at: pages)
            case .moved:
                plan.hasMoved()
                return nil
            }
        }
    }

    @Test func shortLogStays() {
        #expect(steps([.commit(1), .commit(9)]) == [.nothing, .nothing])
    }

    @Test func longOneMovesBesideWriterAndOnlyOnceAtATime() {
        #expect(steps([.commit(10), .commit(15)]) == [.moveBeside, .nothing])
    }

    @Test func laterCommitsAreCheckpointedToo() {
        #expect(
            steps([.commit(10), .moved, .commit(15), .moved, .commit(16), .commit(17)])
                == [.moveBeside, .moveBeside, .moveAtOnce, .moveBeside])
    }

    @Test func restartedLogIsANewOne() {
        #expect(
            steps([.commit(10), .moved, .commit(15), .moved, .commit(1), .commit(10)])
                == [.moveBeside, .moveBeside, .nothing, .moveBeside])
    }

    /// Also during a checkpoint: the writer then waits for its end.
    @Test func longestOneMovesAtOnce() {
        #expect(steps([.commit(10), .commit(40)]) == [.moveBeside, .moveAtOnce])
        #expect(steps([.commit(40)]) == [.moveAtOnce])
    }
}

@Suite("The write-ahead log restarts under load")
struct WALCheckpointerTests {
    /// Without checkpoints the log would have a hundred times as many pages.
    @Test func whileItIsWrittenToWithoutPause() async throws {
        let plan = LogPlan(pages: 20, mostPages: 100, timesBeside: 2)
        let test = try TestDatabase()
        let environment = try await test.environment()
        // A log that restarts keeps its size. It has the pages of the tables already.
        let first = try size(of: test.path + "-wal")
        let database = try SQLiteDatabase(path: test.path, log: plan)
        let text = String(repeating: "x", count: 20_000)
        for number in 0..<500 {
            try await database.write(
                WriteSet(records: [.test("g\(number)", fieldsText: #"{"f":"\#(text)"}"#)]),
                in: environment)
        }
        // The pages of a commit or two above the limit.
        let page = 4096 + 24
        let most = max(first, plan.mostPages * page) + 40 * page
        let last = try size(of: test.path + "-wal")
        #expect(last <= most)
        #expect(try await test.database.environment(named: "test")?.sequence == 500)
        try database.close()
    }

    private func size(of path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.size] as? Int)
    }
}
