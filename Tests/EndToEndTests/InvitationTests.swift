import Foundation
import JSON
import SyncProtocol
import Testing

/// People without a session sign up and choose passwords by codes, over HTTP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InvitationTests {
    private let invitations = "environments/test/invitations"

    private func signUp(
        _ login: String, _ code: String, password: String = "a new secret",
        at server: RunningServer
    ) async throws -> Answer {
        try await server.request(
            "POST", "/v1/test/signUp",
            body: Data(
                #"{"code":"\#(code)","login":"\#(login)","password":"\#(password)"}"#.utf8))
    }

    private func reset(
        _ code: String, to password: String, at server: RunningServer
    ) async throws -> Answer {
        try await server.request(
            "POST", "/v1/test/passwordReset",
            body: Data(#"{"code":"\#(code)","newPassword":"\#(password)"}"#.utf8))
    }

    private func text(_ name: String, of answer: Answer) throws -> String {
        guard case .string(let text) = try answer.member(name) else {
            throw Unexpected(answer.text)
        }
        return text
    }

    @Test func invitedPersonSignsUpOnceAndSyncs() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let made = try await server.admin("POST", invitations, #"{"group":"users"}"#, as: keeper)
        #expect(made.status == 201, "\(made.text)")
        let code = try text("code", of: made)
        let refusals = [
            ("a", code, "a new secret", "userExists"), ("c", "x", "a new secret", "codeUnknown"),
            ("c", code, "short", "passwordIllegal"), ("c d", code, "a new secret", "loginIllegal"),
        ]
        for (login, code, password, expected) in refusals {
            let refused = try await signUp(login, code, password: password, at: server)
            #expect(try refused.error().code == expected, "\(refused.text)")
        }
        let signedUp = try await signUp("cleo", code, at: server)
        #expect(signedUp.status == 201)
        #expect(
            try signedUp.json()
                == .object([
                    "login": "cleo", "group": "users", "mail": "", "admin": .boolean(false),
                ]))
        #expect(try await signUp("dan", code, at: server).error().code == "codeUnknown")
        let session = try await server.signIn("cleo", password: "a new secret")
        let client = Client(server: server, token: session.token)
        #expect(try await client.ask(SyncRequest()).status == 200)
        let log = try server.log()
        #expect(!log.contains(code) && !log.contains("a new secret"))
        #expect(try await !server.site.sql("SELECT * FROM activities").contains(code))
    }

    /// An operator who hands a code out need not put the address together, and no mail is needed.
    @Test func codesThatAreHandedOutHaveAddresses() async throws {
        let link = ["--mail-link", "https://app.example/KIND?code=CODE"]
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site, arguments: link)
        let keeper = try await server.operatorSession("karl", "keeper")
        for (path, body, kind) in [
            (invitations, #"{"group":"users"}"#, "invitation"),
            ("environments/test/users/a/reset", nil, "reset"),
        ] {
            let made = try await server.admin("POST", path, body, as: keeper)
            let code = try text("code", of: made)
            #expect(try text("link", of: made) == "https://app.example/\(kind)?code=\(code)")
        }
        let told = try await site.waggle("user", "invite", "--group", "users", link[0], link[1])
        let code = try #require(told.output.split(separator: "\n").first)
        #expect(told.errors.contains("https://app.example/invitation?code=\(code)"))
    }

    /// Records outlive their owners, and belong to whoever has the login.
    @Test func loginOfRemovedUserIsTakenAsLongAsRecordsAre() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "Alien"]))
        for login in ["a", "b"] {
            let path = "environments/test/users/\(login)"
            #expect(try await server.admin("DELETE", path, as: keeper).status == 204)
        }
        let made = try await server.admin("POST", invitations, #"{"group":"users"}"#, as: keeper)
        let code = try text("code", of: made)
        #expect(try await signUp("a", code, at: server).error().code == "userExists")
        #expect(try await signUp("b", code, at: server).status == 201)
    }

    @Test func invitationsAreListedWithoutCodesAndRevoked() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let made = try await server.admin(
            "POST", invitations, #"{"group":"users","uses":2,"days":1}"#, as: keeper)
        let (code, name) = (try text("code", of: made), try text("name", of: made))
        #expect(try await signUp("cleo", code, at: server).status == 201)
        let listed = try await server.admin("GET", invitations, as: keeper)
        #expect(listed.text.contains(name) && listed.text.contains(#""usesLeft":1"#))
        #expect(listed.text.contains(#""author":"karl""#) && !listed.text.contains(code))
        let path = "\(invitations)/\(name)"
        #expect(try await server.admin("DELETE", path, as: keeper).status == 204)
        let again = try await server.admin("DELETE", path, as: keeper)
        #expect(try again.error().code == "codeUnknown")
        #expect(try await signUp("dan", code, at: server).error().code == "codeUnknown")
    }

    @Test func invitationsBeyondTheirBoundsAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let table = [
            (#"{"group":"owls"}"#, "groupUnknown"),
            (#"{"group":"users","uses":0}"#, "numberOutOfRange"),
            (#"{"group":"users","uses":10001}"#, "numberOutOfRange"),
            (#"{"group":"users","days":91}"#, "numberOutOfRange"),
        ]
        for (body, expected) in table {
            let answer = try await server.admin("POST", invitations, body, as: keeper)
            #expect(try answer.error().code == expected, "\(body)")
        }
        let made = try await server.admin("POST", invitations, #"{"group":"users"}"#, as: keeper)
        try await server.site.sql("UPDATE account_codes SET expires_at = 1")
        let late = try await signUp("cleo", try text("code", of: made), at: server)
        #expect(try late.status == 403 && late.error().code == "codeUnknown")
    }

    @Test func resetCodeReplacesPasswordOnceAndEndsSessions() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let path = "environments/test/users/a/reset"
        let earlier = try text("code", of: try await server.admin("POST", path, as: keeper))
        let code = try text("code", of: try await server.admin("POST", path, as: keeper))
        #expect(try await reset(earlier, to: "a new secret", at: server).status == 403)
        #expect(try await signUp("cleo", code, at: server).error().code == "codeUnknown")
        #expect(try await reset(code, to: "short", at: server).status == 400)
        #expect(try await a.ask(SyncRequest()).status == 200)
        #expect(try await reset(code, to: "a new secret", at: server).status == 204)
        #expect(try await a.ask(SyncRequest()).status == 401)
        #expect(try await b.ask(SyncRequest()).status == 200)
        #expect(try await server.askToSignIn("a").status == 401)
        #expect(try await server.askToSignIn("a", password: "a new secret").status == 201)
        #expect(try await reset(code, to: "another secret", at: server).status == 403)
        let nobody = try await server.admin(
            "POST", "environments/test/users/nobody/reset", as: keeper)
        #expect(try nobody.error().code == "userUnknown")
    }

    @Test func toolInvitesResetsListsAndRevokes() async throws {
        let site = try await Site(prepared: "Conflicts")
        let invited = try await site.waggle("user", "invite", "--group", "users", "--uses", "3")
        #expect(invited.exitCode == 0 && invited.errors.contains("for group users, valid until"))
        let reset = try await site.waggle("user", "reset-password", "a")
        let codes = [invited, reset].map {
            $0.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let listed = try await site.waggle("user", "codes")
        let lines = listed.output.split(separator: "\n")
        #expect(lines.count == 3 && codes.allSatisfy { !listed.output.contains($0) })
        let server = try await RunningServer(site: site)
        #expect(try await signUp("cleo", codes[0], at: server).status == 201)
        #expect(try await self.reset(codes[1], to: "a new secret", at: server).status == 204)
        let name = try #require(lines.first { $0.contains("group users") }).prefix(16)
        #expect(try await site.waggle("user", "revoke", String(name)).exitCode == 0)
        #expect(try await signUp("dan", codes[0], at: server).error().code == "codeUnknown")
        let unknown = try await site.waggle("user", "revoke", String(name))
        #expect(unknown.errors.contains("there is no such invitation or reset"))
        let wrong = try await site.waggle("user", "invite", "--group", "owls")
        #expect(wrong.exitCode != 0 && wrong.errors.contains("no group 'owls'"))
        let activities = try await site.waggle("activity").output
        #expect(activities.contains("addInvitation") && activities.contains("removeCode"))
        #expect(codes.allSatisfy { !activities.contains($0) })
    }

    /// Users of a group that a version no longer has.
    @Test func userWithoutGroupIsDisabledUntilGivenOne() async throws {
        let site = try await Site(prepared: "Conflicts")
        let next = try site.writing(
            try definition("Conflicts").replacing("users", with: "owls"), to: "next.xml")
        let server = try await RunningServer(site: site)
        let (a, b) = (try server.client("a"), try server.client("b"))
        #expect(try await site.deployAcceptingAll(next).exitCode == 0)
        for client in [a, b] {
            let refused = try await client.ask(SyncRequest())
            #expect(try refused.status == 403 && refused.error().code == "roleUnknown")
        }
        #expect(try await server.askToSignIn("a").status == 403)
        let missing = try await site.waggle("user", "set-group", "a", "users")
        #expect(missing.errors.contains("no group 'users'"))
        #expect(try await site.waggle("user", "set-group", "a", "owls").exitCode == 0)
        #expect(try await a.ask(SyncRequest()).status == 200)
        #expect(try await b.ask(SyncRequest()).status == 403)
    }
}
