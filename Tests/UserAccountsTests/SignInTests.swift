import AccessPolicy
import DefinitionModel
import EngineKit
import NativeCalls
import SQLiteStore
import SyncProtocol
import Synchronization
import Testing

@testable import SyncEngine
@testable import UserAccounts

@Suite("Signing in")
struct SignInTests {
    private func bench() async throws -> TestBench {
        let bench = try await TestBench(Documents.notes())
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        try await accounts.add(
            login: "anna", group: "users", mail: "", isAdmin: false, passwordHash: "right")
        return bench
    }

    /// The hash is the password itself; `Secrets` tests the hashing.
    private func signIn(
        _ bench: TestBench, _ login: String, _ password: String, at seconds: Int64 = 0,
        category: String = "mobile", device: String = "phone", from address: String = ""
    ) async throws(SyncError) -> SessionResponse {
        try await bench.accountEngine.signIn(
            SessionRequest(
                login: login, password: password, deviceCategory: category,
                deviceIdentifier: device),
            from: address,
            token: NewToken(text: "token", hash: Array("hash \(seconds)".utf8)),
            at: Instant(milliseconds: seconds * 1000)
        ) { $0 == $1 }
    }

    @Test func tokenStandsForUserUntilItExpires() async throws {
        let bench = try await bench()
        let session = try await signIn(bench, "anna", "right")
        #expect(session.role == "users-mobile" && session.token == "token")
        let hash = Array("hash 0".utf8)
        let end = session.expiresAt
        let last = Instant(milliseconds: end - 1)
        let caller = try await bench.engine.identify(tokenHash: hash, at: last)
        #expect(caller.asker.login == "anna" && caller.deviceIdentifier == "phone")
        await #expect(throws: SyncError.signIn(.tokenUnknown)) {
            try await bench.engine.identify(tokenHash: hash, at: Instant(milliseconds: end))
        }
    }

    @Test(arguments: [("anna", "wrong"), ("nobody", "right"), ("", "right"), ("a\0", "right")])
    func wrongIsWrong(login: String, password: String) async throws {
        let bench = try await bench()
        await #expect(throws: SyncError.signIn(.wrongCredentials)) {
            try await signIn(bench, login, password)
        }
    }

    /// An unknown login must cost the same comparison as a wrong password.
    @Test(arguments: ["anna", "nobody", "a b"])
    func passwordIsComparedInAnyCase(login: String) async throws {
        let bench = try await bench()
        let comparisons = Mutex(0)
        _ = try? await bench.accountEngine.signIn(
            SessionRequest(
                login: login, password: "wrong", deviceCategory: "mobile",
                deviceIdentifier: "phone"),
            token: NewToken(text: "", hash: []), at: Instant(milliseconds: 0)
        ) { _, _ in
            comparisons.withLock { $0 += 1 }
            return false
        }
        #expect(comparisons.withLock { $0 } == 1)
    }

    private func user(in bench: TestBench) async throws -> User {
        try #require(await bench.store.user("anna", in: bench.engine.environment))
    }

    @Test(arguments: [("right", "renewed"), ("wrong", "right")])
    func onlyTheRightPasswordRenewsItsHash(password: String, hash: String) async throws {
        let bench = try await bench()
        _ = try await signIn(bench, "anna", "right")
        _ = try? await bench.accountEngine.signIn(
            Credentials(
                login: "anna", password: password, deviceCategory: "mobile",
                deviceIdentifier: "tablet"),
            token: NewToken(text: "", hash: [1]), at: Instant(milliseconds: 0),
            verify: { $0 == $1 }, renew: { _, stored in stored == "right" ? "renewed" : nil })
        #expect(try await user(in: bench).passwordHash == hash)
        // On the user's other devices nothing changes.
        let caller = try await bench.engine.identify(
            tokenHash: Array("hash 0".utf8), at: Instant(milliseconds: 0))
        #expect(caller.asker.login == "anna")
    }

    /// As when the user signs in on two devices at once and the other one renews the hash first;
    /// or when an administrator sets another password.
    @Test(arguments: [("renewed", true), ("another password's", false)])
    func hashThatIsReplacedMeanwhileIsComparedToo(hash: String, isIn: Bool) async throws {
        let bench = try await bench()
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        let signedIn = try? await bench.accountEngine.signIn(
            Credentials(
                login: "anna", password: "right", deviceCategory: "mobile",
                deviceIdentifier: "tablet"),
            token: NewToken(text: "", hash: [1]), at: Instant(milliseconds: 0)
        ) { _, stored in
            if stored == "right" {
                try? await accounts.edit("anna", UserEdit(passwordHash: hash))
            }
            return ["right", "renewed"].contains(stored)
        }
        #expect((signedIn != nil) == isIn)
    }

    @Test func afterFiveFailuresEveryAttemptWaitsAlsoTheRightOne() async throws {
        let bench = try await bench()
        for _ in 0..<5 {
            await #expect(throws: SyncError.signIn(.wrongCredentials)) {
                try await signIn(bench, "anna", "wrong")
            }
        }
        await #expect(throws: SyncError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn(bench, "anna", "right")
        }
        _ = try await signIn(bench, "anna", "right", at: 1)
        _ = try? await signIn(bench, "anna", "wrong", at: 1)
        _ = try await signIn(bench, "anna", "right", at: 2)
    }

    @Test(arguments: [
        (4, 0, 0), (5, 0, 1), (6, 0, 2), (7, 0, 4), (7, 3, 1), (7, 4, 0), (10, 0, 32),
        (11, 0, 60), (1_000_000, 0, 60), (1_000_000, 60, 0), (7, -3600, 0),
        (7, -1, 4), (7, -60, 4), (7, -61, 0),
    ])
    func waitDoublesAndEnds(failures: Int, secondsSince: Int64, wait: Int64) {
        let failed = FailedSignIns(count: failures, last: Instant(milliseconds: 0))
        let now = Instant(milliseconds: secondsSince * 1000)
        #expect(signInWaitSeconds(after: failed, at: now, free: 5, longest: 60) == wait)
    }

    @Test func unknownRoleIsReportedAfterPassword() async throws {
        let bench = try await bench()
        await #expect(
            throws: SyncError.signIn(
                .roleUnknown(
                    group: "users", deviceCategory: "desk",
                    known: ["users-mobile", "guests-mobile"]))
        ) {
            try await signIn(bench, "anna", "right", category: "desk")
        }
        await #expect(throws: SyncError.signIn(.wrongCredentials)) {
            try await signIn(bench, "anna", "wrong", category: "desk")
        }
    }

    /// No session is created either.
    @Test func deviceThatMakesNoRoleIsNoFailureOfUser() async throws {
        let bench = try await bench()
        for second in 0..<Int64(10) {
            await #expect(throws: SyncError.self) {
                try await signIn(bench, "anna", "right", at: second, category: "desk")
            }
        }
        _ = try await signIn(bench, "anna", "right", at: 10)
        await #expect(throws: SyncError.signIn(.tokenUnknown)) {
            try await bench.engine.identify(
                tokenHash: Array("hash 9".utf8), at: Instant(milliseconds: 10_000))
        }
    }

    @Test func newPasswordEndsSessionsAndOneThatIsBeingOpened() async throws {
        let bench = try await bench()
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        _ = try await signIn(bench, "anna", "right")
        try await accounts.edit("anna", UserEdit(passwordHash: "new"))
        let hash = Array("hash 0".utf8)
        await #expect(throws: SyncError.signIn(.tokenUnknown)) {
            try await bench.engine.identify(tokenHash: hash, at: Instant(milliseconds: 1))
        }
        await #expect(throws: SyncError.signIn(.wrongCredentials)) {
            try await bench.accountEngine.signIn(
                SessionRequest(
                    login: "anna", password: "new", deviceCategory: "mobile",
                    deviceIdentifier: "phone"),
                token: NewToken(text: "", hash: []), at: Instant(milliseconds: 0)
            ) { password, stored in
                try? await accounts.edit("anna", UserEdit(passwordHash: "newer"))
                return password == stored
            }
        }
    }

    /// Otherwise a session that a provider opened would become an account that outlives it.
    @Test(arguments: [("right", true), (IdentityLink(provider: "p", person: "x").text, false)])
    func onlyPasswordIsReplacedByPassword(former: String, isReplaced: Bool) async throws {
        let bench = try await bench()
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        _ = try await signIn(bench, "anna", "right")
        let caller = try await bench.engine.identify(
            tokenHash: Array("hash 0".utf8), at: Instant(milliseconds: 0))
        try await accounts.edit("anna", UserEdit(passwordHash: former))
        var isDone = true
        do {
            try await bench.accountEngine.changeOwnPassword(
                of: caller, from: former, to: "new", at: Instant(milliseconds: 0))
        } catch {
            #expect(error == .signIn(.wrongCredentials))
            isDone = false
        }
        #expect(isDone == isReplaced)
        let hash = try await bench.accountEngine.ownUser(of: caller)?.passwordHash
        #expect(hash == (isReplaced ? "new" : former))
    }

    @Test func groupTakesEffectWithTheNextRequest() async throws {
        let bench = try await bench()
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        _ = try await signIn(bench, "anna", "right")
        try await accounts.edit("anna", UserEdit(group: "guests"))
        let caller = try await bench.engine.identify(
            tokenHash: Array("hash 0".utf8), at: Instant(milliseconds: 1))
        #expect(caller.asker.role.name == "guests-mobile")
    }

    @Test(arguments: [
        ("anna", "anna"), ("e\u{301}va", "\u{E9}va"), ("a@b.c", "a@b.c"),
    ])
    func loginIsFoundHoweverItIsTyped(text: String, login: String) {
        #expect(Login.normalized(text).map { Array($0.utf8) } == Array(login.utf8))
    }

    @Test(arguments: ["", " ", "a b", "a\n", "a\0", String(repeating: "x", count: 256)])
    func illegalLoginsAreRefused(text: String) {
        #expect(Login.normalized(text) == nil)
    }
}
