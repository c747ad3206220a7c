import DefinitionCompiler
import DefinitionModel
import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Original clients sign in with each request")
struct OriginalSignInTests {
    @Test func responseHasRoleAndInstance() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let answer = try await client.get("GET", "authenticate").message(as: [String: String].self)
        let native = try await server.signIn("b")
        #expect(answer == ["role": "users-mobile", "instanceGuid": native.instance])
    }

    struct Mistake: Sendable {
        let code: String
        /// A part of the message.
        let word: String
        let change: @Sendable (inout OriginalClient) -> Void
    }

    static let mistakes = [
        Mistake(code: "authenticationFailure", word: "do not go together") { $0.password = "x" },
        Mistake(code: "authenticationFailure", word: "do not go together") { $0.login = "nobody" },
        Mistake(code: "authenticationFailure", word: "is not a role") { $0.deviceCategory = "tv" },
        Mistake(code: "other", word: "identifier") { $0.deviceIdentifier = "a b" },
        Mistake(code: "other", word: "'d1'") { $0.digest = "d1" },
        Mistake(code: "other", word: "'production'") { $0.environment = "production" },
        Mistake(code: "other", word: "'waggle/other'") { $0.application = "other" },
        Mistake(code: "other", word: "'me/conflicts'") { $0.vendor = "me" },
    ]

    @Test(arguments: mistakes.indices)
    func errorsHaveShapeOfOriginalWire(index: Int) async throws {
        let mistake = Self.mistakes[index]
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server).with(mistake.change)
        for (method, path) in [("GET", "authenticate"), ("POST", "synchronizeAll")] {
            let error = try OriginalError(try await client.ask(method, path))
            #expect(error.code == mistake.code && error.message.contains(mistake.word))
        }
    }

    @Test(arguments: ["mas-user-name", "mas-definition-digest", "mas-device-identifier"])
    func eachHeaderIsNeeded(name: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let answer = try await server.request(
            "GET", "/sync/v2/authenticate", headers: client.headers.filter { $0.key != name })
        let error = try OriginalError(answer)
        #expect(error.arguments == [name] && error.message.contains("'\(name)'"))
    }

    @Test func versionThatWasDeployedBeforeIsStillServed() async throws {
        let first = try await RunningServer(definition: "Conflicts")
        let (before, guid) = (try OriginalClient("a", of: first), fresh())
        await first.stop()
        let site = first.site
        let text = try definition("Conflicts")
            .changing("name=\"title\"", to: "name=\"name\" w:renamedFrom=\"title\"")
            .changing("vendor=", to: "xmlns:w=\"urn:waggle:definition\" vendor=")
        let path = try site.writing(text, to: "next.xml")
        let deployed = try await site.deployAcceptingAll(path)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let second = try await RunningServer(site: site.serving(path))
        let after = try OriginalClient("b", of: second)
        #expect(before.digest != after.digest)
        let client = try OriginalClient("a", of: second).with { $0.digest = before.digest }
        let line = OriginalLine(guid, of: "ConflictsEntity", ["title": "Solaris", "score": "2"])
        try await client.synchronize([line])
        #expect(try await after.synchronize().line(guid)["name"] == "Solaris")
    }

    /// An app that was released before its definition is deployed.
    @Test func versionThatIsOnlyImportedIsServed() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let text = try definition("Conflicts")
            .changing("name=\"title\"", to: "name=\"name\" w:renamedFrom=\"title\"")
            .changing("vendor=", to: "xmlns:w=\"urn:waggle:definition\" vendor=")
        let path = try server.site.writing(text, to: "next.xml")
        let next = try #require(
            compile(SourceFile(name: "next.xml", bytes: Array(text.utf8))).definition)
        let client = try OriginalClient("a", of: server).with { $0.digest = next.digest }
        let unknown = try OriginalError(try await client.ask("GET", "authenticate"))
        #expect(unknown.message.contains(next.digest))
        #expect(try await server.site.waggle("versions", "import", path).exitCode == 0)
        let guid = fresh()
        try await client.synchronize([
            OriginalLine(guid, of: "ConflictsEntity", ["name": "Solaris", "score": "2"])
        ])
        let present = try OriginalClient("b", of: server)
        #expect(try await present.synchronize().line(guid)["title"] == "Solaris")
    }

    /// A fraction that an earlier version cannot have survives the whole records of its clients.
    @Test func wholeNumbersOfEarlierVersionAreDecimalsNow() async throws {
        let first = try await RunningServer(definition: "Conflicts")
        let (before, guid, model) = (try OriginalClient("a", of: first), fresh(), "ConflictsEntity")
        await first.stop()
        let path = try first.site.writing(
            versionDocument(model, ["title TEXT required", "score DECIMAL"]), to: "next.xml")
        let deployed = try await first.site.deployAcceptingAll(path)
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let second = try await RunningServer(site: first.site.serving(path))
        let old = try OriginalClient("a", of: second).with { $0.digest = before.digest }
        let now = try second.client("b")
        try await old.synchronize([
            OriginalLine(guid, of: model, ["title": "Solaris", "score": "2"])
        ])
        #expect(try await now.record(guid).fields?["score"] == "2")
        try await now.push(.update(guid, of: model, from: 1, ["score": "1.5"]))
        // The field is required there: a placeholder is in the place of the fraction.
        let seen = try await old.synchronize().line(guid)
        #expect(seen["title"] == "Solaris" && seen["score"] == "1")
        for (title, sent, stored) in [("Stalker", "1", "1.5"), ("Nostalghia", "3", "3")] {
            try await old.synchronize([
                OriginalLine(
                    guid, of: model, ["title": .string(title), "score": .string(sent)])
            ])
            let fields = try await now.record(guid).fields
            #expect(fields?["title"] == .string(title) && fields?["score"] == .string(stored))
        }
    }

    /// Once per server process.
    @Test func passwordIsComparedOnceAndNeverLogged() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let client = try OriginalClient("a", of: server)
        let sessions = "SELECT count(*) FROM sessions"
        let before = try #require(Int(try await server.site.sql(sessions)))
        for _ in 0..<3 { try await client.synchronize() }
        #expect(try await server.site.sql(sessions) == "\(before + 1)")
        _ = try await client.with { $0.password = "wrong secret" }.ask("GET", "authenticate")
        await server.stop()
        let log = try server.log()
        #expect(log.contains("/sync/v2/synchronize"))
        #expect(!log.contains(client.password) && !log.contains("wrong secret"))
    }

    @Test func replacedPasswordIsRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        try await client.synchronize()
        let changed = try await server.site.waggle(
            "user", "set-password", "a", "--password-stdin", input: "another one\n")
        #expect(changed.exitCode == 0, "\(changed.errors)")
        let error = try OriginalError(try await client.ask("GET", "authenticate"))
        #expect(error.code == "authenticationFailure")
        try await client.with { $0.password = "another one" }.synchronize()
    }

    /// The original clients treat these statuses as network failures, and retry.
    @Test func delayedSignInIsReportedByStatus() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let wrong = client.with { $0.password = "wrong" }
        #expect(try await wrong.ask("GET", "authenticate").status == 500)
        // As if ten attempts had just failed: the wait is then longer than this test.
        try await server.site.sql(
            """
            UPDATE failed_sign_ins SET count = count + 10,
            last_at = \(Int(Date().timeIntervalSince1970 * 1000))
            """)
        for client in [wrong, client] {
            #expect(try await client.ask("GET", "authenticate").status == 429)
        }
    }

    @Test func illegalTokenDoesNotPreventSigningIn() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("a", of: server)
        let token = String(repeating: "x", count: 3000)
        let path = "authenticate?deviceToken=\(token)&deviceType=ios"
        #expect(try await client.ask("GET", path).status == 200)
        #expect(try await server.site.sql("SELECT count(*) FROM push_tokens") == "0")
    }

    /// Java's clients send Latin-1, others UTF-8, and the bytes of a header may come in parts.
    @Test(arguments: [String.Encoding.utf8, .isoLatin1], [0, 1, 2, 3])
    func loginsAndPasswordsMayBeInLatin1(encoding: String.Encoding, cut: Int) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (login, password) = ("jürgen", "geheime Wörter ä")
        let added = try await server.site.waggle(
            "user", "add", login, "--group", "users", "--password-stdin", input: password + "\n")
        #expect(added.exitCode == 0, "\(added.errors)")
        let client = try OriginalClient(login, of: server).with { $0.password = password }
        let line = OriginalLine(
            fresh(), of: "ConflictsEntity", ["title": "Grüße", "score": "1"])
        let body = OriginalClient.body(
            of: try client.with { $0.platform = .windows }.archive([line]))
        let headers = client.headers.merging(OriginalClient.contentType) { $1 }
        let head =
            "POST /sync/v2/synchronize HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n"
            + headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
            + "\r\n"
        let bytes = try #require(head.data(using: encoding)) + body
        // Behind the first byte that is not ASCII, and within what follows.
        let foreign = try #require(bytes.firstIndex { $0 >= 0x80 })
        let place = cut == 0 ? bytes.count : foreign + cut
        let connection = try RawConnection(port: server.port)
        connection.send(bytes.prefix(place))
        connection.send(bytes.dropFirst(place))
        let answer = await connection.receive(15)
        #expect(String(decoding: answer, as: UTF8.self) == "HTTP/1.1 200 OK")
        let record = try await server.client("a").record(line.guid)
        #expect(record.fields?["title"] == "Grüße" && record.owner == login)
    }

    @Test func theirWireCanBeSwitchedOff() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--no-mobeelizer")
        let answer = try await OriginalClient("a", of: server).ask("GET", "authenticate")
        #expect(answer.status == 404)
        #expect(await server.stop() == 0)
        let again = try await RunningServer(
            site: server.site, environment: ["WAGGLE_MOBEELIZER": "false"])
        #expect(try await OriginalClient("a", of: again).ask("GET", "authenticate").status == 404)
    }
}

@Suite("Admins manage users from original clients")
struct OriginalUserTests {
    private func admin(of server: RunningServer) async throws -> OriginalClient {
        let added = try await server.site.waggle(
            "user", "add", "chief", "--group", "users", "--admin", "--password-stdin",
            input: "the secret\n")
        guard added.exitCode == 0 else { throw Unexpected(added.errors) }
        return try OriginalClient("chief", of: server).with { $0.password = "the secret" }
    }

    private func post(
        _ path: String, _ user: [String: String?], by client: OriginalClient
    ) async throws -> Answer {
        try await client.ask(
            "POST", "client/user/\(path)", body: try JSONEncoder().encode(user),
            headers: ["Content-Type": "application/json"])
    }

    @Test func administratorsMakeChangeAndRemoveUsers() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let admin = try await admin(of: server)
        let groups = try await admin.get("GET", "client/user/groups")
        #expect(try groups.message(as: [[String: String]].self) == [["name": "users"]])
        let made = try await post(
            "create",
            [
                "login": "eva", "password": "the secret", "group": "users", "mail": "e@x.org",
                "admin": "false",
            ], by: admin)
        #expect(made.status == 200, "\(made.text)")
        let eva = ["login": "eva", "group": "users", "mail": "e@x.org", "admin": "false"]
        let one = try await admin.get("GET", "client/user/get?login=eva")
        #expect(try one.message(as: [String: String].self) == eva)
        let all = try await admin.get("GET", "client/user/list")
        #expect(try all.message(as: [[String: String]].self).contains(eva))
        let client = try OriginalClient("eva", of: server).with { $0.password = "the secret" }
        try await client.synchronize()
        #expect(
            try await post("update", ["login": "eva", "password": "the new one"], by: admin)
                .status == 200)
        let old = try OriginalError(try await client.ask("GET", "authenticate"))
        #expect(old.code == "authenticationFailure")
        try await client.with { $0.password = "the new one" }.synchronize()
        // A boolean in the place of a text.
        _ = try await admin.get(
            "POST", "client/user/update", body: Data(#"{"login":"eva","admin":true}"#.utf8),
            headers: ["Content-Type": "application/json"])
        let promoted = try await admin.get("GET", "client/user/get?login=eva")
        #expect(try promoted.message(as: [String: String].self)["admin"] == "true")
        _ = try await admin.get("POST", "client/user/delete?login=eva", body: Data())
        let gone = try OriginalError(try await admin.ask("GET", "client/user/get?login=eva"))
        #expect(gone.message.contains("'eva'"))
    }

    @Test func nobodyElseDoes() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let client = try OriginalClient("b", of: server)
        let user = ["login": "eva", "password": "the secret", "group": "users"]
        var answers = [
            try await client.ask("GET", "client/user/list"),
            try await client.ask("GET", "client/user/get?login=b"),
            try await client.ask("POST", "client/user/delete?login=a"),
        ]
        for path in ["create", "update"] { answers.append(try await post(path, user, by: client)) }
        for answer in answers { #expect(try OriginalError(answer).message.contains("admins")) }
    }

    @Test func missingAndWrongParametersAreNamed() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let admin = try await admin(of: server)
        let cases: [([String: String?], String)] = [
            (["login": "eva", "group": "users"], "'password'"),
            (["login": "eva", "password": "the secret"], "'group'"),
            (["login": "eva", "password": "the secret", "group": "x"], "'x'"),
            (["login": "e v", "password": "the secret", "group": "users"], "'e v'"),
            (["login": "eva", "password": "", "group": "users"], "password"),
            (["login": "eva", "password": "passwords", "group": "users", "admin": "yes"], "JSON"),
            (["group": "users"], "JSON"),
        ]
        for (user, word) in cases {
            let error = try OriginalError(try await post("create", user, by: admin))
            #expect(error.message.contains(word), "\(user)")
        }
    }
}
