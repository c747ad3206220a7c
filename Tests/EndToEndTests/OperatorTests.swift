import Foundation
import JSON
import SyncProtocol
import Testing

/// Operators over HTTP and by the tool.
@Suite(.serialized, .timeLimit(.minutes(5))) struct OperatorTests {
    @Test func firstOperatorUsesTokenOfStart() async throws {
        let site = try await Site(prepared: "Conflicts")
        // The line after that of the environment has the token.
        let server = try await RunningServer(site: site, environments: 2, processes: 1)
        let token = try #require(server.banner.firstMatch(of: /token ([\w-]{43})/)?.1)
        func setUp(_ token: some StringProtocol) async throws -> Answer {
            try await server.admin(
                "POST", "setup",
                #"{"token":"\#(token)","name":"ann","password":"password of ann"}"#,
                as: .nobody)
        }
        #expect(try await setUp("x").error().code == "setupClosed")
        let answer = try await setUp(token)
        #expect(answer.status == 201, "\(answer.text)")
        let cookie = try #require(answer.header("Set-Cookie"))
        #expect(cookie.contains("; HttpOnly; SameSite=Strict") && !cookie.contains("Secure"))
        #expect(try await setUp(token).error().code == "setupClosed")
        let session = try await server.adminSession("ann")
        let shown = try await server.admin("GET", "session", as: session)
        #expect(try shown.member("scope") == .string("designer"))
        let log = try server.log()
        #expect(!log.contains(token) && !log.contains("password of ann"))
        #expect(await server.stop() == 0)
        let restarted = try await RunningServer(site: site, environments: 1, processes: 1)
        #expect(!restarted.banner.contains("token"))
    }

    @Test func cookiesAreSecureBehindHTTPS() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site, processes: 1, arguments: ["--admin-origins", "https://admin.example"])
        _ = try await server.operatorSession("ann", "viewer")
        let body = #"{"name":"ann","password":"password of ann"}"#
        let signedIn = try await answer(
            to: "POST /admin/v1/session HTTP/1.1\r\nHost: admin.example\r\n"
                + "Origin: https://admin.example\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n" + body,
            at: server)
        #expect(signedIn.contains("Cookie: __Host-waggle-operator="), "\(signedIn)")
        #expect(signedIn.contains("; Path=/; HttpOnly; SameSite=Strict; Secure"), "\(signedIn)")
        let foreign = try await answer(
            to: "GET /admin/v1/session HTTP/1.1\r\nHost: evil.example\r\n"
                + "Connection: close\r\n\r\n", at: server)
        #expect(foreign.contains("403") && foreign.contains("hostUnknown"), "\(foreign)")
    }

    /// Requests that a proxy on the same machine passes on are not those of this machine, whatever
    /// host they name. Each answer's code, or its status.
    @Test(arguments: [
        ("", "localhost", "HTTP/1.1 200"),
        ("X-Forwarded-For: 192.0.2.1", "localhost", "proxyUnknown"),
        ("X-Forwarded-For: 127.0.0.1", "127.0.0.1", "proxyUnknown"),
        ("Forwarded: for=192.0.2.1", "[::1]", "proxyUnknown"),
        ("X-Forwarded-Host: evil.example", "localhost", "proxyUnknown"),
        ("X-Forwarded-Proto: https", "localhost:8080", "proxyUnknown"),
        ("x-real-ip: 192.0.2.1", "localhost", "proxyUnknown"),
        ("Via: 1.1 proxy", "localhost", "proxyUnknown"),
        ("X-Forwarded-For: 192.0.2.1", "admin.example", "HTTP/1.1 200"),
    ])
    func proxyOffersTheAdministrationAtItsOriginsOnly(
        header: String, host: String, expected: String
    ) async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1,
            arguments: [
                "--admin-origins", "https://admin.example", "--trusted-proxies", "127.0.0.1",
            ])
        let session = try await server.operatorSession("ann", "viewer")
        let cookie = try #require(session.headers["Cookie"])
        for path in ["/admin/v1/session", "/console"] {
            // Behind HTTPS the cookie has another name.
            let own = host == "admin.example" ? "__Host-" + cookie : cookie
            let answer = try await answer(
                to: "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nCookie: \(own)\r\n"
                    + (header.isEmpty ? "" : header + "\r\n") + "Connection: close\r\n\r\n",
                at: server)
            #expect(answer.contains(expected), "\(path): \(answer)")
        }
    }

    @Test func administrationThatIsOnTakesProxies() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1,
            arguments: ["--admin", "on", "--console", "on"])
        let answer = try await answer(
            to: "GET /console HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: 192.0.2.1\r\n"
                + "Connection: close\r\n\r\n", at: server)
        #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
    }

    private func answer(to request: String, at server: RunningServer) async throws -> String {
        let connection = try RawConnection(port: server.port)
        connection.send(request)
        let answer = await connection.receiveAll()
        connection.close()
        return answer
    }

    @Test func secretsAreStoredAsHashesOnly() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let token = try await server.adminToken("viewer", as: designer).secret
        let stored = try await server.site.sql(
            """
            SELECT name, password_hash FROM operators; SELECT name FROM operator_sessions;
            SELECT name, author FROM operator_tokens;
            SELECT before_text, after_text, target FROM activities
            """)
        let secret = try #require(token.headers["Authorization"]?.dropFirst(7))
        #expect(!stored.contains(secret) && !stored.contains("password of dora"), "\(stored)")
        #expect(stored.contains("argon2"))
    }

    @Test func removedOperatorIsOutAtOnce() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let added = try await server.admin(
            "POST", "operators",
            #"{"name":"ben","password":"password of ben","scope":"designer"}"#, as: designer)
        #expect(added.status == 201, "\(added.text)")
        let ben = try await server.adminSession("ben")
        let token = try await server.adminToken("designer", as: ben).secret
        #expect(try await server.admin("DELETE", "operators/ben", as: designer).status == 204)
        for caller in [ben, token] {
            let answer = try await server.admin("GET", "session", as: caller)
            #expect(try answer.error().code == "sessionEnded")
        }
        let last = try await server.admin("DELETE", "operators/dora", as: designer)
        #expect(try last.error().code == "lastDesigner")
    }

    @Test func guessingPasswordBecomesSlow() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        _ = try await server.operatorSession("dora", "designer")
        var statuses: [Int] = []
        // The wait doubles with each failure, so a slow test has to wait too.
        repeat {
            let answer = try await server.admin(
                "POST", "session", #"{"name":"dora","password":"x"}"#, as: .nobody)
            statuses.append(answer.status)
        } while statuses.last == 401 && statuses.count < 20
        #expect(statuses.prefix(5) == [401, 401, 401, 401, 401])
        #expect(statuses.last == 429)
    }

    /// Strangers may come from any number of addresses. A browser that was signed in before gets in
    /// meanwhile, and the log has one entry of the failures.
    @Test func guessingFromManyAddressesBecomesSlow() async throws {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: 1,
            arguments: ["--trusted-proxies", "127.0.0.1", "--admin", "on"])
        let session = try await server.operatorSession("dora", "designer")
        let shown = try await server.admin("GET", "session", as: session)
        let mark = try #require(shown.header("Set-Cookie")).prefix { $0 != ";" }
        #expect(mark.hasPrefix("waggle-browser="))
        #expect(try await server.admin("DELETE", "session", as: session).status == 204)
        func signIn(
            _ password: String, from number: Int, as caller: AdminCredentials = .nobody
        ) async throws -> Answer {
            try await server.admin(
                "POST", "session", #"{"name":"dora","password":"\#(password)"}"#,
                as: caller.with("X-Forwarded-For", "198.51.100.\(number)"))
        }
        for number in 0..<100 {
            #expect(try await signIn("x", from: number).status == 401)
        }
        let late = try await signIn("password of dora", from: 100)
        #expect(try late.error().code == "tooManyAttempts")
        let forged = try await signIn(
            "password of dora", from: 101, as: .cookie("waggle-browser=a.b"))
        #expect(forged.status == 429)
        let known = try await signIn("password of dora", from: 102, as: .cookie(String(mark)))
        #expect(known.status == 201, "\(known.text)")
        let log = try await server.site.waggle("activity").output
        #expect(log.components(separatedBy: "failed").count == 2, "\(log)")
    }

    @Test func everyActIsInLog() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let designer = try await server.operatorSession("dora", "designer")
        let token = try await server.adminToken("designer", as: designer)
        let user = #"{"login":"cleo","password":"secret of cleo","group":"users","mail":"c@d.e"}"#
        for (method, path, body) in [
            ("POST", "environments/test/users", user),
            ("PATCH", "environments/test/users/cleo", #"{"mail":"f@g.h"}"#),
            ("DELETE", "environments/test/users/cleo", nil),
        ] {
            let answer = try await server.admin(method, path, body, as: token.secret)
            #expect((200..<300).contains(answer.status), "\(answer.text)")
        }
        let first = try await server.admin("GET", "activity?limit=2", as: designer)
        guard case .array(let entries) = try first.member("entries"),
            case .object(let removal) = entries[0], case .object(let change) = entries[1],
            case .string(let next) = try first.member("next")
        else { throw Unexpected(first.text) }
        #expect(removal["act"] == .string("removeUser") && removal["target"] == .string("cleo"))
        #expect(change["actor"] == .string("token \(token.number) ci of dora"))
        #expect(change["origin"] == .string("127.0.0.1"))
        #expect(change["before"]?.text.contains("users") == true)
        #expect(change["after"]?.text.contains(#"\"mail\":true"#) == true, "\(change)")
        let rest = try await server.admin("GET", "activity?next=\(next)", as: designer)
        #expect(rest.text.contains("addUser") && rest.text.contains("addToken"))
        #expect(rest.text.contains("\"actor\":\"local "), "the tool is in the log too")
        #expect(!rest.text.contains("secret of cleo"))
        let changed = try? await server.site.sql("UPDATE activities SET actor = 'eve'")
        #expect(changed == nil, "an entry cannot be changed")
    }

    @Test func toolListsAndChangesOperators() async throws {
        let site = try await Site(prepared: "Conflicts")
        func waggle(_ arguments: String..., input: String = "") async throws -> Finished {
            try await Tool.run(
                arguments + ["--database", site.database], input: input, in: site.folder)
        }
        let add = ["operator", "add", "ann", "--password-stdin", "--database", site.database]
        #expect(try await Tool.run(add, input: "password of ann\n", in: site.folder).exitCode == 0)
        #expect(try await Tool.run(add, input: "password of ann\n", in: site.folder).exitCode == 1)
        let demoted = try await waggle("operator", "scope", "ann", "viewer")
        #expect(demoted.errors.contains("only designer"), "\(demoted.errors)")
        #expect(try await waggle("operator", "remove", "eve").exitCode == 1)
        #expect(
            try await waggle(
                "operator", "password", "ann", "--password-stdin", input: "another secret\n"
            )
            .exitCode == 0)
        let list = try await waggle("operator", "list").output
        #expect(list.contains("ann   designer"), "\(list)")
    }
}
