import SyncEngine
import TestKit
import Testing
import UserAccounts

@testable import PostgresStore

/// A change of the account of a cached session.
private enum AccountChange: CaseIterable {
    case otherGroup, sessionsEnd, userIsRemoved, sessionEnds, sessionExpires, otherVersion

    func make(in store: PostgresDatabase, _ environment: EnvironmentID) async throws {
        switch self {
        case .otherGroup: try await store.put(group: "chiefs", in: environment)
        case .sessionsEnd: try await store.put(endingSessions: true, in: environment)
        case .userIsRemoved:
            let refusal = try await store.changeUser("a", in: environment) { _ in
                Result<UserChange, Refusal>.success(.remove)
            }
            #expect(refusal == nil)
        case .sessionEnds: try await store.endSession(tokenHash: [1])
        case .sessionExpires:
            #expect(try await store.openSession([2], in: environment, at: 1000))
        case .otherVersion:
            _ = try await store.deploy(to: "test") { _ in .success(.test("two")) }.get()
        }
    }

    /// Group and version of the session afterwards; nil if there is none.
    var answer: String? {
        switch self {
        case .otherGroup: "chiefs version"
        case .otherVersion: "users two"
        case .sessionsEnd, .userIsRemoved, .sessionEnds, .sessionExpires: nil
        }
    }
}

private enum Refusal: Error { case no }

extension PostgresDatabase {
    fileprivate func put(
        group: String = "users", endingSessions: Bool = false, in environment: EnvironmentID
    ) async throws {
        let user = User(login: "a", group: group, mail: "", isAdmin: false, passwordHash: "hash")
        let refusal = try await changeUser("a", in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: endingSessions))
        }
        #expect(refusal == nil)
    }

    /// Returns an environment with a user and an open session.
    fileprivate func signedIn() async throws -> EnvironmentID {
        let environment = try await environment()
        try await put(in: environment)
        #expect(try await openSession([1], in: environment, at: 0))
        return environment
    }

    fileprivate func openSession(
        _ tokenHash: [UInt8], in environment: EnvironmentID, at milliseconds: Int64
    ) async throws -> Bool {
        try await openSession(
            SyncEngine.Session(
                tokenHash: tokenHash, environment: environment, login: "a",
                deviceCategory: "mobile", deviceIdentifier: "phone",
                expiresAt: Instant(milliseconds: milliseconds + 1000)),
            passwordHash: "hash", at: Instant(milliseconds: milliseconds))
    }

    /// Writes a record for a caller who is presumed to be signed in still.
    fileprivate func write(
        _ guid: String, presuming accounts: AccountsVersion?, in environment: EnvironmentID
    ) async throws {
        var need = ReadSet(
            environment: environment, device: .test, changeIDs: [], guids: [guid],
            baseRevisions: [:])
        need.presumed = accounts
        try await commit(need) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (WriteSet(records: [.test(guid)]), ())
        }
    }

    fileprivate func presumed(in environment: EnvironmentID, at now: Int64 = 0) -> OpenSession? {
        presumedSession(tokenHash: [1], in: environment, at: Instant(milliseconds: now))
    }

    fileprivate func answer(in environment: EnvironmentID) async throws -> String? {
        try await session(
            tokenHash: [1], in: environment, at: Instant(milliseconds: 0)
        ).map { "\($0.group) \($0.fingerprint)" }
    }
}

@Suite("A session is cached until it changes", .timeLimit(.minutes(20)))
struct SessionCacheTests {
    @Test(arguments: AccountChange.allCases, [false, true])
    fileprivate func changesTakeEffectImmediately(
        _ change: AccountChange, elsewhere: Bool
    ) async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.signedIn()
        #expect(try await store.answer(in: environment) == "users version")
        try await change.make(in: elsewhere ? try await server.open() : store, environment)
        #expect(try await store.answer(in: environment) == change.answer)
    }

    /// The transaction of a write finds out, whichever process made the change.
    @Test(arguments: AccountChange.allCases, [false, true])
    fileprivate func nothingIsWrittenUnderFormerAccounts(
        _ change: AccountChange, elsewhere: Bool
    ) async throws {
        let server = try TestServer()
        let store = try await server.open()
        let environment = try await store.signedIn()
        #expect(store.presumed(in: environment) == nil)
        _ = try await store.answer(in: environment)
        let open = try #require(store.presumed(in: environment))
        #expect(open.group == "users")
        try await store.write("before", presuming: open.presumed, in: environment)
        #expect(store.presumed(in: environment)?.presumed == open.presumed)
        #expect(store.presumed(in: environment, at: 1000) == nil)

        try await change.make(in: elsewhere ? try await server.open() : store, environment)
        await #expect(throws: StoreError.presumptionOutdated) {
            try await store.write("after", presuming: open.presumed, in: environment)
        }
        #expect(try await store.page(in: environment).records.map(\.guid) == ["before"])
        #expect(store.presumed(in: environment) == nil)
    }

    /// The tables of sessions are locked, so that reading them would wait.
    @Test func cachedSessionIsNotReadAgain() async throws {
        let server = try TestServer()
        let store = try await server.open(patienceSeconds: 1)
        let other = try await server.open()
        let environment = try await store.signedIn()
        #expect(try await store.answer(in: environment) == "users version")
        let gate = Gate()
        async let locking: Int = other.write { transaction in
            defer { gate.pass() }
            return try transaction.rows("LOCK TABLE sessions, users IN ACCESS EXCLUSIVE MODE").count
        }
        await gate.isReached()
        #expect(try await store.answer(in: environment) == "users version")
        gate.open()
        _ = try await locking
    }
}
