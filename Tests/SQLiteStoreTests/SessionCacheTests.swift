import SyncEngine
import TestKit
import Testing
import UserAccounts

@testable import SQLiteStore

/// A change that invalidates the cached session.
private struct Change: Sendable, CustomTestStringConvertible {
    enum Refusal: Error { case no }

    let testDescription: String
    /// The session afterwards, with group, sequence and version; nil if there is none.
    let answer: String?
    let make: @Sendable (SQLiteDatabase, EnvironmentID) async throws -> Void

    init(
        _ description: String, gives answer: String?,
        _ make: @escaping @Sendable (SQLiteDatabase, EnvironmentID) async throws -> Void
    ) {
        testDescription = description
        self.answer = answer
        self.make = make
    }

    static func user(
        _ login: String = "a", group: String = "users", endingSessions: Bool = false,
        in database: SQLiteDatabase, _ environment: EnvironmentID
    ) async throws {
        let user = User(
            login: login, group: group, mail: "", isAdmin: false, passwordHash: "hash")
        _ = try await database.changeUser(login, in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: endingSessions))
        }
    }
}

private let changes = [
    Change("another group", gives: "chiefs 0 one") { database, environment in
        try await Change.user(group: "chiefs", in: database, environment)
    },
    Change("the user's sessions end", gives: nil) { database, environment in
        try await Change.user(endingSessions: true, in: database, environment)
    },
    Change("the user goes", gives: nil) { database, environment in
        _ = try await database.changeUser("a", in: environment) { _ in
            Result<UserChange, Change.Refusal>.success(.remove)
        }
    },
    Change("the session ends", gives: nil) { database, _ in
        try await database.endSession(tokenHash: [1])
    },
    Change("another version", gives: "users 0 two") { database, _ in
        _ = try await database.deploy(to: "test") { _ in .success(.test("two")) }.get()
    },
    Change("a record is written", gives: "users 1 one") { database, environment in
        try await database.write(WriteSet(records: [.test("g")]), in: environment)
    },
]

/// A cached session.
private struct SessionDesk {
    let test: TestDatabase
    let environment: EnvironmentID

    var database: SQLiteDatabase { test.database }

    init() async throws {
        test = try TestDatabase()
        _ = try await test.database.deploy(to: "test") { _ in .success(.test("one")) }.get()
        environment = try #require(try await test.database.environment(named: "test")).id
        try await Change.user(in: test.database, environment)
        #expect(
            try await test.database.openSession(
                Session(
                    tokenHash: [1], environment: environment, login: "a",
                    deviceCategory: "mobile", deviceIdentifier: "phone",
                    expiresAt: Instant(milliseconds: 1000)),
                passwordHash: "hash", at: Instant(milliseconds: 0)))
        #expect(try await answer() == "users 0 one")
    }

    func answer(at milliseconds: Int64 = 0) async throws -> String? {
        try await database.session(
            tokenHash: [1], in: environment, at: Instant(milliseconds: milliseconds)
        ).map(described)
    }

    /// Without reading the tables of sessions and users.
    func knownAnswer(in environment: EnvironmentID, at milliseconds: Int64 = 0) throws -> String? {
        let row = try #require(database.accounts.row(of: environment))
        return database.sessions.session(
            tokenHash: [1], in: environment, at: row, Instant(milliseconds: milliseconds)
        ).map(described)
    }

    private func described(_ open: OpenSession) -> String {
        "\(open.group) \(open.moment.sequence) \(open.fingerprint)"
    }
}

@Suite("A session is cached until it changes")
struct SessionCacheTests {
    @Test func cachedSessionNeedsNoRead() async throws {
        let desk = try await SessionDesk()
        #expect(try desk.knownAnswer(in: desk.environment) == "users 0 one")
    }

    /// By this process, or by another one with the same file.
    @Test(arguments: changes, [false, true])
    fileprivate func changesTakeEffectImmediately(_ change: Change, elsewhere: Bool) async throws {
        let desk = try await SessionDesk()
        let other = elsewhere ? try SQLiteDatabase(path: desk.test.path) : nil
        try await change.make(other ?? desk.database, desk.environment)
        #expect(try await desk.answer() == change.answer)
        try other?.close()
    }

    @Test func changesOfOthersKeepSessionCached() async throws {
        let desk = try await SessionDesk()
        let other = try await desk.test.environment(named: "other")
        try await Change.user("b", in: desk.database, desk.environment)
        try await Change.user(in: desk.database, other)
        try await Change.user(group: "chiefs", in: desk.database, other)
        try await desk.database.write(WriteSet(records: [.test("g")]), in: desk.environment)
        #expect(try desk.knownAnswer(in: desk.environment) == "users 1 one")
        #expect(try desk.knownAnswer(in: other) == nil)
    }

    @Test func cachedSessionEndsOnTime() async throws {
        let desk = try await SessionDesk()
        #expect(try await desk.answer(at: 999) != nil)
        #expect(try await desk.answer(at: 1000) == nil)
        #expect(try desk.knownAnswer(in: desk.environment, at: 1000) == nil)
    }
}
