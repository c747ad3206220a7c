import SyncEngine
import TestKit
import Testing
import UserAccounts

extension SessionBench {
    func fail(
        _ login: String = "a", from origin: UInt8 = 1, in environment: EnvironmentID? = nil,
        at now: Int64 = 0, keeping max: Int = 100
    ) async throws {
        try await store.addFailedSignIn(
            of: .test(login, from: origin), in: environment ?? one,
            at: Instant(milliseconds: now), keeping: max)
    }

    func state(
        _ login: String = "a", from origin: UInt8 = 1, in environment: EnvironmentID? = nil,
        at now: Int64 = 0
    ) async throws -> SignInState {
        try await store.signInState(
            of: .test(login, from: origin), in: environment ?? one,
            at: Instant(milliseconds: now))
    }

    func failures(
        _ login: String = "a", from origin: UInt8 = 1, in environment: EnvironmentID? = nil,
        at now: Int64 = 0
    ) async throws -> Int {
        try await state(login, from: origin, in: environment, at: now).failed.count
    }
}

@Suite("Failed sign-ins")
struct FailedSignInTests {
    private static let hour: Int64 = 3_600_000

    @Test(arguments: stores)
    func failuresAreCountedBySourceAndEnvironment(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.state(at: 10).failed == .nothing)
        for time in [10, 20] as [Int64] { try await bench.fail(at: time) }
        #expect(
            try await bench.state(at: 30).failed
                == FailedSignIns(count: 2, last: Instant(milliseconds: 20)))
        #expect(try await bench.failures("b") == 0)
        #expect(try await bench.failures("a", from: 2) == 0)
        #expect(try await bench.failures("a", in: bench.two) == 0)
    }

    @Test(arguments: stores)
    func stateHasUserAndVersion(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        let user = User(
            login: "a", group: "users", mail: "", isAdmin: false, passwordHash: "hash")
        let known = SignInState(user: user, failed: .nothing, fingerprint: "version")
        #expect(try await bench.state("a") == known)
        let unknown = SignInState(user: nil, failed: .nothing, fingerprint: "version")
        #expect(try await bench.state("nobody") == unknown)
    }

    @Test(arguments: stores) func thoseSideBySideCountToo(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 { group.addTask { try await bench.fail() } }
            try await group.waitForAll()
        }
        #expect(try await bench.failures() == 16)
    }

    @Test(arguments: stores)
    func successForgetsFailuresOfItsSourceOnly(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for environment in [bench.one, bench.two] {
            for login in ["a", "b"] { try await bench.fail(login, in: environment) }
        }
        try await bench.fail("a", from: 2)
        #expect(try await bench.open(1))
        #expect(try await bench.failures("a") == 0)
        #expect(try await bench.failures("a", from: 2) == 1)
        #expect(try await bench.failures("b") == 1)
        #expect(try await bench.failures("a", in: bench.two) == 1)
    }

    @Test(arguments: stores)
    func newPasswordForgetsFailuresOfTheOldOne(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for origin in UInt8(1)...2 { try await bench.fail("a", from: origin) }
        try await bench.fail("b")
        try await bench.put("a", in: bench.one)
        #expect(try await bench.failures("a") == 1)
        try await bench.put("a", in: bench.one, endingSessions: true)
        for origin in UInt8(1)...2 { #expect(try await bench.failures("a", from: origin) == 0) }
        #expect(try await bench.failures("b") == 1)
    }

    @Test(arguments: stores)
    func hourWithoutFailureIsForgiven(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        try await bench.fail("a", at: 1)
        try await bench.fail("b", at: 2)
        #expect(try await bench.failures("a", at: Self.hour + 2) == 0)
        #expect(try await bench.failures("b", at: Self.hour + 2) == 1)
        try await bench.fail("a", at: Self.hour + 2)
        #expect(try await bench.failures("a", at: Self.hour + 2) == 1)
    }

    /// If two failures have the same time, that of the greater login and origin stays.
    @Test(arguments: stores)
    func onlyTheLastSourcesAreKept(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        try await bench.fail("a", in: bench.two, at: 1)
        for (login, origin) in [("a", 1), ("b", 1), ("b", 2), ("c", 1)] as [(String, UInt8)] {
            try await bench.fail(login, from: origin, at: 5, keeping: 2)
        }
        #expect(try await bench.failures("a", at: 5) == 0)
        #expect(try await bench.failures("b", from: 1, at: 5) == 0)
        #expect(try await bench.failures("b", from: 2, at: 5) == 1)
        #expect(try await bench.failures("c", at: 5) == 1)
        #expect(try await bench.failures("a", in: bench.two, at: 5) == 1)
    }
}
