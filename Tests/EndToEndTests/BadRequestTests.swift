import Foundation
import JSON
import SyncProtocol
import Testing

/// An invalid request, and the expected error.
private struct BadRequest {
    let name: String
    var method = "POST"
    var path = "/v1/test/sync"
    var body = Data("{}".utf8)
    /// Nil sends the token of a signed-in user.
    var authorization: String?
    let status: Int
    let code: String
    /// The expected `path` or other detail of the error.
    var member: String?
    var headers: [String: String] = [:]

    init(_ name: String, body: String, _ status: Int, _ code: String, member: String? = nil) {
        self.name = name
        self.body = Data(body.utf8)
        (self.status, self.code, self.member) = (status, code, member)
    }

    init(_ name: String, _ method: String, _ path: String, _ status: Int, _ code: String) {
        self.name = name
        (self.method, self.path, self.status, self.code) = (method, path, status, code)
    }

    init(_ name: String, authorization: String, _ status: Int, _ code: String) {
        self.name = name
        self.authorization = authorization
        (self.status, self.code) = (status, code)
        headers = ["WWW-Authenticate": "Bearer"]
    }

    init(notAllowed method: String, _ path: String, allowed: String) {
        self.init("\(method) \(path)", method, path, 405, "methodNotAllowed")
        headers = ["Allow": allowed]
    }
}

/// A slow client could otherwise hold its connection forever.
@Suite(.timeLimit(.minutes(5))) struct SlowBodyTests {
    @Test func bodyMustArriveInTime() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(
            site: site, arguments: ["--max-body-seconds", "1"])
        let connection = try RawConnection(port: server.port)
        connection.send(
            Data("POST /v1/test/session HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{".utf8))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer)")
        #expect(answer.contains("\"code\":\"bodyTooSlow\""), "\(answer)")
    }

    /// Rights are checked when the request has arrived as a whole.
    @Test func userRemovedDuringTheirRequestChangesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let token = try server.client("a").token
        let change = ChangeMessage.create(fresh(), of: "ConflictsEntity", ["title": "late"])
        let body = try JSONEncoder().encode(SyncRequest(changes: [change]))
        let connection = try RawConnection(port: server.port)
        let head = """
            POST /v1/test/sync HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
            Authorization: Bearer \(token)\r\nContent-Length: \(body.count)\r\n\r\n
            """
        connection.send(Data(head.utf8) + body.prefix(5))
        #expect(try await server.site.waggle("user", "remove", "a").exitCode == 0)
        connection.send(body.dropFirst(5))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 401 "), "\(answer)")
        #expect(try await server.client("b").records().isEmpty)
    }

    @Test func bodyDeclaredTooLargeIsRefusedBeforeItArrives() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let connection = try RawConnection(port: server.port)
        connection.send(
            Data(
                """
                POST /v1/test/session HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
                Content-Length: 32769\r\n\r\n{
                """.utf8))
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
    }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct BadRequestTests {
    private static let maxBodyBytes = 1 << 20
    private static let change =
        #"{"id": "1", "action": "create", "model": "ConflictsEntity", "guid": "\#(fresh())""#

    private static let shapes: [BadRequest] = [
        BadRequest("nothing", body: "", 400, "notJSON"),
        BadRequest("words", body: "let me in", 400, "notJSON"),
        BadRequest("half of it", body: #"{"changes": ["#, 400, "notJSON"),
        BadRequest("a list", body: "[]", 400, "wrongShape"),
        BadRequest("a string", body: #""{}""#, 400, "wrongShape"),
        BadRequest("null", body: "null", 400, "wrongShape"),
        BadRequest(
            "an unknown member", body: #"{"chnages": []}"#, 400, "wrongShape", member: "chnages"),
        BadRequest(
            "an unknown member in depth", body: #"{"changes": [\#(change), "when": 1}]}"#, 400,
            "wrongShape", member: "changes[0].when"),
        BadRequest(
            "a member of another type", body: #"{"changes": 7}"#, 400, "wrongShape",
            member: "changes"),
        BadRequest(
            "another type in depth", body: #"{"changes": [\#(change)}, 7]}"#, 400, "wrongShape",
            member: "changes[1]"),
        BadRequest(
            "another type deeper", body: #"{"changes": [\#(change), "base": "1"}]}"#, 400,
            "wrongShape", member: "changes[0].base"),
        BadRequest(
            "fields that are none", body: #"{"changes": [\#(change), "fields": []}]}"#, 400,
            "wrongShape", member: "changes[0].fields"),
        BadRequest(
            "an unknown action",
            body: #"{"changes": [\#(change.replacing("create", with: "make"))}]}"#, 400,
            "wrongShape", member: "changes[0].action"),
        BadRequest(
            "a missing member", body: #"{"changes": [{"id": "1", "action": "create"}]}"#, 400,
            "wrongShape", member: "changes[0].model"),
        BadRequest(
            "a null that may not be", body: #"{"changes": [\#(change)}, null]}"#, 400,
            "wrongShape", member: "changes[1]"),
        BadRequest(
            "a limit that is no whole number", body: #"{"limit": 1.5}"#, 400, "wrongShape",
            member: "limit"),
        BadRequest(
            "a limit beyond 64 bits", body: #"{"limit": 99999999999999999999}"#, 400,
            "wrongShape", member: "limit"),
        BadRequest(
            "a limit beyond all numbers", body: #"{"limit": 1e400}"#, 400, "wrongShape",
            member: "limit"),
        BadRequest("a limit of 0", body: #"{"limit": 0}"#, 400, "limitOutOfRange"),
        BadRequest("a negative limit", body: #"{"limit": -1}"#, 400, "limitOutOfRange"),
        BadRequest("a limit of 1001", body: #"{"limit": 1001}"#, 400, "limitOutOfRange"),
        BadRequest(
            "nested 100,000 deep",
            body: #"{"changes": "# + String(repeating: "[", count: 100_000)
                + String(repeating: "]", count: 100_000) + "}", 400, "notJSON"),
        BadRequest(
            "fields nested 100,000 deep",
            body: #"{"changes": [\#(change), "fields": {"title": "#
                + String(repeating: "[", count: 100_000)
                + String(repeating: "]", count: 100_000) + "}}]}", 400, "notJSON"),
        BadRequest(
            "more bytes than the limit",
            body: #"{"cursor": ""# + String(repeating: "c", count: maxBodyBytes) + #""}"#, 413,
            "bodyTooLarge"),
        BadRequest(
            "1,001 changes",
            body: #"{"changes": ["#
                + Array(repeating: change + "}", count: 1001).joined(separator: ",") + "]}", 413,
            "tooManyChanges"),
        BadRequest(
            "1,001 acknowledged changes",
            body: #"{"acknowledged": ["#
                + Array(repeating: #""1""#, count: 1001).joined(separator: ",") + "]}", 413,
            "tooManyAcknowledged"),
    ]

    private static let places: [BadRequest] = [
        BadRequest("another environment", "POST", "/v1/tset/sync", 404, "environmentUnknown"),
        BadRequest("an encoded one", "POST", "/v1/%2e%2e/sync", 404, "environmentUnknown"),
        BadRequest("another path", "POST", "/v1/test/synchronize", 404, "pathUnknown"),
        BadRequest("a longer path", "POST", "/v1/test/sync/now", 404, "pathUnknown"),
        BadRequest("the top", "GET", "/", 404, "pathUnknown"),
        BadRequest(notAllowed: "GET", "/v1/test/sync", allowed: "POST"),
        BadRequest(notAllowed: "PUT", "/v1/test/sync", allowed: "POST"),
        BadRequest(notAllowed: "PATCH", "/v1/test/sync", allowed: "POST"),
        BadRequest(notAllowed: "DELETE", "/v1/test/sync", allowed: "POST"),
        BadRequest(notAllowed: "OPTIONS", "/v1/test/sync", allowed: "POST"),
        BadRequest(notAllowed: "PUT", "/v1/test/session", allowed: "DELETE, GET, POST"),
        BadRequest(notAllowed: "POST", "/health", allowed: "GET"),
    ]

    private static let strangers: [BadRequest] = [
        BadRequest("no token", authorization: "", 401, "tokenMissing"),
        BadRequest("half a header", authorization: "Bearer", 401, "tokenMissing"),
        BadRequest("too many words", authorization: "Bearer a b", 401, "tokenMissing"),
        BadRequest("another scheme", authorization: "Basic YTpi", 401, "tokenMissing"),
        BadRequest("an unknown token", authorization: "Bearer abc", 401, "tokenUnknown"),
        BadRequest(
            "a very long token", authorization: "Bearer " + String(repeating: "x", count: 5000),
            401, "tokenUnknown"),
    ]

    @Test func badRequestGetsItsStatusAndItsCodeAndChangesNothing() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--max-body-bytes", "\(Self.maxBodyBytes)")
        let a = try server.client("a")
        let before = try await someRecords(of: a)

        for bad in Self.shapes + Self.places + Self.strangers {
            let authorization = bad.authorization ?? "Bearer \(a.token)"
            let answer = try await server.request(
                bad.method, bad.path, body: bad.method == "GET" ? nil : bad.body,
                headers: authorization.isEmpty ? [:] : ["Authorization": authorization])
            #expect(answer.status == bad.status, "\(bad.name)")
            let error = try answer.error()
            #expect(error.code == bad.code, "\(bad.name): \(answer.text)")
            if bad.code == "wrongShape" {
                #expect(error.details["path"] == bad.member, "\(bad.name): \(answer.text)")
            }
            for (name, value) in bad.headers {
                #expect(answer.header(name)?.hasPrefix(value) == true, "\(bad.name): \(name)")
            }
        }
        let after = try await a.sync()
        #expect(after == before)
    }

    @Test func chunkedBodyHasTheSameLimit() async throws {
        let server = try await RunningServer(
            definition: "Conflicts", arguments: "--max-body-bytes", "\(Self.maxBodyBytes)")
        let a = try server.client("a")
        let before = try await someRecords(of: a)

        let connection = try RawConnection(port: server.port)
        connection.send(
            """
            POST /v1/test/sync HTTP/1.1\r
            Host: 127.0.0.1\r
            Authorization: Bearer \(a.token)\r
            Transfer-Encoding: chunked\r
            Connection: close\r
            \r

            """)
        let piece = "1000\r\n" + String(repeating: " ", count: 0x1000) + "\r\n"
        for _ in 0...(Self.maxBodyBytes / 0x1000) { connection.send(piece) }
        connection.send("0\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
        #expect(answer.contains(#""code":"bodyTooLarge""#))
        #expect(try await a.sync() == before)
    }

    @Test func cursorMustBeOfThisDatabaseAndOfItsPast() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let here = try await someRecords(of: a)
        let elsewhere = try await RunningServer(site: Site(another: "Conflicts"))
        let foreign = try await elsewhere.firstClient().sync().cursor
        let earlier = try await RunningServer(definition: "Conflicts")

        let table: [(name: String, cursor: String, status: Int, code: String)] = [
            ("empty", "", 400, "cursorUnreadable"),
            ("garbage", "🐝", 400, "cursorUnreadable"),
            ("cut", String(here.cursor.dropLast()), 400, "cursorUnreadable"),
            ("longer", here.cursor + ".1", 400, "cursorUnreadable"),
            ("in capitals", here.cursor.uppercased(), 400, "cursorUnreadable"),
            ("very long", String(repeating: "c", count: 100_000), 400, "cursorUnreadable"),
            ("of another database", foreign, 400, "cursorUnreadable"),
        ]
        for (name, cursor, status, code) in table {
            let answer = try await a.ask(SyncRequest(cursor: cursor))
            #expect(answer.status == status, "\(name): \(answer.text)")
            #expect(try answer.error().code == code, "\(name)")
        }
        // The same database, restored to an earlier state.
        let answer = try await earlier.client("a").ask(SyncRequest(cursor: here.cursor))
        #expect(answer.status == 409, "\(answer.text)")
        #expect(try answer.error().code == "cursorForeign")
        #expect(try await a.sync() == here)
    }

    @Test func badCursorMeansThatNothingIsPushedEither() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let answer = try await a.ask(
            SyncRequest(
                cursor: "no cursor",
                changes: [.create(fresh(), of: "ConflictsEntity", ["title": "lost?"])]))
        #expect(answer.status == 400)
        #expect(try await a.records() == [])
    }

    @Test func expiredSessionIsOver() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        try await server.site.sql("UPDATE sessions SET expires_at = 1000 WHERE login = 'a'")
        let answer = try await a.ask(SyncRequest())
        #expect(answer.status == 401)
        #expect(try answer.error().code == "tokenUnknown")
        #expect(answer.header("WWW-Authenticate")?.contains("invalid_token") == true)
        _ = try await b.sync()
    }

    private func someRecords(of client: Client) async throws -> SyncResponse {
        _ = try await client.sync(
            (1...3).map { .create(fresh(), of: "ConflictsEntity", ["title": .string("\($0)")]) })
        return try await client.sync()
    }
}

extension Site {
    /// A site with an independent database and one user, `c`. Sites from `PreparedDatabase` are
    /// copies of one database.
    fileprivate init(another name: String) async throws {
        try self.init(definition: EndToEndTests.definition(name))
        #expect(try await waggle("deploy", definition).exitCode == 0)
        #expect(
            try await waggle(
                "user", "add", "c", "--group", "users", "--password-stdin",
                input: PreparedDatabase.password(of: "c") + "\n"
            ).exitCode == 0)
    }
}

extension RunningServer {
    fileprivate func firstClient() async throws -> Client {
        Client(server: self, token: try await signIn("c").token)
    }
}
