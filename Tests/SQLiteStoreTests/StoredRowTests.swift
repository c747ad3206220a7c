import GRDB
import SyncEngine
import TestKit
import Testing
import UserAccounts

@testable import SQLiteStore

@Suite("Stored rows")
struct StoredRowTests {
    private func rows(_ sql: String, in test: TestDatabase) async throws -> [String] {
        try await test.database.pool.read { db in try String.fetchAll(db, sql: sql) }
    }

    @Test func everyVersionIsKeptWithItsTime() async throws {
        let test = try TestDatabase()
        for (version, time) in [("one", Int64(7)), ("two", 8)] {
            _ = try await test.database.deploy(to: "test") { _ in
                .success(.test(version, deployedAt: time))
            }.get()
        }
        #expect(
            try await rows(
                "SELECT fingerprint || ' ' || deployed_at FROM versions ORDER BY id", in: test)
                == ["one 7", "two 8"])
    }

    /// Its values are in the history: whoever opens and resolves conflicts adds no more than that.
    @Test func closedConflictIsRemoved() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = WriteSet(records: [.test("g", conflicted: true)])
        writes.openedConflicts = [StoredConflict(guid: "g", revision: 2, text: "{}")]
        try await test.database.write(writes, in: environment)
        var closing = WriteSet()
        closing.closedConflicts = ["g"]
        try await test.database.write(closing, in: environment)
        #expect(try await rows("SELECT guid FROM conflicts", in: test) == [])
    }

    @Test func impossibleRowsAreUnreadable() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = WriteSet(records: [.test("g", revision: 2)])
        writes.history = [.test("g", revision: 2)]
        try await test.database.write(writes, in: environment)
        try await test.database.pool.write {
            try $0.execute(sql: "UPDATE history SET kind = 'dreamt'")
        }
        await #expect(throws: StoreError.unreadable("the history has a kind 'dreamt'")) {
            try await test.database.facts(in: environment, guids: ["g"], bases: ["g": 1])
        }
    }

    /// Keeps the table as small as the number of recent attacks.
    @Test func failuresOfHourAgoAreClearedAwayWithAnyOther() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        for (login, time) in [("a", Int64(1)), ("b", 2), ("c", 3_600_002)] {
            try await test.database.addFailedSignIn(
                of: .test(login), in: environment, at: Instant(milliseconds: time), keeping: 9)
        }
        #expect(
            try await rows("SELECT login FROM failed_sign_ins ORDER BY 1", in: test) == ["b", "c"])
    }

    /// A removed user's sessions would be unusable rows.
    @Test func removedUserLeavesNoSession() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let user = User(login: "a", group: "users", mail: "", isAdmin: false, passwordHash: "h")
        for change in [UserChange.write(user, endingSessions: false), .remove] {
            let refusal = try await test.database.changeUser("a", in: environment) { _ in
                Result<UserChange, StoreError>.success(change)
            }
            #expect(refusal == nil)
            guard change != .remove else { break }
            let session = Session(
                tokenHash: [1], environment: environment, login: "a", deviceCategory: "mobile",
                deviceIdentifier: "phone", expiresAt: Instant(milliseconds: 9))
            #expect(
                try await test.database.openSession(
                    session, passwordHash: "h", at: Instant(milliseconds: 0)))
        }
        #expect(try await rows("SELECT login FROM sessions", in: test) == [])
    }
}
