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
