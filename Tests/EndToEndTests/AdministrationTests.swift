import Foundation
import JSON
import SyncProtocol
import Testing

/// Administration over HTTP. `dora` is an admin.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdministrationTests {
    private func server() async throws -> RunningServer {
        let server = try await RunningServer(definition: "FieldService")
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'dora'")
        return server
    }

    private func ask(
        _ client: Client, _ method: String, _ path: String, _ body: String? = nil
    ) async throws -> Answer {
        try await client.server.request(
            method, "/v1/test/" + path, body: body.map { Data($0.utf8) },
            headers: ["Authorization": "Bearer \(client.token)"])
    }

    @Test func usersAreAddedChangedAndRemoved() async throws {
        let server = try await server()
        let dora = try server.client("dora", on: "office")
        let added = try await ask(
            dora, "POST", "users",
            #"{"login": "anna", "password": "the first", "group": "technicians", "mail": "a@b.c"}"#)
        #expect(added.status == 201, "\(added.text)")
        let anna = UserMessage(login: "anna", group: "technicians", mail: "a@b.c", admin: false)
        #expect(try added.message(as: UserMessage.self) == anna)
        #expect(!added.text.contains("first") && !added.text.contains("argon2"))
        let session = try await server.signIn("anna", password: "the first")

        let body = #"{"group": "customers", "admin": true, "password": "the second"}"#
        #expect(try await ask(dora, "PATCH", "users/anna", body).status == 204)
        let list = try await ask(dora, "GET", "users").message(as: UsersResponse.self)
        #expect(list.users.map(\.login) == ["anna", "carl", "cora", "dora", "tina", "tom"])
        #expect(
            list.users.first
                == UserMessage(login: "anna", group: "customers", mail: "a@b.c", admin: true))
        let old = Client(server: server, token: session.token)
        #expect(try await old.ask(SyncRequest()).status == 401)
        #expect(try await server.signIn("anna", password: "the second").role == "customers-mobile")

        #expect(try await ask(dora, "DELETE", "users/anna").status == 204)
        #expect(try await server.askToSignIn("anna", password: "the second").status == 401)
    }

    /// A server may presume a session that it knows, so the transaction of a push checks it.
    @Test func pushFollowsChangesOfItsUser() async throws {
        let server = try await server()
        let (dora, carl) = (try server.client("dora", on: "office"), try server.client("carl"))
        let cursor = try await carl.sync().cursor
        // Often enough for every process to know the session.
        for _ in 0..<8 {
            let made = try await carl.sync(
                [.create(fresh(), of: "customer", customer)], cursor: cursor)
            #expect(made.outcomes.map(\.outcome) == [.accepted])
        }
        let group = #"{"group": "technicians"}"#
        #expect(try await ask(dora, "PATCH", "users/carl", group).status == 204)
        for _ in 0..<4 {
            let refused = try await carl.sync(
                [.create(fresh(), of: "customer", customer)], cursor: cursor)
            #expect(refused.outcomes.map(\.outcome) == [.refused])
        }
        #expect(try await ask(dora, "DELETE", "users/carl").status == 204)
        for _ in 0..<4 {
            let change = ChangeMessage.create(fresh(), of: "customer", customer)
            let answer = try await carl.ask(SyncRequest(cursor: cursor, changes: [change]))
            #expect(answer.status == 401)
        }
        let records = try await server.site.sql(
            "SELECT count(*) FROM records WHERE owner = 'carl' AND revision = 1")
        #expect(records == "8")
    }

    private let customer: [String: JSONValue] = ["name": "Hive"]

    /// Requests that only admins may send, sent by another user.
    @Test(arguments: [
        ("GET", "users", nil),
        ("POST", "users", #"{"login": "x", "password": "a secret", "group": "customers"}"#),
        ("PATCH", "users/tina", #"{"admin": true}"#),
        ("PATCH", "users/tina", #"{"password": "mine alone"}"#),
        ("DELETE", "users/dora", nil),
        ("PATCH", "records/part/0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54/ownership", "{}"),
    ])
    func onlyAdministratorsMay(method: String, path: String, body: String?) async throws {
        let server = try await server()
        let answer = try await ask(try server.client("tina"), method, path, body)
        #expect(answer.status == 403, "\(answer.text)")
        #expect(try answer.error().code == "adminOnly")
        let users = try await server.site.sql(
            "SELECT login, CASE WHEN is_admin THEN 1 ELSE 0 END FROM users ORDER BY login")
        #expect(users == "carl|0\ncora|0\ndora|1\ntina|0\ntom|0")
    }

    @Test(
        arguments: [
            (
                "POST", "users",
                #"{"login": "tina", "password": "a secret", "group": "customers"}"#, 409,
                "userExists"
            ),
            (
                "POST", "users",
                #"{"login": "a b", "password": "a secret", "group": "customers"}"#, 400,
                "loginIllegal"
            ),
            (
                "POST", "users", #"{"login": "x", "password": "", "group": "customers"}"#, 400,
                "passwordIllegal"
            ),
            (
                "POST", "users", #"{"login": "x", "password": "seven b", "group": "customers"}"#,
                400, "passwordIllegal"
            ),
            ("PATCH", "users/tina", #"{"password": "seven b"}"#, 400, "passwordIllegal"),
            (
                "POST", "users", #"{"login": "x", "password": "a secret", "group": "crew"}"#, 400,
                "groupUnknown"
            ),
            (
                "POST", "users",
                #"{"login": "x", "password": "a secret", "group": "customers", "mail": "\n"}"#, 400,
                "mailIllegal"
            ),
            ("POST", "users", #"{"login": "x", "group": "customers"}"#, 400, "wrongShape"),
            ("PATCH", "users/nobody", "{}", 404, "userUnknown"),
            ("DELETE", "users/nobody", nil, 404, "userUnknown"),
            ("PUT", "users", nil, 405, "methodNotAllowed"),
            (
                "PATCH", "records/part/0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54/ownership", "{}", 404,
                "recordUnknown"
            ),
            ("GET", "conflicts?limit=x", nil, 400, "parameterIllegal"),
            ("GET", "conflicts?limti=5", nil, 400, "parameterUnknown"),
            ("GET", "conflicts?limit=0", nil, 400, "limitOutOfRange"),
            ("GET", "conflicts?cursor=x", nil, 400, "cursorUnreadable"),
            ("POST", "conflicts", #"{"id": "r", "choose": "both"}"#, 400, "wrongShape"),
            (
                "POST", "conflicts", #"{"id": "r", "choose": "mine", "fields": {"a": "x"}}"#, 400,
                "wrongShape"
            ),
            (
                "POST", "conflicts", #"{"id": "r", "choose": "mine", "guids": []}"#, 400,
                "modelMissing"
            ),
            (
                "GET", "records/part/0d9c4ad3-6b28-4c43-9a3e-3c5a3c1f0b54/history", nil, 404,
                "recordUnknown"
            ),
        ] as [(String, String, String?, Int, String)])
    func badRequestsAreRefusedWithTheirCode(
        method: String, path: String, body: String?, status: Int, code: String
    ) async throws {
        let server = try await server()
        let dora = try server.client("dora", on: "office")
        let answer = try await ask(dora, method, path, body)
        #expect(answer.status == status, "\(answer.text)")
        #expect(try answer.error().code == code)
    }

    /// Signed-in devices drop the records that their user lost with the next sync.
    @Test func recordIsGivenAwayAtOnce() async throws {
        let server = try await RunningServer(definition: "Permissions")
        try await server.site.sql("UPDATE users SET is_admin = true WHERE login = 'b'")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(
            .create(guid, of: "PermissionsEntity", ["title": "Solaris", "director": "Tarkovsky"]))
        let before = try await a.sync()
        #expect(before.records.first?.fields?.keys.sorted() == ["director", "title"])

        let answer = try await ask(
            b, "PATCH", "records/PermissionsEntity/\(guid)/ownership", #"{"owner": "b"}"#)
        #expect(
            try answer.message(as: OwnershipResponse.self)
                == OwnershipResponse(
                    model: "PermissionsEntity", guid: guid, revision: 2, owner: "b",
                    group: "users"))
        let after = try await a.sync(cursor: before.cursor)
        #expect(after.records.first?.fields?.keys.sorted() == ["title"])
        #expect(try await b.record(guid).fields?["director"] == "Tarkovsky")
        let history = try await ask(a, "GET", "records/PermissionsEntity/\(guid)/history")
        #expect(!history.text.contains("Tarkovsky"))
        let entries = try history.message(as: HistoryResponse.self).entries
        #expect(entries.map(\.kind) == [.reassigned, .created])
    }

    @Test func conflictsAreListedAndResolved() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: "ConflictsEntity", ["title": "Alien", "score": 1]))
        try await a.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 4]))
        try await b.push(.update(guid, of: "ConflictsEntity", from: 1, ["score": 5]))
        let found = try await ask(a, "GET", "conflicts?model=ConflictsEntity&limit=10")
            .message(as: ConflictsResponse.self)
        #expect(found.records.map(\.guid) == [guid] && found.cursor == nil)
        let done = try await ask(a, "POST", "conflicts", #"{"id": "r-1", "choose": "mine"}"#)
            .message(as: ResolutionResponse.self)
        #expect(done.outcomes.map(\.outcome) == [.accepted])
        let record = try await a.record(guid)
        #expect(!record.conflicted && record.fields?["score"] == 5)
        let history = try await ask(b, "GET", "records/ConflictsEntity/\(guid)/history?limit=2")
            .message(as: HistoryResponse.self)
        #expect(history.entries.map(\.kind) == [.resolved, .conflicted])
        #expect(history.entries.map(\.before) == [["score": 4], nil])
        #expect(history.cursor != nil)
    }

    /// The server keeps running.
    @Test func deletedRecordsArePurged() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let a = try server.client("a")
        let (gone, kept) = (fresh(), fresh())
        try await a.push(.create(gone, of: "ConflictsEntity", ["title": "Alien"]))
        try await a.push(.create(kept, of: "ConflictsEntity", ["title": "Solaris"]))
        let before = try await a.sync()
        try await a.push(.delete(gone, of: "ConflictsEntity", from: 1))
        let later = try await server.site.waggle("sweep")
        #expect(later.exitCode == 0 && later.errors.hasPrefix("purged records: 0\n"))
        let now = try await server.site.waggle("sweep", "--keep-deleted-days", "0")
        #expect(now.exitCode == 0)
        #expect(now.errors.hasPrefix("purged records: 1\n"), "\(now.errors)")
        let after = try await a.sync(cursor: before.cursor)
        #expect(after.resync && after.records.map(\.guid) == [kept])
        let again = try await a.push(.create(gone, of: "ConflictsEntity", ["title": "Alien"]))
        #expect(again.causes?.map(\.code) == ["guidTaken"])
    }
}
