import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing
import UserAccounts

@Suite("A caller has the user's current group and role")
struct CallerTests {
    private let bench: TestBench
    private let token = NewToken(text: "token", hash: [1, 2, 3])
    private let start = Instant(milliseconds: 1000)

    init() async throws {
        bench = try await TestBench(Documents.notes())
        try await accounts(of: bench).add(
            login: "anna", group: "users", mail: "", isAdmin: true, passwordHash: "right")
    }

    private func accounts(of bench: TestBench) -> UserDirectory {
        UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
    }

    private func signIn(
        login: String = "anna", device: String = "phone"
    ) async throws(SyncError) -> SessionResponse {
        try await bench.accountEngine.signIn(
            SessionRequest(
                login: login, password: "right", deviceCategory: "mobile",
                deviceIdentifier: device),
            token: token, at: start
        ) { $0 == $1 }
    }

    @Test func responseDescribesSession() async throws {
        let month: Int64 = 30 * 24 * 3600 * 1000
        #expect(
            try await signIn()
                == SessionResponse(
                    token: "token", expiresAt: 1000 + month, login: "anna", group: "users",
                    role: "users-mobile", digest: bench.engine.rules.definition.digest,
                    instance: bench.engine.instance))
        let state = try await bench.store.environment(named: "test")
        #expect(bench.engine.instance == state?.instance)
    }

    @Test func everythingAboutCallerIsKnown() async throws {
        _ = try await bench.person("b").push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        _ = try await signIn()
        let caller = try await bench.engine.identify(tokenHash: token.hash, at: start)
        let role = Role(group: "users", deviceCategory: "mobile")
        #expect(
            caller
                == Caller(
                    asker: Asker(login: "anna", group: "users", role: role),
                    deviceIdentifier: "phone", isAdmin: true,
                    moment: EnvironmentMoment(deployment: 1, sequence: 2, purgeHorizon: 0)))
    }

    @Test func signingOutEndsOneSession() async throws {
        _ = try await signIn()
        try await bench.accountEngine.signOut(tokenHash: [9])
        _ = try await bench.engine.identify(tokenHash: token.hash, at: start)
        try await bench.accountEngine.signOut(tokenHash: token.hash)
        await #expect(throws: SyncError.signIn(.tokenUnknown)) {
            try await bench.engine.identify(tokenHash: token.hash, at: start)
        }
    }

    @Test func callerWhoseRoleIsGoneIsRefused() async throws {
        _ = try await signIn()
        let change = try await bench.store.changeUser("anna", in: bench.engine.environment) {
            user in
            guard var user else { return Result<UserChange, AccountError>.failure(.unknown("")) }
            user.group = "crew"
            return .success(.write(user, endingSessions: false))
        }
        #expect(change == nil)
        await #expect(
            throws: SyncError.signIn(
                .roleUnknown(
                    group: "crew", deviceCategory: "mobile",
                    known: ["users-mobile", "guests-mobile"]))
        ) {
            try await bench.engine.identify(tokenHash: token.hash, at: start)
        }
    }

    @Test func anotherVersionStopsThisServer() async throws {
        _ = try await signIn()
        _ = try await bench.deploying(Documents.notes(.overwrite))
        await #expect(throws: SyncError.definitionChanged) {
            try await bench.engine.identify(tokenHash: token.hash, at: start)
        }
    }

    @Test(arguments: ["", "a b", "é", "a\0", String(repeating: "x", count: 129)])
    func deviceNeedsVisibleName(identifier: String) async throws {
        await #expect(throws: SyncError.signIn(.deviceIdentifierIllegal(maxBytes: 128))) {
            try await signIn(device: identifier)
        }
    }

    @Test(arguments: ["!", "~", String(repeating: "x", count: 128)])
    func anyVisibleNameWillDo(identifier: String) async throws {
        _ = try await signIn(device: identifier)
        let caller = try await bench.engine.identify(tokenHash: token.hash, at: start)
        #expect(caller.deviceIdentifier == identifier)
    }

    @Test func loginIsFoundHoweverItIsTypedWhenSigningIn() async throws {
        try await accounts(of: bench).add(
            login: "\u{E9}va", group: "users", mail: "", isAdmin: false, passwordHash: "right")
        let response = try await signIn(login: "e\u{301}va")
        #expect(Array(response.login.utf8) == Array("\u{E9}va".utf8))
    }

    @Test func healthIsStoresHealth() async throws {
        try await bench.engine.checkHealth()
        try bench.store.close()
        await #expect(throws: SyncError.self) { try await bench.engine.checkHealth() }
    }
}
