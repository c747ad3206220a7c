import GRDB
import SyncEngine
import Synchronization
import Testing

@testable import SQLiteStore

@Suite("Sessions and failed attempts")
struct SessionStoreTests {
    private enum Refusal: Error, Hashable { case no }

    private let test: TestDatabase
    private let one: EnvironmentID
    private let two: EnvironmentID

    /// Users "a" and "b" in two environments, all with the same password.
    init() async throws {
        test = try TestDatabase()
        one = try await test.environment()
        two = try await test.environment(named: "b")
        for environment in [one, two] {
            for login in ["a", "b"] { try await put(login, in: environment) }
        }
    }

    private func put(
        _ login: String, in environment: EnvironmentID, isAdmin: Bool = false,
        endingSessions: Bool = false
    ) async throws {
        let user = User(
            login: login, group: "users", mail: "", isAdmin: isAdmin, passwordHash: "hash")
        let refusal = try await test.database.changeUser(login, in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: endingSessions))
        }
        #expect(refusal == nil)
    }

    private func open(
        _ token: UInt8, of login: String = "a", in environment: EnvironmentID? = nil,
        until end: Int64 = 1000, at now: Int64 = 0, hash: String = "hash"
    ) async throws -> Bool {
        try await test.database.openSession(
            Session(
                tokenHash: [token], environment: environment ?? one, login: login,
                deviceCategory: "mobile", deviceIdentifier: "phone",
                expiresAt: Instant(milliseconds: end)),
            passwordHash: hash, at: Instant(milliseconds: now))
    }

    private func isOpen(
        _ token: UInt8, in environment: EnvironmentID? = nil, at now: Int64 = 0
    ) async throws -> Bool {
        try await test.database.session(
            tokenHash: [token], in: environment ?? one, at: Instant(milliseconds: now)) != nil
    }

    /// What the next attempt is told of the ones before; it counts as one itself.
    private func attempt(
        _ login: String = "a", in environment: EnvironmentID? = nil, at now: Int64 = 0
    ) async throws -> FailedSignIns {
        let told = Mutex<FailedSignIns?>(nil)
        _ = try await test.database.admitSignIn(
            of: login, in: environment ?? one, at: Instant(milliseconds: now)
        ) { failed in
            told.withLock { $0 = failed }
            return 0
        }
        return try #require(told.withLock { $0 })
    }

    @Test func aSessionTellsWhatHoldsNow() async throws {
        #expect(try await open(1))
        try await test.database.write(Writes(records: [.test("g")]), in: one)
        try await put("a", in: one, isAdmin: true)
        let found = try await test.database.session(
            tokenHash: [1], in: one, at: Instant(milliseconds: 999))
        #expect(
            found
                == OpenSession(
                    session: Session(
                        tokenHash: [1], environment: one, login: "a", deviceCategory: "mobile",
                        deviceIdentifier: "phone", expiresAt: Instant(milliseconds: 1000)),
                    group: "users", isAdmin: true, sequence: 1, horizon: 0,
                    fingerprint: "version"))
    }

    @Test func itIsOfOneEnvironmentAndEndsOnTime() async throws {
        #expect(try await open(1))
        #expect(try await isOpen(1, at: 999))
        #expect(try await !isOpen(1, at: 1000))
        #expect(try await !isOpen(1, in: two))
        #expect(try await !isOpen(2))
    }

    @Test func whoseHashIsAnotherOrWhoIsGoneOpensNone() async throws {
        #expect(try await !open(1, hash: "other"))
        #expect(try await !open(2, of: "nobody"))
        #expect(try await !isOpen(1))
        #expect(try await !isOpen(2))
    }

    @Test func onlyTheUsersOwnSessionsEnd() async throws {
        #expect(try await open(1))
        #expect(try await open(2))
        #expect(try await open(3, of: "b"))
        #expect(try await open(4, in: two))
        try await put("a", in: one, endingSessions: true)
        #expect(try await !isOpen(1))
        #expect(try await !isOpen(2))
        #expect(try await isOpen(3))
        #expect(try await isOpen(4, in: two))
    }

    @Test func onlyTheNamedSessionEnds() async throws {
        #expect(try await open(1))
        #expect(try await open(2))
        try await test.database.endSession(tokenHash: [1])
        #expect(try await !isOpen(1))
        #expect(try await isOpen(2))
    }

    @Test func whoIsRemovedHasNoSessionLeft() async throws {
        #expect(try await open(1))
        _ = try await test.database.changeUser("a", in: one) { _ in
            Result<UserChange, Refusal>.success(.remove)
        }
        #expect(try await !isOpen(1))
        let kept = try await test.database.pool.read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions")
        }
        #expect(kept == 0)
    }

    @Test func expiredSessionsAreClearedAwayWithTheNextSignIn() async throws {
        #expect(try await open(1, until: 500))
        #expect(try await open(2, until: 501))
        #expect(try await open(3, at: 500))
        let kept = try await test.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT hex(token_hash) FROM sessions ORDER BY 1")
        }
        #expect(kept == ["02", "03"])
    }

    @Test func attemptsAreCountedForEachLoginAndEnvironment() async throws {
        #expect(try await attempt(at: 10) == FailedSignIns(count: 0, last: nil))
        #expect(
            try await attempt(at: 20)
                == FailedSignIns(count: 1, last: Instant(milliseconds: 10)))
        #expect(
            try await attempt(at: 30)
                == FailedSignIns(count: 2, last: Instant(milliseconds: 20)))
        #expect(try await attempt("b", at: 30).count == 0)
        #expect(try await attempt("b", in: two, at: 30).count == 0)
    }

    @Test func whoMustWaitIsNotCounted() async throws {
        _ = try await attempt(at: 10)
        let told = try await test.database.admitSignIn(
            of: "a", in: one, at: Instant(milliseconds: 20)
        ) { _ in 7 }
        #expect(told == .wait(seconds: 7))
        #expect(
            try await attempt(at: 30)
                == FailedSignIns(count: 1, last: Instant(milliseconds: 10)))
    }

    @Test func aSuccessForgetsTheFailuresOfItsLoginOnly() async throws {
        for environment in [one, two] {
            for login in ["a", "b"] { _ = try await attempt(login, in: environment) }
        }
        #expect(try await open(1))
        #expect(try await attempt("a").count == 0)
        #expect(try await attempt("b").count == 1)
        #expect(try await attempt("a", in: two).count == 1)
    }

    @Test func anHourWithoutAnAttemptIsForgiven() async throws {
        let hour: Int64 = 3_600_000
        _ = try await attempt("a", at: 1)
        _ = try await attempt("b", at: 2)
        _ = try await attempt("c", at: hour + 2)
        let kept = try await test.database.pool.read { db in
            try String.fetchAll(db, sql: "SELECT login FROM failed_sign_ins ORDER BY 1")
        }
        #expect(kept == ["b", "c"])
    }
}
