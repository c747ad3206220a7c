import Foundation
import SyncProtocol
import Testing

/// Users change their own accounts over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OwnAccountTests {
    private func change(
        _ client: Client, from password: String, to newPassword: String
    ) async throws -> Answer {
        try await client.call(
            "PUT", "session/password",
            #"{"password":"\#(password)","newPassword":"\#(newPassword)"}"#)
    }

    @Test func newPasswordEndsAllSessions() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let tablet = Client(
            server: server, token: try await server.signIn("a", device: "tablet").token)
        let former = PreparedDatabase.password(of: "a")
        #expect(try await change(a, from: former, to: "a new secret").status == 204)
        for client in [a, tablet] {
            #expect(try await client.ask(SyncRequest()).status == 401)
        }
        #expect(try await b.ask(SyncRequest()).status == 200)
        #expect(try await server.askToSignIn("a", password: former).status == 401)
        #expect(try await server.askToSignIn("a", password: "a new secret").status == 201)
        #expect(try !server.log().contains("a new secret"))
    }

    @Test func wrongOrIllegalPasswordChangesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let wrong = try await change(a, from: "wrong", to: "a new secret")
        #expect(try wrong.status == 401 && wrong.error().code == "wrongCredentials")
        let empty = try await change(a, from: PreparedDatabase.password(of: "a"), to: "")
        #expect(try empty.error().code == "passwordIllegal")
        #expect(try await a.ask(SyncRequest()).status == 200)
        let sessions = try await a.call("GET", "sessions").message(as: SessionsResponse.self)
        #expect(sessions.sessions.count == 1)
        #expect(try await server.askToSignIn("a").status == 201)
    }

    @Test func guessesAreSlowedAsSignInsAre() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        var status = 401
        while status == 401 { status = try await change(a, from: "wrong", to: "x").status }
        #expect(status == 429)
    }

    @Test func ownSessionsAreListedAndEndedByDevice() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let tablet = Client(
            server: server, token: try await server.signIn("a", device: "tablet").token)
        let sessions = try await tablet.call("GET", "sessions")
            .message(as: SessionsResponse.self).sessions
        #expect(sessions.count == 2)
        #expect(sessions.filter(\.current).map(\.deviceIdentifier) == ["tablet"])
        #expect(try await b.call("DELETE", "sessions/tablet").status == 204)
        #expect(try await tablet.ask(SyncRequest()).status == 200)
        #expect(try await a.call("DELETE", "sessions/tablet").status == 204)
        #expect(try await tablet.ask(SyncRequest()).status == 401)
        #expect(try await a.ask(SyncRequest()).status == 200)
    }
}
