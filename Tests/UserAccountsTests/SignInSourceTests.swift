import EngineKit
import NativeCalls
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine
@testable import UserAccounts

@Suite("Sources of sign-ins")
struct SignInSourceTests {
    /// Anna has signed in on her phone, from home.
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
        let accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
        for login in ["anna", "berta"] {
            try await accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "right")
        }
        try await signIn("right", on: "phone", from: "home")
    }

    private func signIn(
        _ password: String, as login: String = "anna", on device: String, from address: String,
        token: UInt8 = 0, at seconds: Int64 = 0
    ) async throws(SyncError) {
        _ = try await bench.accountEngine.signIn(
            Credentials(
                login: login, password: password, deviceCategory: "mobile",
                deviceIdentifier: device),
            from: address, token: NewToken(text: "", hash: [token]),
            at: Instant(milliseconds: 1000 * seconds), verify: { $0 == $1 })
    }

    /// Fails until the source has to wait.
    private func fail(
        _ login: String = "anna", on device: String, from address: String
    ) async throws {
        for _ in 0..<5 {
            await #expect(throws: SyncError.signIn(.wrongCredentials)) {
                try await signIn("wrong", as: login, on: device, from: address)
            }
        }
        try await expectWait(login, on: device, from: address)
    }

    private func expectWait(
        _ login: String = "anna", on device: String, from address: String
    ) async throws {
        await #expect(throws: SyncError.signIn(.tooManyAttempts(retryAfterSeconds: 1))) {
            try await signIn("right", as: login, on: device, from: address)
        }
    }

    /// Neither from elsewhere nor from the same network.
    @Test(arguments: ["elsewhere", "home"])
    func strangerDoesNotKeepKnownDeviceOut(address: String) async throws {
        try await fail(on: "burglar", from: address)
        try await signIn("right", on: "phone", from: "home", token: 1)
        // The phone's success does not let the stranger try again.
        try await expectWait(on: "burglar", from: address)
    }

    @Test func newDeviceGetsInFromAnotherAddress() async throws {
        try await fail(on: "burglar", from: "elsewhere")
        try await signIn("right", on: "tablet", from: "home", token: 1)
    }

    /// Otherwise each device identifier would give further attempts.
    @Test func newDevicesAtOneAddressAreOneSource() async throws {
        try await fail(on: "burglar", from: "elsewhere")
        try await expectWait(on: "another", from: "elsewhere")
    }

    @Test func loginsAtOneAddressAreSeveralSources() async throws {
        try await fail("berta", on: "burglar", from: "elsewhere")
        try await signIn("right", on: "tablet", from: "elsewhere", token: 1)
    }

    /// The identifier alone gives no attempts without end.
    @Test func knownDeviceWaitsAfterItsOwnFailures() async throws {
        try await fail(on: "phone", from: "home")
        try await signIn("right", on: "tablet", from: "home", token: 1)
        // Somebody elsewhere who knows the identifier does not keep the phone out either.
        try await signIn("right", on: "phone", from: "elsewhere", token: 2)
    }

    /// Each address has its own free attempts, but all of them together have no more than 100.
    @Test func guessesFromManyAddressesSlowAllStrangers() async throws {
        for number in 0..<20 { try await fail(on: "burglar", from: "address \(number)") }
        for address in ["address 20", "home"] { try await expectWait(on: "new", from: address) }
        try await signIn("right", on: "phone", from: "home", token: 1)
        try await signIn("right", as: "berta", on: "new", from: "address 20", token: 2)
        await #expect(throws: SyncError.signIn(.wrongCredentials)) {
            try await signIn("wrong", on: "burglar", from: "address 21", at: 1)
        }
        await #expect(throws: SyncError.signIn(.tooManyAttempts(retryAfterSeconds: 2))) {
            try await signIn("right", on: "new", from: "address 22", at: 1)
        }
        try await signIn("right", on: "new", from: "address 22", token: 3, at: 3)
    }

    /// An identifier that many devices have proves nothing: whoever sends it is a stranger.
    @Test func commonIdentifierIsNoKnownDevice() async throws {
        for isCommon in [false, true] {
            let attempt = try await bench.accountEngine.attempt(
                Credentials(
                    login: "anna", password: "right", deviceCategory: "mobile",
                    deviceIdentifier: "phone", identifiesDevice: !isCommon), from: "home")
            #expect(attempt.isOfKnownDevice == !isCommon)
            #expect((attempt.strangers == nil) == !isCommon)
        }
    }

    /// It has to wait itself after its free attempts.
    @Test func oneAddressDoesNotSlowTheOthers() async throws {
        for minute in 0..<Int64(150) {
            await #expect(throws: SyncError.signIn(.wrongCredentials)) {
                try await signIn("wrong", on: "burglar", from: "elsewhere", at: 61 * minute)
            }
        }
        try await signIn("right", on: "new", from: "nearby", token: 1, at: 61 * 149)
    }

    @Test func attemptsOfOneMomentDoNotCountAsFailures() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for token in UInt8(1)...20 {
                group.addTask {
                    try await signIn("right", on: "tablet", from: "home", token: token)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func illegalLoginLeavesNothing() async throws {
        for _ in 0..<10 {
            await #expect(throws: SyncError.signIn(.wrongCredentials)) {
                try await signIn("right", as: "no login", on: "phone", from: "home")
            }
        }
    }
}
