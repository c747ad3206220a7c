import Foundation
import JSON
import SyncProtocol
import Testing

/// Import and export of records over `/admin/v1`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct AdminExchangeTests {
    private let base = "environments/test"

    private func importRows(
        _ rows: String, _ query: String, as caller: AdminCredentials, at server: RunningServer
    ) async throws -> JSONValue {
        let answer = try await server.admin("POST", "\(base)/import?\(query)", rows, as: caller)
        guard answer.status == 200 else { throw try server.refusal(answer) }
        return try answer.json()
    }

    private func numbers(_ answer: JSONValue, _ names: String...) -> [JSONValue?] {
        guard case .object(let members) = answer else { return [] }
        return names.map { members[$0] }
    }

    @Test func exportedRowsAreImportedAgain() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let a = try server.client("a")
        for title in ["Alien", "a \"comma\", and a quote", "Łódź"] {
            try await a.push(.create(fresh(), of: "ConflictsEntity", ["title": .string(title)]))
        }
        for (query, type) in [
            ("format=csv&model=ConflictsEntity", "text/csv"), ("format=jsonl", "application/jsonl"),
        ] {
            let rows = try await server.admin("GET", "\(base)/export?\(query)", as: keeper)
            #expect(rows.status == 200 && rows.header("Content-Type") == type)
            let unchanged = try await importRows(rows.text, query, as: keeper, at: server)
            #expect(numbers(unchanged, "unchanged", "refused") == [3, 0], "\(unchanged.text)")
            let changed = rows.text.replacing("Alien", with: "Aliens")
            let imported = try await importRows(changed, query, as: keeper, at: server)
            #expect(numbers(imported, "updated", "unchanged") == [1, 2], "\(imported.text)")
            let back = try await importRows(
                rows.text, query + "&name=back", as: keeper, at: server)
            #expect(numbers(back, "updated") == [1])
        }
        let records = try await a.records()
        let history = try await a.history(
            of: try #require(records.first { $0.fields?["title"] == "Alien" }).guid,
            in: "ConflictsEntity")
        #expect(history.first?.login == "operator karl")
    }

    @Test func dryRunTellsBadLinesAndWritesNothing() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let rows = "title,score\r\nAlien,2\r\nSolaris,9\r\n"
        let query = "format=csv&model=ConflictsEntity&owner=a"
        let tried = try await importRows(
            rows, query + "&dryRun=true", as: keeper, at: server)
        #expect(numbers(tried, "created", "refused") == [1, 1], "\(tried.text)")
        #expect(tried.text.contains(#""line":3"#) && tried.text.contains(#""field":"score""#))
        #expect(try await server.client("a").records().isEmpty)
        let named = query + "&name=films"
        let done = try await importRows(rows, named, as: keeper, at: server)
        #expect(numbers(done, "created", "refused") == [1, 1])
        let again = try await importRows(rows, named, as: keeper, at: server)
        #expect(try await server.client("a").records().count == 1, "\(again.text)")
    }

    /// Scripts look at the status: nothing is imported.
    @Test func faultyHeaderAndParametersAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let model = "model=ConflictsEntity"
        for (query, rows, status, code) in [
            ("format=csv&\(model)", "title,titel\nx,y\n", 422, "headerFaulty"),
            ("format=csv&\(model)", "titel", 422, "headerFaulty"),
            ("format=csv", "title\nx\n", 400, "parameterIllegal"),
            ("format=csv&\(model)&idField=titel", "title\nx\n", 400, "parameterIllegal"),
            ("idField=titel", "{}\n", 400, "parameterIllegal"),
        ] {
            let path = "\(base)/import?owner=a&\(query)"
            let answer = try await server.admin("POST", path, rows, as: keeper)
            #expect(answer.status == status, "\(query): \(answer.text)")
            #expect(try answer.error().code == code, "\(query): \(answer.text)")
        }
        let told = try await server.admin(
            "POST", "\(base)/import?format=csv&\(model)&progress=true", "titel\nx\n", as: keeper)
        #expect(told.text.contains(#""kind":"problem""#), "\(told.text)")
        #expect(told.text.contains(#""code":"headerFaulty""#), "\(told.text)")
        #expect(try await server.client("a").records().isEmpty)
    }

    /// One without a name is completed under the name that its answer has.
    @Test(arguments: ["", "&name="])
    func importWithoutNameIsAnotherEachTime(name: String) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let (rows, query) = ("title\r\nAlien\r\n", "format=csv&model=ConflictsEntity&owner=a")
        let answers = [
            try await importRows(rows, query + name, as: keeper, at: server),
            try await importRows(rows, query + name, as: keeper, at: server),
        ]
        for answer in answers { #expect(numbers(answer, "created") == [1], "\(answer.text)") }
        let names = answers.compactMap { $0.member("name")?.string }
        #expect(Set(names).count == 2)
        for name in names {
            let again = try await importRows(
                rows, "\(query)&name=\(name)", as: keeper, at: server)
            #expect(numbers(again, "created", "repeated", "name") == [0, 1, .string(name)])
        }
    }

    /// The first rows are told of before the last ones are sent.
    @Test func progressIsToldWhileRowsArrive() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let token = try await server.importToken()
        let rows = (1...400).map { "{\"title\":\"\($0)\"}\n" }
        let (first, rest) = (rows.prefix(250).joined(), rows.dropFirst(250).joined())
        let connection = try server.importing(
            "model=ConflictsEntity&owner=a&progress=true&name=spring",
            bytes: first.utf8.count + rest.utf8.count, as: token)
        connection.send(first)
        let begun = await connection.receive(until: "200}\n")
        #expect(begun.contains("200 OK") && begun.contains("application/jsonl"), "\(begun)")
        #expect(begun.contains(#"{"kind":"begin","name":"spring"}"#), "\(begun)")
        #expect(begun.contains(#"{"kind":"progress","refused":0,"rows":200}"#), "\(begun)")
        connection.send(rest)
        let end = await connection.receive(until: "\r\n0\r\n")
        #expect(end.contains(#""created":400"#) && end.contains(#""kind":"end""#), "\(end)")
        #expect(try await server.client("a").records().count == 400)
    }

    @Test func brokenImportIsToldInItsLines() async throws {
        let server = try await RunningServer(definition: "Conflicts", processes: 1)
        let token = try await server.importToken()
        let connection = try server.importing(
            "model=Nothing&progress=true", bytes: 3, as: token)
        connection.send("{}\n")
        let line = await connection.receive(until: "\r\n0\r\n")
        #expect(line.contains(#""code":"modelUnknown""#) && line.contains(#""kind":"failed""#))
        let other = try server.importing(
            "format=csv&model=ConflictsEntity&progress=true", bytes: 9, as: token)
        other.send("wrong\r\n1\n")
        let header = await other.receive(until: "\r\n0\r\n")
        #expect(header.contains(#""code":"headerFaulty""#), "\(header)")
        #expect(header.contains(#""line":1"#) && header.contains(#""kind":"failed""#), "\(header)")
    }

    /// The summary has the first thousand.
    @Test func everyBadLineIsTold() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let rows = (1...1001).map { "{\"title\":\"\($0)\",\"score\":9}\n" }.joined()
        let answer = try await server.admin(
            "POST",
            "\(base)/import?model=ConflictsEntity&owner=a&dryRun=true&progress=true", rows,
            as: keeper)
        #expect(answer.status == 200)
        let lines = answer.text.split(separator: "\n")
        let told = lines.filter { $0.contains(#""kind":"problem""#) }
            .compactMap { $0.firstMatch(of: /"line":(\d+)/)?.1 }
        #expect(told.compactMap { Int($0) } == Array(1...1001))
        let end = try #require(lines.last)
        #expect(end.contains(#""kind":"end""#) && end.contains(#""refused":1001"#))
        #expect(end.matches(of: /"line":/).count == 1000)
    }

    @Test func wrongParametersAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        for (query, code) in [
            ("format=csv", "parameterIllegal"), ("format=xml", "parameterIllegal"),
            ("model=None", "modelUnknown"),
        ] {
            let answer = try await server.admin("GET", "\(base)/export?\(query)", as: keeper)
            #expect(try answer.error().code == code, "\(query)")
        }
    }

    @Test func rowsOfOtherServicesAreImported() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let rows = #"{"results":[{"objectId":"x1","title":"Alien","ACL":{}}]}"#
        let query = "model=ConflictsEntity&owner=a&from=parse"
        let imported = try await importRows(rows, query, as: keeper, at: server)
        let leftOut: [String: JSONValue] = ["accessLists": 1, "files": 0, "relations": 0]
        #expect(numbers(imported, "created", "leftOut") == [1, .object(leftOut)])
        let exported = try await server.admin("GET", "\(base)/export", as: keeper)
        #expect(exported.text.contains(#""$id":"x1""#), "\(exported.text)")
        for wrong in ["from=parse&format=csv", "from=realm"] {
            let refused = try await server.admin(
                "POST", "\(base)/import?model=ConflictsEntity&\(wrong)", rows, as: keeper)
            #expect(try refused.error().code == "parameterIllegal", "\(wrong)")
        }
    }

    /// An import that is meant as a dry run never writes.
    @Test(arguments: [
        ("dryRun=1", "parameterIllegal"), ("dryRun=True", "parameterIllegal"),
        ("dryRun=", "parameterIllegal"), ("dryrun=true", "parameterUnknown"),
        ("dry-run=true", "parameterUnknown"), ("dryRun", "parameterIllegal"),
        ("dryRun=true&dryRun=false", "parameterIllegal"), ("dryRun=true", nil),
        ("dry%52un=true", nil),
    ])
    func dryRunIsOneOrRefused(query: String, code: String?) async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        let answer = try await server.admin(
            "POST", "\(base)/import?format=csv&model=ConflictsEntity&owner=a&\(query)",
            "title\r\nAlien\r\n", as: keeper)
        #expect(answer.status == (code == nil ? 200 : 400), "\(answer.text)")
        if let code { #expect(try answer.error().code == code) }
        #expect(try await server.client("a").records().isEmpty)
    }

    /// Every route refuses what its document does not have.
    @Test func unknownParametersAreRefused() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        for (path, code) in [
            ("export?deleted=yes", "parameterIllegal"), ("export?delete=true", "parameterUnknown"),
            ("users?limti=1", "parameterUnknown"), ("events?x=1", "parameterUnknown"),
            ("counts?model=ConflictsEntity", "parameterUnknown"),
        ] {
            let answer = try await server.admin("GET", "\(base)/\(path)", as: keeper)
            #expect(try answer.error().code == code, "\(path)")
        }
    }

    @Test func exportOfPersonHasNoHashes() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let keeper = try await server.operatorSession("karl", "keeper")
        try await server.client("a").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "of a"]))
        try await server.client("b").push(
            .create(fresh(), of: "ConflictsEntity", ["title": "of b"]))
        let rows = try await server.admin("GET", "\(base)/users/a/export", as: keeper)
        #expect(rows.status == 200 && rows.text.contains("of a"))
        #expect(!rows.text.contains("of b") && !rows.text.contains("argon2"))
        let log = try await server.admin(
            "GET", "activity", as: try await server.operatorSession("dora", "designer"))
        #expect(log.text.contains("exportUser"))
    }
}

extension RunningServer {
    /// The header of a token that may import.
    fileprivate func importToken() async throws -> String {
        let designer = try await operatorSession("dora", "designer")
        let token = try await adminToken("designer", as: designer).secret
        return try #require(token.headers["Authorization"])
    }

    /// A connection on which the head of an import has been sent.
    fileprivate func importing(
        _ query: String, bytes: Int, as token: String
    ) throws -> RawConnection {
        let connection = try RawConnection(port: port)
        connection.send(
            """
            POST /admin/v1/environments/test/import?\(query) HTTP/1.1\r
            Host: localhost\r
            Authorization: \(token)\r
            Content-Length: \(bytes)\r
            \r

            """)
        return connection
    }
}
