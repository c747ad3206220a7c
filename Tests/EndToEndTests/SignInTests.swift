import Foundation
import JSON
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct SignInTests {
    @Test func sessionNamesItsUserAndDefinition() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let compiled = try await Tool.run(["compile", server.site.definition], in: server.folder)
        let definition = try CompiledDefinition(json: Array(compiled.output.utf8))
        let session = try await server.signIn("a")
        #expect(session.login == "a" && session.group == "users")
        #expect(session.role == "users-mobile")
        #expect(session.digest == definition.digest)
        #expect(session.token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)

        let again = try await server.signIn("a", device: "tablet")
        #expect(again.instance == session.instance && again.token != session.token)
        for token in [session.token, again.token] {
            _ = try await Client(server: server, token: token).sync()
        }
    }

    @Test func wrongLoginsAndWrongPasswordsAnswerAlike() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let first = try await server.askToSignIn("a", password: "wrong")
        #expect(first.status == 401)
        #expect(try first.error().code == "wrongCredentials")
        let others = [
            ("nobody", "wrong"), ("a ", PreparedDatabase.password(of: "a")), ("", ""),
            ("A", PreparedDatabase.password(of: "a")),
            ("a", PreparedDatabase.password(of: "a") + " "),
            ("a", String(repeating: "x", count: 5000)), ("a\u{0}", "wrong"),
        ]
        for (login, password) in others {
            let answer = try await server.askToSignIn(login, password: password)
            #expect(answer.status == first.status && answer.body == first.body, "'\(login)'")
            #expect(answer.lastingHeaders == first.lastingHeaders, "'\(login)'")
        }
    }

    @Test func afterFiveFailuresLoginHasToWaitAlsoWithTheRightPassword() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        for _ in 0..<5 {
            #expect(try await server.askToSignIn("a", password: "wrong").status == 401)
        }
        try await server.site.moveLastFailure(seconds: 60)
        let sixth = try await server.askToSignIn("a", password: "wrong")
        #expect(sixth.status == 429 && sixth.header("Retry-After") == "1")

        // As if five more attempts had just failed.
        try await server.site.sql("UPDATE failed_sign_ins SET count = count + 5")
        try await server.site.moveLastFailure(seconds: 60)
        for password in ["wrong", PreparedDatabase.password(of: "a")] {
            let answer = try await server.askToSignIn("a", password: password)
            #expect(answer.status == 429)
            #expect(try answer.error().code == "tooManyAttempts")
            #expect(answer.header("Retry-After") == "32")
            #expect(try answer.error().details["retryAfterSeconds"] == "32")
        }
        #expect(try await server.askToSignIn("b").status == 201)

        try await server.site.moveLastFailure(seconds: -33)
        #expect(try await server.askToSignIn("a").status == 201)
        #expect(try await server.askToSignIn("a", password: "wrong").status == 401)
    }

    @Test func illegalDevicesAreRefusedWithTheirCode() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let table: [(category: String, device: String, status: Int, code: String)] = [
            ("office", "phone", 403, "roleUnknown"), ("", "phone", 403, "roleUnknown"),
            ("mobile", "", 400, "deviceIdentifierIllegal"),
            ("mobile", "my phone", 400, "deviceIdentifierIllegal"),
            ("mobile", "téléphone", 400, "deviceIdentifierIllegal"),
            (
                "mobile", String(repeating: "d", count: 129), 400, "deviceIdentifierIllegal"
            ),
            ("mobile", String(repeating: "d", count: 128), 201, ""),
        ]
        for (category, device, status, code) in table {
            let answer = try await server.askToSignIn("a", on: category, device: device)
            #expect(answer.status == status, "'\(category)', '\(device)': \(answer.text)")
            if status != 201 { #expect(try answer.error().code == code) }
        }
    }

    @Test func badBodyIsNoSignIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let table: [(body: String, code: String, member: String?)] = [
            ("", "notJSON", nil), ("[]", "wrongShape", nil), ("{}", "wrongShape", "login"),
            (#"{"login": "a", "password": 7}"#, "wrongShape", "password"),
            (#"{"login": "a", "pasword": "x"}"#, "wrongShape", "pasword"),
            (
                #"{"login": "a", "password": "x", "deviceCategory": "mobile"}"#, "wrongShape",
                "deviceIdentifier"
            ),
        ]
        for (body, code, member) in table {
            let answer = try await server.request(
                "POST", "/v1/test/session", body: Data(body.utf8))
            #expect(answer.status == 400, "\(body)")
            let error = try answer.error()
            #expect(error.code == code && error.details["path"] == member, "\(body)")
        }
    }

    /// RFC 9110 allows the scheme in any case, followed by one or more spaces.
    @Test(arguments: [
        ("Bearer ", 200), ("bEARER ", 200), ("bearer   ", 200), ("Bearer", 401), ("Basic ", 401),
        ("Beare2 ", 401), ("Bearers ", 401), ("", 401),
    ])
    func schemeIsRecognisedInAnyCase(scheme: String, status: Int) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let token = try server.client("a").token
        let answer = try await server.request(
            "POST", "/v1/test/sync", body: Data("{}".utf8),
            headers: ["Authorization": scheme + token])
        #expect(answer.status == status, "\(answer.text)")
    }

    /// A stranger does not learn how messages have to look.
    @Test(arguments: [
        ("{}", 200, 401), ("{", 400, 401), (#"{"chnages": []}"#, 400, 401), ("", 400, 401),
    ])
    func strangerIsRefusedBeforeMessage(body: String, known: Int, unknown: Int) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let token = try server.client("a").token
        for (authorization, status) in [
            (["Authorization": "Bearer \(token)"], known),
            (["Authorization": "Bearer abc"], unknown), ([:], unknown),
        ] {
            let answer = try await server.request(
                "POST", "/v1/test/sync", body: Data(body.utf8), headers: authorization)
            #expect(answer.status == status, "\(answer.text)")
        }
    }

    @Test func signingOutEndsSessionAndNoOther() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let authorization = ["Authorization": "Bearer \(a.token)"]
        let out = try await server.request("DELETE", "/v1/test/session", headers: authorization)
        #expect(out.status == 204 && out.body.isEmpty)
        #expect(try await a.ask(SyncRequest()).status == 401)
        let again = try await server.request("DELETE", "/v1/test/session", headers: authorization)
        #expect(again.status == 401)
        #expect(try again.error().code == "tokenUnknown")
        _ = try await b.sync()
    }

    @Test func newPasswordEndsSessionsOfTheOldOne() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        _ = try await a.sync()
        let set = try await server.site.waggle(
            "user", "set-password", "a", "--password-stdin", input: "a new one\n")
        #expect(set.exitCode == 0)
        #expect(try await a.ask(SyncRequest()).status == 401)
        #expect(try await server.askToSignIn("a").status == 401)
        #expect(try await server.askToSignIn("a", password: "a new one").status == 201)
        _ = try await server.client("b").sync()
    }

    @Test func removedUserIsSignedOutAndTheirRecordsStay() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien"]))
        #expect(try await server.site.waggle("user", "remove", "a").exitCode == 0)
        #expect(try await a.ask(SyncRequest()).status == 401)
        #expect(try await server.askToSignIn("a").status == 401)
        #expect(try await b.record(guid).owner == "a")
    }

    @Test func anotherGroupHoldsFromTheNextRequestOn() async throws {
        let server = try await RunningServer(definition: "FieldService")
        let (dora, tina) = (try server.client("dora", on: "office"), try server.client("tina"))
        let guid = fresh()
        let fields: [String: JSONValue] = [
            "number": "P-1", "name": "Pump", "unitPrice": "9.50", "costPrice": "4.25",
            "inStock": 7,
        ]
        try await dora.push(.create(guid, of: "part", fields))
        let before = try await tina.sync()
        #expect(before.records.first?.fields?.keys.contains("unitPrice") == true)

        #expect(
            try await server.site.waggle("user", "set-group", "tina", "customers").exitCode == 0)
        let after = try await tina.sync(cursor: before.cursor)
        #expect(!after.resync && !after.more && after.dropped.isEmpty)
        #expect(after.records.map(\.guid) == [guid])
        #expect(after.records.first?.fields?.keys.sorted() == ["datasheet", "name", "number"])
        #expect(try await !tina.sync(cursor: after.cursor).resync)

        #expect(
            try await server.site.waggle("user", "set-group", "dora", "technicians").exitCode == 0)
        let answer = try await dora.ask(SyncRequest())
        #expect(answer.status == 403)
        #expect(try answer.error().code == "roleUnknown")
    }
}

extension RunningServer {
    var folder: TemporaryFolder { site.folder }
}

extension Site {
    /// Dates failed attempts so many seconds after now. One of the next minute counts as one of the
    /// moment at which the next attempt is checked.
    func moveLastFailure(seconds: Int) async throws {
        let now = Int(Date().timeIntervalSince1970)
        try await sql("UPDATE failed_sign_ins SET last_at = \((now + seconds) * 1000)")
    }
}
