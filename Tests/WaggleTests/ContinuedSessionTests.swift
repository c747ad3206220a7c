import Foundation
import JSON
import SyncProtocol
import Testing

@testable import Waggle

@Suite("A user of a provider goes on, and nobody else", .timeLimit(.minutes(5)))
struct ContinuedSessionTests {
    private let bench: DeviceBench
    private let detour: DetourWire

    init() async throws {
        bench = try await DeviceBench()
        detour = DetourWire(to: bench.wire)
        takeProvider(group: "users")
    }

    /// Signs everybody with an ID token in as the user whom the token names.
    private func takeProvider(group: String) {
        detour.take { request in
            guard request.path.hasSuffix("/session") else { return nil }
            if request.method == "GET" {
                return try? answer(
                    200,
                    OwnSessionResponse(
                        login: "a", group: group, role: "\(group)-mobile", digest: "",
                        instance: "i"))
            }
            guard let message = try? decodeMessage(SessionRequest.self, from: request.body ?? []),
                case .idToken(let login, _, _) = message.proof
            else { return nil }
            return try? answer(
                201,
                SessionResponse(
                    token: "token of \(login)", expiresAt: 0, login: login, group: group,
                    role: "\(group)-mobile", digest: "", instance: "i"))
        }
    }

    private func phone() throws -> Waggle.Database { try bench.database(through: detour) }

    private func cutNetwork() {
        detour.take { _ async throws(WireFailure) in throw WireFailure(reason: "no network") }
    }

    @Test func groupIsThatOfTheServer() async throws {
        try await phone().logIn(idToken: "a", of: "company")
        #expect(try await phone().continueSession()?.group == "users")
        takeProvider(group: "guests")
        #expect(try await phone().continueSession()?.role == "guests-mobile")
        cutNetwork()
        let offline = try #require(try await phone().continueSession())
        #expect(offline.role == "guests-mobile" && offline.isOffline)
    }

    /// A user who signs in last with a password types it again, and nobody else goes on.
    @Test(arguments: [false, true]) func passwordEndsStayOfOthers(isOffline: Bool) async throws {
        try await phone().logIn("b", password: "b")
        #expect(try await phone().continueSession() == nil)
        try await phone().logIn(idToken: "a", of: "company")
        #expect(try await phone().continueSession()?.login == "a")
        if isOffline { cutNetwork() }
        try await phone().logIn("b", password: "b")
        #expect(try await phone().continueSession() == nil)
    }

    @Test func passwordOfBeforeOpensNothing() async throws {
        try await phone().logIn("a", password: "a")
        try await phone().logIn(idToken: "a", of: "company")
        cutNetwork()
        await #expect(throws: SyncFailure.unreachable("no network")) {
            try await phone().logIn("a", password: "a")
        }
        #expect(try await phone().continueSession()?.login == "a")
    }

    @Test func busyServerIsAsOneThatCannotBeReached() async throws {
        try await phone().logIn(idToken: "a", of: "company")
        detour.take { _ in .error(503, "databaseUnavailable") }
        #expect(try await phone().continueSession()?.isOffline == true)
        detour.take { _ in .error(403, "roleUnknown") }
        await #expect(throws: SyncFailure.roleUnknown("no")) {
            try await phone().continueSession()
        }
    }

    /// The answer of an old session comes after somebody has signed in again.
    @Test func endOfFormerSessionEndsNoNewOne() async throws {
        let database = try phone()
        try await database.logIn(idToken: "a", of: "company")
        try database.device.endStay(token: "another token")
        #expect(try await phone().continueSession()?.login == "a")
        try database.device.endStay(token: "token of a")
        await #expect(throws: SyncFailure.sessionEnded) { try await phone().continueSession() }
    }

    /// A lost answer does not lose the sign-in.
    @Test func signInCanBeEndedAfterLostAnswer() async throws {
        let database = try phone()
        let begun = try database.signInAddress(provider: "company", redirect: "app:/done")
        let items = URLComponents(url: begun, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let state = try #require(items.first { $0.name == "state" }?.value)
        let back = try #require(URL(string: "app:/done?code=c&state=\(state)"))
        cutNetwork()
        await #expect(throws: SyncFailure.unreachable("no network")) {
            try await database.logIn(returningTo: back)
        }
        detour.take { _ in .error(403, "signInCodeUnknown") }
        await #expect(throws: SyncFailure.signIn(.signInCodeUnknown)) {
            try await database.logIn(returningTo: back)
        }
        await #expect(throws: SyncFailure.signIn(.stateUnknown), "it has ended") {
            try await database.logIn(returningTo: back)
        }
    }

    @Test func developmentHasNoProviders() async throws {
        let database = try bench.database(mode: .development(group: "users"))
        #expect(try await database.signInProviders().isEmpty)
        #expect(try await database.continueSession() == nil)
        #expect(throws: SyncFailure.signIn(.providerUnknown)) {
            try database.signInAddress(provider: "company", redirect: "app:/done")
        }
        await #expect(throws: SyncFailure.signIn(.providerUnknown)) {
            try await database.logIn(idToken: "a", of: "company")
        }
    }
}

private func answer(_ status: Int, _ message: some Encodable) throws -> WireAnswer {
    WireAnswer(status: status, body: Array(try StoredJSON.encode(message).utf8))
}
