import Foundation
import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Errors of the database")
struct StoreErrorTests {
    @Test(arguments: [ResultCode.SQLITE_BUSY, .SQLITE_LOCKED])
    func someoneElseWrites(code: ResultCode) {
        #expect(StoreError(DatabaseError(resultCode: code) as any Error) == .busy)
    }

    @Test func fullDiskIsReported() {
        #expect(StoreError(DatabaseError(resultCode: .SQLITE_FULL) as any Error) == .outOfSpace)
    }

    @Test(arguments: [
        ResultCode.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN, .SQLITE_READONLY,
        .SQLITE_PERM,
    ])
    func unusableDiskIsReported(code: ResultCode) {
        guard case .unreadable = StoreError(DatabaseError(resultCode: code) as any Error) else {
            Issue.record("\(code) is told as something else")
            return
        }
    }

    @Test(arguments: [
        ResultCode.SQLITE_IOERR_WRITE, .SQLITE_IOERR_SHMSIZE, .SQLITE_IOERR_TRUNCATE,
    ])
    func systemTakesNoMore(code: ResultCode) {
        #expect(StoreError(DatabaseError(resultCode: code) as any Error) == .outOfSpace)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_NOTADB, StoreRemedy.rightFile), (.SQLITE_CANTOPEN, .rightFile),
        (.SQLITE_CORRUPT, .backup), (.SQLITE_READONLY, .permission), (.SQLITE_PERM, .permission),
    ])
    func unreadableDatabaseHasRemedy(code: ResultCode, expected: StoreRemedy) {
        let error = StoreError(DatabaseError(resultCode: code) as any Error)
        guard case .unreadable(_, let remedy) = error else {
            Issue.record("\(code) is told as \(error)")
            return
        }
        #expect(remedy == expected)
    }

    @Test func otherErrorsKeepTheirMessage() {
        let error = DatabaseError(resultCode: .SQLITE_CONSTRAINT, message: "no such luck")
        guard case .failed(let words) = StoreError(error as any Error) else {
            Issue.record("a broken constraint is told as something else")
            return
        }
        #expect(words.contains("no such luck"))
        #expect(StoreError(StoreError.busy as any Error) == .busy)
    }

    /// GRDB's error has the whole row in its description.
    @Test func rowOfAnotherTypeKeepsItsValuesSecret() throws {
        let test = try TestDatabase()
        let row = try test.database.pool.read { db in
            try Row.fetchOne(db, sql: "SELECT 'a hash' AS password_hash, 'seven' AS count")
        }
        #expect(throws: StoreError.damagedRow(column: "count")) {
            try translating { try row?.decode(Int64.self, forColumn: "count") }
        }
    }

    private static let numbers: [(kind: StoredNumber, right: Int64, wrong: Int64)] = [
        (.revision, 1, 0), (.sequence, 0, -1), (.size, 0, -1),
        (.sequence, 1_099_511_627_775, 1_099_511_627_776),
        (.time, -9_007_199_254_740_992, .min), (.time, 9_007_199_254_740_992, .max),
        (.environment, 1, 0), (.environment, 8_388_607, 8_388_608),
    ]

    @Test(arguments: numbers)
    func numbersThatWaggleNeverWritesAreRefused(
        kind: StoredNumber, right: Int64, wrong: Int64
    ) throws {
        let test = try TestDatabase()
        try test.database.pool.read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT ? AS a, ? AS b", arguments: [right, wrong])
            #expect(try row?.number("a", as: kind) == right)
            #expect(throws: StoreError.damagedRow(column: "b", number: wrong)) {
                try row?.number("b", as: kind)
            }
            let statement = try RepeatedStatement("SELECT ? AS a, ? AS b", db)
            let values: [RepeatedStatement.Value] = [.integer(right), .integer(wrong)]
            #expect(try statement.first(values) { try $0.number(0, as: kind) } == right)
            #expect(throws: StoreError.damagedRow(column: "b", number: wrong)) {
                try statement.first(values) { try $0.number(1, as: kind) }
            }
        }
    }

    @Test func movedFileIsUnhealthy() async throws {
        let test = try TestDatabase()
        try await test.database.checkHealth()
        try FileManager.default.moveItem(atPath: test.path, toPath: test.path + ".aside")
        await #expect(throws: StoreError.self) { try await test.database.checkHealth() }
        try FileManager.default.moveItem(atPath: test.path + ".aside", toPath: test.path)
        try await test.database.checkHealth()
    }

    @Test func writerWaitsFiveSecondsForAnotherProcess() throws {
        let test = try TestDatabase()
        let milliseconds = try test.database.pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA busy_timeout")
        }
        #expect(milliseconds == 5000)
    }

    @Test func sessionOfNobodyCannotBeStored() throws {
        let test = try TestDatabase()
        #expect(throws: DatabaseError.self) {
            try test.database.pool.write { db in
                try db.execute(
                    sql: """
                        INSERT INTO sessions VALUES (x'01', 1, 'nobody', 'mobile', 'phone', 1)
                        """)
            }
        }
    }
}
