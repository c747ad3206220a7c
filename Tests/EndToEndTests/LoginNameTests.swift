import Foundation
import SyncProtocol
import Testing

/// Names in paths are read byte by byte, and logins have no characters that nobody sees. `dora` is
/// an admin.
@Suite(.serialized, .timeLimit(.minutes(5))) struct LoginNameTests {
    private func dora() async throws -> Client {
        let server = try await RunningServer(definition: "FieldService")
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'dora'")
        return try server.client("dora", on: "office")
    }

    private func ask(
        _ client: Client, _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> Answer {
        try await client.server.request(
            method, "/v1/test/" + path, body: body.map { Data($0.utf8) },
            headers: ["Authorization": "Bearer \(client.token)"])
    }

    private func logins(_ client: Client) async throws -> [String] {
        try await ask(client, "GET", "users").message(as: UsersResponse.self).users.map(\.login)
    }

    @Test(arguments: [
        ("%EF%BB%BFtom", 404, "userUnknown"), ("tom%EF%BB%BF", 404, "userUnknown"),
        ("%E2%80%8Btom", 404, "userUnknown"), ("tom%00", 400, "loginIllegal"),
        ("%FFtom", 400, "pathIllegal"), ("tom%FF", 400, "pathIllegal"),
        ("tom%", 400, "pathIllegal"), ("tom%4", 400, "pathIllegal"),
        ("t%6Gom", 400, "pathIllegal"), ("%C1%B4om", 400, "pathIllegal"),
        ("%EF%BF%BDtom", 404, "userUnknown"),
    ])
    func anotherNameIsNotTaken(path: String, status: Int, code: String) async throws {
        let dora = try await dora()
        let connection = try RawConnection(port: dora.server.port)
        connection.send(
            "DELETE /v1/test/users/\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + "Authorization: Bearer \(dora.token)\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.contains(#""code":"\#(code)""#), "\(answer)")
        #expect(try await logins(dora) == ["carl", "cora", "dora", "tina", "tom"])
    }

    @Test func encodedNameIsTheSame() async throws {
        let dora = try await dora()
        #expect(try await ask(dora, "DELETE", "users/%74%6fm").status == 204)
        #expect(try await logins(dora) == ["carl", "cora", "dora", "tina"])
    }

    @Test(arguments: [
        #"\ufeffk"#, #"k\u200b"#, #"k\u200ek"#, #"k\u00ad"#, #"\u202ek"#, #"k\u0007"#, #"k\u007f"#,
        #"k\ufffd"#, "k k",
    ])
    func loginWithInvisibleCharacterIsNotMade(login: String) async throws {
        let dora = try await dora()
        let answer = try await ask(
            dora, "POST", "users",
            #"{"login": "\#(login)", "password": "a secret", "group": "customers"}"#)
        #expect(answer.status == 400, "\(answer.text)")
        #expect(try answer.error().code == "loginIllegal")
        #expect(try await logins(dora).count == 5)
    }

    /// Such a login may have been made by an earlier version.
    @Test func existingLoginWithInvisibleCharacterGoesOn() async throws {
        let dora = try await dora()
        let others = "environment, group_name, mail, is_admin, password_hash"
        for statement in [
            """
            INSERT INTO users (login, \(others))
            SELECT '\u{FEFF}tom', \(others) FROM users WHERE login = 'tom'
            """, "DELETE FROM users WHERE login = 'tom'",
        ] { try await dora.server.site.sql(statement) }
        let signedIn = try await dora.server.askToSignIn(
            "\u{FEFF}tom", password: PreparedDatabase.password(of: "tom"))
        #expect(signedIn.status == 201, "\(signedIn.text)")
        let other = try await dora.server.askToSignIn(
            "tom", password: PreparedDatabase.password(of: "tom"))
        #expect(other.status == 401)
        #expect(try await ask(dora, "DELETE", "users/%EF%BB%BFtom").status == 204)
        #expect(try await logins(dora) == ["carl", "cora", "dora", "tina"])
    }
}
