import Dispatch
import GRDB
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Commits that wait at the same time share a transaction", .timeLimit(.minutes(5)))
struct CommitQueueTests {
    @Test(arguments: [(200, 64, 4), (64, 64, 1), (65, 64, 2), (30, 1, 30), (1, 64, 1)])
    func callsShareUpToLimit(calls: Int, limit: Int, transactions: Int) async throws {
        let bench = try await QueueBench(callsPerTransaction: limit)
        try await bench.holdingUp {
            try await withThrowingTaskGroup { group in
                for number in 0..<calls {
                    group.addTask { try await bench.create("\(number)") }
                }
                try await bench.wait(forCalls: calls)
                bench.letGo()
                try await group.waitForAll()
            }
        }
        #expect(bench.transactions.committed == transactions)
        let page = try await bench.database.page(in: bench.environment, limit: 1000)
        #expect(Set(page.records.map(\.guid)) == Set((0..<calls).map(String.init)))
        #expect(page.lastSequence == Int64(calls))
    }

    @Test func callsKeepTheirOrderWhenTimeRunsOut() async throws {
        let bench = try await QueueBench(milliseconds: 0)
        try await bench.holdingUp {
            try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask { try await bench.create("\(number)") }
                    try await bench.wait(forCalls: number + 1)
                }
                bench.letGo()
                try await group.waitForAll()
            }
        }
        #expect(bench.transactions.committed == 20, "each took longer than no time")
        let page = try await bench.database.page(in: bench.environment)
        #expect(page.records.map(\.guid) == (0..<20).map(String.init))
    }

    @Test func failingCallFailsAlone() async throws {
        let bench = try await QueueBench()
        let errors = try await bench.together(30) { number in
            switch number % 3 {
            case 0: try await bench.create("\(number)")
            case 1: try await bench.createButRefuse("\(number)")
            default: try await bench.createHalf("\(number)")
            }
        }
        let page = try await bench.database.page(in: bench.environment)
        let succeeded = errors.indices.filter { errors[$0] == nil }
        #expect(succeeded == stride(from: 0, to: 30, by: 3).map { $0 })
        #expect(Set(page.records.map(\.guid)) == Set(succeeded.map(String.init)))
        #expect(page.lastSequence == 10, "whoever failed took no sequence")
        #expect(errors[1] == .unreadable("refused"))
    }

    /// The transaction is undone, and each of its calls gets one of its own.
    @Test(arguments: [(false, 1), (true, 6)])
    func eachIsDoneAloneWhereOneCannotBeWritten(
        cannotBeWritten: Bool, committed: Int
    ) async throws {
        let bench = try await QueueBench()
        let errors = try await bench.together(10) { number in
            guard number.isMultiple(of: 3) else { return try await bench.create("\(number)") }
            if cannotBeWritten {
                try await bench.createHalf("\(number)")
            } else {
                try await bench.createButRefuse("\(number)")
            }
        }
        #expect(errors.indices.filter { errors[$0] != nil } == [0, 3, 6, 9])
        #expect(bench.transactions.committed == committed)
        let page = try await bench.database.page(in: bench.environment)
        #expect(Set(page.records.map(\.guid)) == ["1", "2", "4", "5", "7", "8"])
    }

    /// The folder for temporary files may be full or missing.
    @Test func undoingCallWritesNoTemporaryFile() async throws {
        let bench = try await QueueBench()
        let place = try await bench.database.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA temp_store")
        }
        #expect(place == 2, "2 is MEMORY")
    }

    @Test func whenCommitFailsAllGetErrorAndNothingIsWritten() async throws {
        let bench = try await QueueBench()
        bench.transactions.fail(commit: 1, with: DatabaseError(resultCode: .SQLITE_FULL))
        let errors = try await bench.together(5) { try await bench.create("\($0)") }
        #expect(errors == Array(repeating: .outOfSpace, count: 5))
        #expect(try await bench.database.page(in: bench.environment).records.isEmpty)
        try await bench.create("later")
        #expect(try await bench.database.page(in: bench.environment).lastSequence == 1)
    }

    /// On a disk failure, SQLite rolls back the whole transaction itself.
    @Test func callThatEndsTransactionFailsAlone() async throws {
        let bench = try await QueueBench()
        try await bench.database.pool.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER broken BEFORE INSERT ON records WHEN NEW.guid = '2'
                    BEGIN SELECT RAISE(ROLLBACK, 'the disk is broken'); END
                    """)
        }
        let errors = try await bench.together(5) { try await bench.create("\($0)") }
        #expect("\(errors[2], default: "none")".contains("the disk is broken"))
        #expect(errors.filter { $0 == nil }.count == 4)
        #expect(try await bench.database.page(in: bench.environment).lastSequence == 4)
    }

    @Test func cancellingQueuedCallRemovesItAlone() async throws {
        let bench = try await QueueBench()
        try await bench.holdingUpFirst {
            let tasks = (0..<4).map { number in Task { try await bench.create("\(number)") } }
            try await bench.wait(forCalls: 4)
            tasks[1].cancel()
            await #expect(throws: StoreError.cancelled) {
                try await tasks[1].value
            }
            bench.letGo()
            for number in [0, 2, 3] { try await tasks[number].value }
        }
        let page = try await bench.database.page(in: bench.environment)
        #expect(Set(page.records.map(\.guid)) == ["first", "0", "2", "3"])
    }

    @Test func callOfCancelledTaskIsNotQueued() async throws {
        let bench = try await QueueBench()
        try await bench.holdingUp {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await bench.create("never")
            }
            await #expect(throws: StoreError.cancelled) {
                try await task.value
            }
            bench.letGo()
        }
        #expect(try await bench.database.page(in: bench.environment).records.isEmpty)
    }

    @Test func anotherWriterWaitsForOneTransaction() async throws {
        let bench = try await QueueBench(callsPerTransaction: 5)
        let before = Mutex<Int?>(nil)
        try await bench.holdingUpFirst {
            let errors = try await bench.queue(50) {
                try await bench.create("\($0)")
            } then: {
                bench.database.pool.asyncWriteWithoutTransaction { _ in
                    before.withLock { $0 = bench.transactions.committed }
                }
                bench.letGo()
            }
            #expect(errors.allSatisfy { $0 == nil })
        }
        #expect(before.withLock { $0 } == 1)
        #expect(bench.transactions.committed == 11)
    }

    @Test func closingFinishesRunningTransactionAndRefusesQueuedCalls() async throws {
        let bench = try await QueueBench(callsPerTransaction: 5)
        let database = bench.database
        try await bench.holdingUpFirst {
            let errors = try await bench.queue(20) {
                try await bench.create("\($0)")
            } then: {
                DispatchQueue.global().async { try? database.close() }
                while !database.writing.isClosing { await Task.yield() }
                bench.letGo()
            }
            #expect(errors.allSatisfy { $0 == .failed("the database is closed") })
        }
        let again = try SQLiteDatabase(path: bench.test.path)
        let page = try await again.page(in: bench.environment)
        #expect(page.records.map(\.guid) == ["first"] && page.lastSequence == 1)
        try again.close()
    }
}
